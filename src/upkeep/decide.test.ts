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
  return { type: "wait", reason, warning: null };
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

  test.each<[UpkeepInputs["openPullRequest"], Target]>([
    ["continue", sendTo("job")],
    ["new", NEW_JOB],
    ["hold", HELD],
  ])("beside an open docs pull request, with %s", (openPullRequest, expected) => {
    const ledger = ledgerOf({ reviews: [review()] });
    const inputs = { ...INPUTS, openPullRequest };
    expect(decideTarget(revision(ledger), inputs)).toEqual(expected);
    // One that cannot be read counts as open.
    const unread = { since: AT, isPassing: true };
    const ofUnread = decideTarget(revision(ledgerOf({ reviews: [review({ unread })] })), inputs);
    const warning = openPullRequest === "new" ? null : { code: "docs-pull-unread", prLink: LINK };
    expect(ofUnread).toEqual({ ...expected, warning });
  });

  test("the limit of jobs counts requests of 24 hours, and is a warning", () => {
    const starts = [{ batch: "b", at: AT }];
    const limited = { ...INPUTS, maxJobsPerDay: 1 };
    const now = (hours: number) => revision(ledgerOf({ starts }), { now: NOW + hours * HOUR });
    const warning = { code: "daily-limit", most: 1 } as const;
    expect(decideTarget(now(23), limited)).toEqual({ ...waitFor(warning), warning });
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
