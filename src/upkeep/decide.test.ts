import { describe, expect, test } from "vitest";
import {
  AT,
  change,
  EMPTY,
  failedBatch,
  group,
  HOUR,
  intendedBatch,
  LINK,
  NOW,
  review,
  revision,
  running,
  runningBatch,
} from "../../test/support/ledger-examples.ts";
import { upkeepInputs } from "../../test/support/upkeep-examples.ts";
import type { Batch, Ledger } from "../batches/model/ledger.ts";
import { decideTarget, type Target } from "./decide.ts";
import type { UpkeepInputs } from "./inputs.ts";
import type { UpkeepReason } from "./reasons.ts";

const INPUTS = upkeepInputs();
const FOLLOW_UP: NonNullable<Batch["followUp"]> = { jobId: "draft", prLink: LINK };
const NEW_JOB: Target = { type: "hand-over", jobId: null, warning: null };

function ledgerOf(over: Partial<Ledger> = {}): Ledger {
  return { ...EMPTY, waiting: [group(2)], ...over };
}

function waitFor(reason: UpkeepReason): Target {
  return { type: "wait", reason };
}

const BUSY = waitFor({ code: "at-work" });
const IDLE = waitFor({ code: "nothing-new" });
const HELD = waitFor({ code: "docs-pull-open" });

function sendTo(jobId: string): Target {
  return { type: "hand-over", jobId, warning: null };
}

test.each([
  ["at work", 1, BUSY],
  ["at work for too long", 25, NEW_JOB],
])("a job that is %s gets no follow-up", (_, hours, expected) => {
  const ledger = { ...running(1), reviews: [review()], waiting: [group(2)] };
  expect(decideTarget(revision(ledger, { now: NOW + hours * HOUR }), INPUTS)).toEqual(expected);
});

test("the job of an open docs pull request gets the next batch", () => {
  const reviews = [review({ changes: [change(1)] })];
  const ledger = { ...running(1), batches: [], reviews, waiting: [group(2)] };
  expect(decideTarget(revision(ledger), INPUTS)).toEqual(sendTo("job"));
});

describe("whether and where the waiting changes go", () => {
  test.each<[string, Ledger, Target]>([
    ["nothing waits", EMPTY, IDLE],
    ["all wait for a release", ledgerOf({ waiting: [group(1, { isReleased: false })] }), IDLE],
    [
      "one is released",
      ledgerOf({ waiting: [group(1, { isReleased: false }), group(2)] }),
      NEW_JOB,
    ],
    ["an intent is open", ledgerOf({ batches: [intendedBatch("b", [change(1)])] }), BUSY],
    ["a batch needs a decision", ledgerOf({ batches: [failedBatch("b", [change(1)])] }), NEW_JOB],
    ["a draft is at work", ledgerOf({ drafts: [runningBatch("d", [change(1)])] }), NEW_JOB],
    [
      "of several docs pull requests, the last one counts",
      ledgerOf({ reviews: [review({ jobId: "first" }), review({ jobId: "last" })] }),
      sendTo("last"),
    ],
    [
      "the docs pull request is closed to batches",
      ledgerOf({ reviews: [review({ isClosedToBatches: true })] }),
      NEW_JOB,
    ],
  ])("%s", (_, ledger, expected) => {
    expect(decideTarget(revision(ledger), INPUTS)).toEqual(expected);
  });

  test.each<[UpkeepInputs["openPullRequest"], number, Target]>([
    ["continue", 0, sendTo("job")],
    ["new", 0, NEW_JOB],
    ["hold", 0, HELD],
    ["new", 1, NEW_JOB],
  ])(
    "beside an open docs pull request, with %s, unread in %i runs",
    (openPullRequest, unread, expected) => {
      const ledger = ledgerOf({ reviews: [review({ unread })] });
      expect(decideTarget(revision(ledger), { ...INPUTS, openPullRequest })).toEqual(expected);
    },
  );

  test.each<[UpkeepInputs["openPullRequest"], number, string | null, "open" | "closed"]>([
    ["continue", 1, "job", "open"],
    ["continue", 2, null, "open"],
    ["hold", 1, null, "closed"],
  ])("one that cannot be read, with %s, in %i runs", (openPullRequest, unread, jobId, countsAs) => {
    const ledger = ledgerOf({ reviews: [review({ unread })] });
    const warning = { code: "docs-pull-unread", prLink: LINK, countsAs };
    const target = decideTarget(revision(ledger), { ...INPUTS, openPullRequest });
    expect(target).toEqual({ type: "hand-over", jobId, warning });
  });

  test("the limit of jobs counts requests of 24 hours, and is a warning", () => {
    const starts = [{ batch: "b", at: AT }];
    const limited = { ...INPUTS, maxJobsPerDay: 1 };
    const now = (hours: number) => revision(ledgerOf({ starts }), { now: NOW + hours * HOUR });
    expect(decideTarget(now(23), limited)).toEqual(waitFor({ code: "daily-limit", most: 1 }));
    expect(decideTarget(now(24), limited)).toEqual(NEW_JOB);
    const held = revision(ledgerOf({ starts, reviews: [review()] }));
    expect(decideTarget(held, { ...limited, openPullRequest: "hold" })).toEqual(HELD);
  });

  const drafted = group(1, { followUp: FOLLOW_UP });
  test.each<[string, Ledger, Target]>([
    [
      "goes to the draft's job",
      ledgerOf({ waiting: [group(2), drafted], reviews: [review()] }),
      sendTo("draft"),
    ],
    [
      "goes there if the draft has no docs pull request",
      ledgerOf({ waiting: [group(1, { followUp: { jobId: "draft", prLink: null } })] }),
      sendTo("draft"),
    ],
    [
      "goes to a new job if its docs pull request was merged",
      ledgerOf({ waiting: [drafted] }),
      NEW_JOB,
    ],
    [
      "goes to a new job if that is closed to batches",
      ledgerOf({ waiting: [drafted], reviews: [review({ isClosedToBatches: true })] }),
      NEW_JOB,
    ],
  ])("a follow-up to a draft %s", (_, ledger, expected) => {
    expect(decideTarget(revision(ledger), { ...INPUTS, openPullRequest: "hold" })).toEqual(
      expected,
    );
  });
});
