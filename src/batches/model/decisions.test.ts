import { describe, expect, test } from "vitest";
import {
  change,
  EMPTY,
  failedBatch,
  HOUR,
  LINK,
  NOW,
  polled,
  pullRead,
  review,
  revision,
  running,
  runningBatch,
  uncertainBatch,
  waiting,
} from "../../../test/support/ledger-examples.ts";
import { applyDecision, takeReopened, takeReview } from "./decisions.ts";
import { takePoll } from "./polls.ts";
import type { BatchRevision } from "./revision.ts";

test("a decision counts once, and only where one is needed", () => {
  const atWork = revision(running(2, { attempt: 3 }));
  expect(applyDecision(atWork, { id: "b", choice: "again" })).toBe(atWork);
  const failed = takePoll(atWork, "b", polled("failed"));
  const left = applyDecision(failed, { id: "b", choice: "leave" });
  expect(left.ledger).toMatchObject({ batches: [], waiting: [], done: [{ result: "left" }] });
  expect(left.history).toMatchObject([{ state: "left" }]);
  const again = applyDecision(failed, { id: "b", choice: "again" });
  expect(waiting(again)).toEqual([[["1#1", "1#2"], 3]]);
  expect(applyDecision(again, { id: "b", choice: "again" })).toBe(again);
});

test("what a filter or a revert passed over is handed over by a person, and nothing else is", () => {
  const passedOver = [
    { change: change(1), reason: { code: "label", label: "skip-docs" } as const },
    { change: change(2), reason: { code: "by-agent" } as const },
  ];
  const before = revision({ ...EMPTY, passedOver });
  const after = applyDecision(before, { id: "1#1", choice: "hand-over" });
  expect(after.ledger.passedOver.map((entry) => entry.change.key)).toEqual(["1#2"]);
  expect(after.ledger.waiting).toMatchObject([{ changes: [{ key: "1#1", isWanted: true }] }]);
  for (const id of ["1#1", "1#2", "1#3"]) {
    expect(applyDecision(after, { id, choice: "hand-over" })).toBe(after);
  }
});

test("a tick at an uncertain batch starts no second job, once a job is known to have it", () => {
  const tick = { id: "b", choice: "again" } as const;
  const atWork = { ...EMPTY, batches: [runningBatch("b", [change(1)])] };
  for (const hours of [1, 25]) {
    const later = revision(atWork, { now: NOW + hours * HOUR });
    expect(applyDecision(later, tick)).toBe(later);
  }
  const late = revision(atWork, { now: NOW + 25 * HOUR });
  const again = applyDecision(late, { ...tick, id: "b late" });
  expect(waiting(again)).toEqual([[["1#1"], 1]]);
});

test.each([
  ["an uncertain batch", uncertainBatch("b", [change(1)]), null],
  ["a failed one", failedBatch("b", [change(1)]), "job-b"],
  ["one that the service refused", failedBatch("b", [change(1)], null), null],
])("%s is left with the job that it has", (_, batch, jobId) => {
  const before = revision({ ...EMPTY, batches: [batch] });
  expect(applyDecision(before, { id: "b", choice: "leave" }).history).toMatchObject([{ jobId }]);
});

test.each(["merged", "closed"] as const)(
  "a review that was %s, taken twice, ends once",
  (state) => {
    const once = takeReview(revision({ ...EMPTY, reviews: [review()] }), LINK, pullRead(state));
    expect(once.ledger).toMatchObject({ reviews: [], done: [{ result: state }] });
    expect(takeReview(once, LINK, pullRead(state))).toBe(once);
  },
);

/** What becomes of a docs pull request that several runs read, one after the other. */
function readBy(...states: Parameters<typeof pullRead>[0][]): BatchRevision {
  const begun = revision({ ...EMPTY, reviews: [review()] });
  return states.reduce((before, state) => takeReview(before, LINK, pullRead(state)), begun);
}

test.each<[string, Parameters<typeof pullRead>[0][], number]>([
  ["refused in four runs", ["unread", "unread", "unread", "unread"], 1],
  ["refused in five runs", ["unread", "unread", "unread", "unread", "unread"], 0],
  ["not shown by a failing GitHub in seven runs", Array(7).fill("unavailable"), 1],
  ["read again in between", ["unread", "unread", "unread", "unread", "open", "unread"], 1],
])("a docs pull request that was %s", (_, states, left) => {
  expect(readBy(...states).ledger.reviews).toHaveLength(left);
});

test("a run in which GitHub fails counts as one that could not read it", () => {
  expect(readBy("unavailable", "unavailable").ledger.reviews).toMatchObject([{ unread: 2 }]);
});

describe("a docs pull request that had ended", () => {
  const documented = { jobId: "job", changes: [change(9), change(10)] };
  const other = review({ prLink: `${LINK}1`, jobId: "other" });
  const both = revision({ ...EMPTY, reviews: [review({ changes: documented.changes }), other] });
  const closed = takeReview(both, LINK, pullRead("closed"));

  test("and was reopened is the oldest in review, and its changes count no more as not documented", () => {
    expect(closed.ledger.days).toEqual({ "2026-11-20": { documented: 0, not: 2 } });
    const { ledger, events } = takeReopened(closed, LINK, "open", documented);
    expect(ledger.reviews).toEqual([review({ changes: documented.changes }), other]);
    expect(ledger).toMatchObject({ done: [], days: { "2026-11-20": { documented: 0, not: 0 } } });
    expect(events.at(-1)).toBe(`Docs pull request ${LINK} was reopened`);
  });

  test("and was merged after all counts as documented", () => {
    const { ledger } = takeReopened(closed, LINK, "merged", documented);
    expect(ledger).toMatchObject({
      reviews: [other],
      done: [{ result: "merged" }],
      days: { "2026-11-20": { documented: 2, not: 0 } },
    });
  });

  test("counts again once, and only if it ended without being merged", () => {
    const once = takeReopened(closed, LINK, "open", documented);
    expect(takeReopened(once, LINK, "open", documented)).toBe(once);
    const merged = takeReview(both, LINK, pullRead("merged"));
    expect(takeReopened(merged, LINK, "open", documented)).toBe(merged);
  });

  test("takes the follow-up back that its job works on", () => {
    const batch = runningBatch("b", [change(1)], { id: "job", isFollowUp: true });
    const begun = revision({ ...EMPTY, batches: [batch], reviews: [review()] });
    const late = takeReview(begun, LINK, pullRead("closed"));
    expect(late.ledger.batches).toMatchObject([{ job: { isTooLate: true } }]);
    const { batches } = takeReopened(late, LINK, "open", documented).ledger;
    expect(batches).toEqual([batch]);
  });
});
