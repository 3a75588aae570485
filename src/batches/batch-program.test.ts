import { describe, expect, test } from "vitest";
import { RUN, readsOf } from "../../test/support/batch-reads.ts";
import {
  AT,
  accepted,
  change,
  EMPTY,
  intendedBatch,
  MINUTE,
  NOW,
  pendingComment,
  RULES,
  refusedBy,
  runningBatch,
  task,
  UNCERTAIN,
} from "../../test/support/ledger-examples.ts";
import { timeText, unchanged } from "../ledger/file.ts";
import { Unavailable } from "../ledger/unavailable.ts";
import { type Delivery, notSent } from "../runtime/delivery.ts";
import {
  type BatchAct,
  type BatchPerformer,
  BatchProgram,
  type BatchValue,
  type HandOver,
} from "./batch-program.ts";
import type { BatchReads } from "./batch-reads.ts";
import type { Ledger, PendingComment } from "./model/ledger.ts";
import type { LedgerAddress } from "./settings.ts";

const ADDRESS: LedgerAddress = {
  identity: { action: "upkeep", project: "p" },
  rules: RULES,
  ref: "refs/docs-agent/upkeep/x",
  runName: RUN,
  repository: "acme/code",
  githubApiUrl: "https://api.github.com/",
};
const START: HandOver = {
  type: "start",
  id: "b",
  changes: [change(1)],
  prompt: "Document it.",
};
const CLAIMED: Ledger["dashboard"] = { type: "claimed", by: RUN, until: timeText(NOW + 600_000) };
const LIMITED: Delivery<BatchValue> = { type: "limited" };
const COMMENTED: Delivery<BatchValue> = { type: "accepted", value: null };

const PERFORMER: BatchPerformer<BatchReads> = {
  reads: readsOf,
  confirm: async () => null,
  deliver: async () => accepted(),
  shouldHandOver: (_, deliveries) => deliveries.length < 1,
  comment: async () => ({ type: "accepted", value: null }),
  openDashboard: async () => ({ type: "accepted", value: { number: 7 } }),
};

/** @param changed what confirming finds */
function programWith(changed: { code: string } | null = null): BatchProgram<BatchReads> {
  return new BatchProgram(ADDRESS, { ...PERFORMER, confirm: async () => changed });
}
const PROGRAM = programWith();

function record(ledger: Ledger, act: { type: string; id: string }, delivery: Delivery<BatchValue>) {
  return PROGRAM.record(unchanged(ledger), act, delivery, NOW);
}

describe("of a hand-over, the ledger records", () => {
  const intended: Ledger = {
    ...EMPTY,
    batches: [intendedBatch("b", [change(1)])],
    starts: [{ batch: "b", at: AT }],
  };
  const given = { batches: [], starts: [], waiting: [{ attempts: 0 }] };

  test.each<[string, Delivery<BatchValue>, object]>([
    ["accepted", accepted(), { batches: [{ state: "running", job: { id: "job" } }] }],
    [
      "uncertain",
      UNCERTAIN,
      { batches: [{ state: "uncertain", reason: { code: "unanswered", words: "lost" } }] },
    ],
    ["limited", LIMITED, given],
    ["busy", { type: "busy" }, given],
    ["refused content", refusedBy("content"), { batches: [{ state: "failed" }], starts: [] }],
    ["credits that are used up", refusedBy("credits"), given],
    [
      "a run that ended meanwhile",
      { ...UNCERTAIN, reason: null },
      { batches: [{ state: "uncertain", reason: { code: "run-ended" } }] },
    ],
    ["a refused key", refusedBy("key"), given],
    ["a job that accepts none", refusedBy("job"), given],
    ["changed right before", notSent("changed"), given],
    ["outdated", notSent("outdated"), given],
    ["cancelled", notSent("cancelled"), given],
    ["held back", notSent("held-back"), given],
    ["not reached", notSent("unreached"), given],
  ])("%s, twice like once", (_, delivery, expected) => {
    for (const type of ["start", "follow-up"]) {
      const once = record(intended, { type, id: "b" }, delivery);
      expect(once.ledger).toMatchObject(expected);
      const twice = PROGRAM.record(
        unchanged(once.ledger),
        { type, id: "b" },
        delivery,
        NOW + MINUTE,
      );
      expect(twice).toEqual(unchanged(once.ledger));
    }
  });

  test("a task of a queue whose content was refused, for a person", () => {
    const batches = [intendedBatch("b", [task("a")])];
    const queue: Ledger = { ...EMPTY, action: "queue", batches };
    expect(record(queue, START, refusedBy("content", "Too long")).ledger).toMatchObject({
      batches: [{ state: "failed", reason: { code: "refused", words: "Too long" }, job: null }],
      failures: { inRow: [{ cause: "b", how: "refused" }] },
    });
  });

  test("what another run wrote meanwhile, too", () => {
    const batches = [runningBatch("c", [change(2)]), ...intended.batches];
    expect(record({ ...intended, batches }, START, accepted()).ledger.batches).toMatchObject([
      { id: "c", state: "running", job: { id: "job-c" } },
      { id: "b", state: "running", job: { id: "job" } },
    ]);
  });

  test("nothing, if the batch is gone", () => {
    expect(record(EMPTY, START, accepted())).toEqual(unchanged(EMPTY));
  });

  test("a job in place of a doubt, and no doubt in place of a job", () => {
    const doubted = record(intended, START, UNCERTAIN).ledger;
    const known = record(doubted, START, accepted()).ledger;
    expect(known.batches).toMatchObject([{ state: "running", job: { id: "job" } }]);
    expect(record(known, START, UNCERTAIN)).toEqual(unchanged(known));
  });

  test("of a refused key that no dashboard is opened", () => {
    const claimed = { ...intended, dashboard: CLAIMED };
    expect(record(claimed, START, refusedBy("key")).ledger.dashboard).toEqual({ type: "none" });
    expect(record(claimed, START, LIMITED).ledger.dashboard).toEqual(CLAIMED);
  });
});

describe("of a comment, the ledger records", () => {
  const [one, two] = [pendingComment(1), pendingComment(2)];
  const [first, second] = ["c0", "c1"].map((id) => ({ type: "comment", id }));
  const claimed: Ledger = {
    ...EMPTY,
    pendingComments: [
      { ...one, claim: { id: "c0", at: AT } },
      { ...two, claim: { id: "c1", at: AT } },
    ],
  };

  test.each<[string, Delivery<BatchValue>, PendingComment[]]>([
    ["written", COMMENTED, [two]],
    ["not taken by its pull request", refusedBy("state"), [two]],
    ["not allowed", refusedBy("right"), [two, { ...one, refusals: 1 }]],
    ["perhaps written", UNCERTAIN, [two, { ...one, tries: 1 }]],
    ["limited", LIMITED, [one, two]],
    ["not begun", notSent("cancelled"), [one, two]],
  ])("%s, twice like once", (_, delivery, left) => {
    const once = record(claimed, { type: "comment", id: "c0" }, delivery);
    expect(once.ledger.pendingComments.map((entry) => ({ ...entry, claim: null }))).toEqual(left);
    const claims = once.ledger.pendingComments.filter(({ claim }) => claim !== null);
    expect(claims.map(({ change: { key } }) => key)).toEqual(["1#2"]);
    expect(record(once.ledger, { type: "comment", id: "c0" }, delivery)).toEqual(
      unchanged(once.ledger),
    );
  });

  test("that it is given up: without an answer in 24 runs, refused in three", () => {
    const inRuns = (delivery: Delivery<BatchValue>) => {
      let entry = one;
      for (let run = 1; ; run++) {
        const held = { ...EMPTY, pendingComments: [{ ...entry, claim: { id: "c", at: AT } }] };
        const [after] = record(held, { type: "comment", id: "c" }, delivery).ledger.pendingComments;
        if (after === undefined) return run;
        entry = after;
      }
    };
    expect(inRuns(UNCERTAIN)).toBe(24);
    expect(inRuns(refusedBy("right"))).toBe(3);
  });

  test("several as one event", () => {
    const once = PROGRAM.record(unchanged(claimed), first ?? START, COMMENTED, NOW);
    const both = PROGRAM.record(once, second ?? START, COMMENTED, NOW);
    expect(both.events).toEqual(["Comment on pull requests"]);
    expect(both.ledger.pendingComments).toEqual([]);
  });

  test("that a dead run may have written it", () => {
    const { ledger } = PROGRAM.expire(unchanged(claimed), () => true);
    expect(ledger.pendingComments).toEqual([one, two].map((entry) => ({ ...entry, tries: 1 })));
    expect(PROGRAM.expire(unchanged(claimed), () => false).ledger).toEqual(claimed);
    const last = { ...EMPTY, pendingComments: [{ ...one, tries: 23, claim: { id: "1", at: AT } }] };
    expect(PROGRAM.expire(unchanged(last), () => true).ledger.pendingComments).toEqual([]);
  });

  test("a claim that a living run holds beside dead ones", () => {
    const claim = { id: "2-1-b.1.comment.0", at: "2026-11-22T12:05:00Z" };
    const alive = [{ ...two, claim }, pendingComment(3)];
    const mixed = { ...EMPTY, pendingComments: [...claimed.pendingComments.slice(0, 1), ...alive] };
    const after = PROGRAM.expire(unchanged(mixed), (at) => at === AT).ledger.pendingComments;
    expect(after).toEqual([{ ...one, tries: 1 }, ...alive]);
  });
});

test.each<[string, Delivery<BatchValue>, Ledger["dashboard"]]>([
  ["not begun", notSent("cancelled"), { type: "none" }],
  ["uncertain", UNCERTAIN, CLAIMED],
  ["accepted", { type: "accepted", value: { number: 7 } }, { type: "open", number: 7 }],
  ["refused", refusedBy("right"), { type: "refused", until: "2026-11-23T12:00:00Z" }],
])("of a dashboard whose opening is %s, the ledger says so", (_, delivery, dashboard) => {
  const ledger = { ...EMPTY, dashboard: CLAIMED };
  const recorded = record(ledger, { type: "open-dashboard", id: RUN }, delivery);
  expect(recorded.ledger).toEqual({ ...ledger, dashboard });
});

test("intents of dead runs become uncertain, and an intent is found by its ID", () => {
  const ledger: Ledger = { ...EMPTY, batches: [intendedBatch("b", [change(1)])] };
  expect(PROGRAM.hasIntent(ledger, START)).toBe(true);
  expect(PROGRAM.hasIntent(ledger, { ...START, id: "c" })).toBe(false);
  const expired = PROGRAM.expire(unchanged(ledger), () => true).ledger;
  expect(expired.batches).toMatchObject([{ state: "uncertain", reason: { code: "run-ended" } }]);
  expect(PROGRAM.hasIntent(expired, START)).toBe(false);
  const pendingComments = [{ ...pendingComment(1), claim: { id: "c", at: AT } }];
  expect(PROGRAM.hasIntent({ ...EMPTY, pendingComments }, { type: "comment", id: "c" })).toBe(true);
});

test("a hand-over follows as long as its action wants it, comments until a limit, a dashboard always", () => {
  const comment: BatchAct = { type: "comment", id: "c", pending: pendingComment(1) };
  const opening: BatchAct = { type: "open-dashboard", id: RUN };
  const after = (delivery: Delivery<BatchValue>) =>
    [START, comment, opening].map((act) => PROGRAM.shouldRun(act, [{ act, delivery }]));
  expect(after(LIMITED)).toEqual([false, false, true]);
  expect(after(COMMENTED)).toEqual([false, true, true]);
  expect(PROGRAM.shouldRun(START, [])).toBe(true);
});

test("a hand-over of which something has changed is not sent", async () => {
  const head = { sha: null, ledger: EMPTY };
  expect(await PROGRAM.confirm(START, head, readsOf())).toBeNull();
  const changed = programWith({ code: "paused" }).confirm(START, head, readsOf());
  expect(await changed).toEqual(notSent("changed"));
});

test("what could not be decided again is not sent, with the reason", async () => {
  const performer = { ...PERFORMER, confirm: () => Promise.reject(new Unavailable("it is down")) };
  const head = { sha: null, ledger: EMPTY };
  const answer = await new BatchProgram(ADDRESS, performer).confirm(START, head, readsOf());
  expect(answer).toMatchObject({
    type: "not-sent",
    code: "unreached",
    error: { kind: "github-unavailable", advice: "What was not sent waits for the next run." },
  });
});

test("each act is performed as what it is", async () => {
  const progress = { head: { sha: null, ledger: EMPTY }, done: [] };
  const comment: BatchAct = { type: "comment", id: "c", pending: pendingComment(1) };
  expect(await PROGRAM.perform(START, progress)).toEqual(accepted());
  expect(await PROGRAM.perform(comment, progress)).toEqual(COMMENTED);
  const opened = await PROGRAM.perform({ type: "open-dashboard", id: RUN }, progress);
  expect(opened).toEqual({ type: "accepted", value: { number: 7 } });
});
