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
  unread,
} from "../../test/support/ledger-examples.ts";
import type { FollowUpTarget, Group, Ledger } from "../batches/model/ledger.ts";
import {
  type ChangeDetails,
  detailsOfKnown,
  type MergedChange,
} from "../github/changes/change-details.ts";
import type { Fact } from "../runtime/fact.ts";
import { parsePathFilter } from "../text/path-filter.ts";
import { candidatesOf, chooseBatch, decideTarget, type Target } from "./decide.ts";
import type { UpkeepInputs } from "./inputs.ts";
import type { UpkeepReason } from "./reasons.ts";

const INPUTS: Pick<UpkeepInputs, "openPullRequest" | "maxJobsPerDay"> = {
  openPullRequest: "continue",
  maxJobsPerDay: 24,
};
const FOLLOW_UP: FollowUpTarget = { jobId: "draft", prLink: LINK };
const NEW_JOB: Target = { type: "hand-over", jobId: null, warning: null };

function ledgerOf(over: Partial<Ledger> = {}): Ledger {
  return { ...EMPTY, waiting: [group(2)], ...over };
}

function waitFor(reason: UpkeepReason): Target {
  return { type: "wait", reason };
}

const BUSY = waitFor({ code: "at-work" });
const IDLE = waitFor({ code: "nothing-new" });
const HELD = waitFor({ code: "docs-pull-open", prLink: LINK });

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

describe("a batch", () => {
  const paths = parsePathFilter("src/**");
  if ("problem" in paths) throw new Error(paths.problem);
  const inputs = { maxChanges: 2, ignoreLabels: ["skip"], ignoreAuthors: ["bot"], paths };
  const detailsOf = (
    number: number,
    over: Partial<ChangeDetails> = {},
  ): [string, ChangeDetails] => {
    const details = { ...detailsOfKnown(change(number)), ...over };
    return [details.change.key, details];
  };
  /** @param details what can be read; null for a change whose reading a limit stops */
  const choose = async (
    waiting: Group[],
    details: [string, ChangeDetails | null][],
    most = Number.POSITIVE_INFINITY,
  ) => {
    const all = new Map(details);
    let left = most;
    const reads = {
      requestsLeft: () => left,
      details: async ({ key }: MergedChange): Promise<Fact<ChangeDetails>> => {
        left -= 1;
        const value = all.get(key) ?? null;
        return value === null ? unread("limited") : { type: "known", value };
      },
      known: detailsOfKnown,
    };
    const { chosen, revision: after } = await chooseBatch(
      revision(ledgerOf({ waiting })),
      reads,
      inputs,
    );
    const { passedOver, waiting: rest } = after.ledger;
    return {
      chosen: chosen.map((read) => read.change.number),
      passed: passedOver.map(({ change: { number }, reason }) => [number, reason]),
      waiting: rest.flatMap(({ changes }) => changes.map(({ key }) => key)),
    };
  };

  test("has the first changes, up to the maximum; they wait until they are handed over", async () => {
    const all = [1, 2, 3];
    const chosen = await choose(
      all.map((number) => group(number)),
      all.map((number) => detailsOf(number)),
    );
    expect(chosen).toEqual({ chosen: [1, 2], passed: [], waiting: ["1#1", "1#2", "1#3"] });
  });

  test("passes over what the filters exclude, and goes on behind it", async () => {
    const file = {
      path: "a.txt",
      previousPath: "a.txt",
      isRemoved: false,
      patch: "",
      additions: 1,
      deletions: 0,
    };
    const chosen = await choose(
      [1, 2, 3].map((number) => group(number)),
      [detailsOf(1, { labels: ["skip"] }), detailsOf(2, { files: [file] }), detailsOf(3)],
    );
    expect(chosen).toEqual({
      chosen: [3],
      passed: [
        [2, { code: "no-path" }],
        [1, { code: "label", label: "skip" }],
      ],
      waiting: ["1#3"],
    });
  });

  test("ends at the first change that a limit keeps from being read", async () => {
    const groups = [1, 2, 3].map((number) => group(number));
    const limited: [string, null] = ["1#2", null];
    expect((await choose(groups, [detailsOf(1), limited, detailsOf(3)])).chosen).toEqual([1]);
    const all = groups.map((_, nth) => detailsOf(nth + 1));
    expect((await choose(groups, all, 1)).chosen).toEqual([1]);
  });

  test("that was handed over before goes out unchanged: no filter, no maximum, no details", async () => {
    const changes = [1, 2, 3].map(change);
    const again = group(1, { changes, attempts: 1 });
    const chosen = await choose([again, group(4)], [detailsOf(1, { labels: ["skip"] })]);
    expect(chosen).toMatchObject({ chosen: [1, 2, 3], passed: [] });
  });

  test.each<[string, Group[], number[], object]>([
    [
      "new changes, not those that failed",
      [group(1), group(2, { attempts: 1 })],
      [1],
      { isAgain: false },
    ],
    [
      "a group that failed, by itself",
      [group(1, { attempts: 2 }), group(2)],
      [1],
      { isAgain: true, attempts: 2 },
    ],
    [
      "a follow-up before all",
      [group(1), group(2, { followUp: FOLLOW_UP })],
      [2],
      { isAgain: true, followUp: FOLLOW_UP },
    ],
    [
      "nothing that is not released",
      [group(1, { isReleased: false }), group(2)],
      [2],
      { isAgain: false },
    ],
  ])("is made from %s", (_, groups, numbers, expected) => {
    const { changes, ...candidates } = candidatesOf(revision(ledgerOf({ waiting: groups })));
    expect(changes.map(({ number }) => number)).toEqual(numbers);
    expect(candidates).toMatchObject(expected);
  });
});
