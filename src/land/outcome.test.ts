import { expect, test } from "vitest";
import {
  checkOf,
  EVERYTHING_NAMED,
  entryOf,
  lastRead,
  NOW,
  pullOf,
  waitingFor,
} from "../../test/support/land-facts.ts";
import type { Done } from "../ledger/program.ts";
import { type Delivery, notSent } from "../runtime/delivery.ts";
import { accepted, type LandAct, type LandTerms, type LandValue } from "./acts.ts";
import type { PullDecision } from "./decide.ts";
import type { PullEntry } from "./ledger.ts";
import { decisionAfter, entryAfterAll, reportedPull } from "./outcome.ts";
import type { TrackedPull } from "./plan.ts";
import type { PullProblem } from "./problems.ts";

const PLACE = { url: pullOf({}).url, repository: "acme/docs", number: 7, isNamed: true };
const ID = `run ${PLACE.url}`;
const AT = { id: ID, place: PLACE, head: "head", base: "main" };
const MERGE: LandAct = { type: "merge", ...AT, method: "squash", message: null };
const ENQUEUE: LandAct = { type: "enqueue", ...AT, pullId: "PR_7" };
const UPDATE: LandAct = { type: "update", ...AT };
const CLOSE: LandAct = { type: "close", ...AT, reason: "idle" };
const SEND: LandAct = { type: "follow-up", ...AT, jobId: "job_1", prompt: "", problems: [] };
const RELEASE: LandAct = { type: "release", id: ID, place: PLACE };
const PREVIEW: LandAct = { type: "preview", id: ID, place: PLACE, branch: "b", head: "head" };

const FAILED_CHECK: PullProblem = {
  type: "check",
  id: "check 1",
  check: checkOf({ state: "red" }),
};
const FOLLOW_UP: PullDecision = { type: "follow-up", problems: [FAILED_CHECK] };
const TO_MERGE: PullDecision = { type: "merge" };
const TO_CLOSE: PullDecision = { type: "close", reason: { code: "idle", days: 14 } };
const AGAIN = waitingFor({ code: "not-done" });
const NOT_CONFIRMED = waitingFor({ code: "not-confirmed" });
const NOT_BEGUN = notSent("cancelled");
const UNKNOWN: Delivery<LandValue> = {
  type: "uncertain",
  reason: "The answer is lost",
  error: null,
};
const SENT = accepted({ type: "sent" });
const refusedBy = (by: "key" | "job" | "content" | "state"): Delivery<LandValue> => {
  return { type: "refused", by, error: { kind: "unauthorized", problem: "No", advice: null } };
};
const NO_FOLLOW_UPS = waitingFor({ code: "job-takes-none", problems: { check: 1 } });

test.each<[string, PullDecision, LandAct, Delivery<LandValue>, PullDecision]>([
  ["a follow-up", FOLLOW_UP, SEND, SENT, FOLLOW_UP],
  ["a follow-up that was not begun", FOLLOW_UP, SEND, NOT_BEGUN, AGAIN],
  ["a follow-up that was decided too long ago", FOLLOW_UP, SEND, notSent("outdated"), AGAIN],
  ["a follow-up that was decided otherwise", FOLLOW_UP, SEND, notSent("changed"), NOT_CONFIRMED],
  ["a follow-up that reached the limit", FOLLOW_UP, SEND, { type: "limited" }, AGAIN],
  [
    "a follow-up to a busy job",
    FOLLOW_UP,
    SEND,
    { type: "busy" },
    waitingFor({ code: "job-busy" }),
  ],
  ["a follow-up with a refused key", FOLLOW_UP, SEND, refusedBy("key"), AGAIN],
  ["a refused job", FOLLOW_UP, SEND, refusedBy("job"), NO_FOLLOW_UPS],
  ["refused content", FOLLOW_UP, SEND, refusedBy("content"), NO_FOLLOW_UPS],
  [
    "a follow-up that may have been received",
    FOLLOW_UP,
    SEND,
    UNKNOWN,
    waitingFor({ code: "maybe-sent" }),
  ],
  ["a merge", TO_MERGE, MERGE, accepted({ type: "merged" }), TO_MERGE],
  ["a merge that came too late", TO_MERGE, MERGE, notSent("changed"), NOT_CONFIRMED],
  [
    "a refused merge",
    TO_MERGE,
    MERGE,
    refusedBy("state"),
    waitingFor({ code: "merge-refused", words: "No" }),
  ],
  [
    "a refused close",
    TO_CLOSE,
    CLOSE,
    refusedBy("state"),
    waitingFor({ code: "close-refused", words: "No" }),
  ],
  [
    "joining a queue",
    { type: "enqueue" },
    ENQUEUE,
    accepted({ type: "queued", head: "head" }),
    waitingFor({ code: "queued" }),
  ],
  [
    "an update",
    { type: "update" },
    UPDATE,
    accepted({ type: "updated", head: "head" }),
    waitingFor({ code: "updating" }),
  ],
  ["a merge whose answer was lost", TO_MERGE, MERGE, UNKNOWN, AGAIN],
  ["a close", TO_CLOSE, CLOSE, accepted({ type: "closed" }), TO_CLOSE],
  ["a close that failed", TO_CLOSE, CLOSE, UNKNOWN, AGAIN],
  ["a preview that failed", TO_MERGE, PREVIEW, UNKNOWN, TO_MERGE],
  [
    "nothing",
    waitingFor({ code: "draft" }),
    RELEASE,
    accepted({ type: "unchanged" }),
    waitingFor({ code: "draft" }),
  ],
])("what is said after %s", (_, decision, act, delivery, expected) => {
  expect(decisionAfter(decision, [{ act, delivery }], entryOf(), NOW)).toEqual(expected);
});

const INTENT: PullEntry["intent"] = {
  decision: "run",
  at: "2026-11-22T12:00:00Z",
  followUp: { about: { check: 1 }, head: "head", problems: ["check 1"] },
  circumstances: null,
};

function tracked(over: Partial<TrackedPull> = {}): TrackedPull {
  return {
    entry: entryOf({ intent: INTENT }),
    decision: FOLLOW_UP,
    state: "open",
    needed: null,
    visibility: EVERYTHING_NAMED,
    ...over,
  };
}

test.each<[string, TrackedPull, Done<LandTerms>[], object]>([
  [
    "that a follow-up was about",
    tracked(),
    [{ act: SEND, delivery: SENT }],
    { state: "open", achieved: "sent", decision: FOLLOW_UP, entry: { followUps: [{}] } },
  ],
  [
    "that was merged",
    tracked({ decision: TO_MERGE }),
    [{ act: MERGE, delivery: accepted({ type: "merged" }) }],
    { state: "merged", achieved: "merged", decision: TO_MERGE },
  ],
  [
    "whose acts were not begun: they are still to be done",
    tracked(),
    [SEND, RELEASE].map((act) => ({ act, delivery: NOT_BEGUN })),
    { state: "open", achieved: null, decision: FOLLOW_UP, entry: { followUps: [] } },
  ],
  [
    "that was decided too long ago, in a run that was cancelled",
    tracked(),
    [
      { act: SEND, delivery: notSent("outdated") },
      { act: RELEASE, delivery: NOT_BEGUN },
    ],
    { state: "open", achieved: null, decision: FOLLOW_UP, entry: { followUps: [] } },
  ],
  [
    "of which one act was not begun",
    tracked(),
    [
      { act: SEND, delivery: NOT_BEGUN },
      { act: RELEASE, delivery: accepted({ type: "unchanged" }) },
    ],
    { achieved: null, decision: AGAIN },
  ],
  [
    "that was not as before",
    tracked(),
    [
      { act: SEND, delivery: notSent("changed") },
      { act: RELEASE, delivery: NOT_BEGUN },
    ],
    { achieved: null, decision: NOT_CONFIRMED, entry: { followUps: [] } },
  ],
  [
    "that was merged before",
    tracked({ state: "merged", decision: { type: "ended" } }),
    [],
    { state: "merged", achieved: null },
  ],
])("the end of one %s", (_, pull, done, expected) => {
  expect(reportedPull(pull, done, NOW)).toMatchObject(expected);
});

test("an update and a place in the queue are remembered, once", () => {
  const entry = entryOf({ lastRead: lastRead(), needs: { code: "blocked" } });
  const update = { act: UPDATE, delivery: accepted({ type: "updated", head: "head" }) };
  const queue = { act: ENQUEUE, delivery: accepted({ type: "queued", head: "head" }) };
  expect(entryAfterAll(entry, [update, update, queue])).toMatchObject({
    updated: [{ head: "head", headAt: entry.headAt }],
    queued: "head",
    needs: null,
  });
});
