import { describe, expect, test } from "vitest";
import {
  accepted,
  change,
  EMPTY,
  group,
  HOUR,
  NOW,
  plannedBatch,
  refusedBy,
  review,
  revision,
  uncertainBatch,
  waiting,
} from "../../../test/support/ledger-examples.ts";
import { notSent } from "../../runtime/delivery.ts";
import { intend, recordRequest } from "./batches.ts";
import { applyDecision } from "./decisions.ts";
import { undecidedBatches } from "./undecided.ts";

const ACCEPTED = accepted();
const PLANNED = plannedBatch("b", [change(1)]);
const LOST = { type: "uncertain", reason: "the connection was lost", error: null } as const;

describe("what the service refuses", () => {
  const REFUSED = refusedBy("content", "Too long");
  const refused = (count: number, attempt = 1) => {
    const changes = Array.from({ length: count }, (_, nth) => change(nth + 1));
    const intended = intend(revision(EMPTY), [plannedBatch("b", changes, attempt)]);
    return recordRequest(intended, "b", REFUSED);
  };

  test.each(["queue", "upkeep"])(
    "by itself needs a decision in %s, and has started nothing",
    (action) => {
      const intended = intend(revision({ ...EMPTY, action }), [PLANNED]);
      const { ledger } = recordRequest(intended, "b", REFUSED);
      expect(ledger.batches).toMatchObject([
        { state: "failed", job: null, reason: { code: "refused", words: "Too long" } },
      ]);
      expect(ledger).toMatchObject({
        waiting: [],
        starts: [],
        failures: { inRow: [{ how: "refused" }] },
      });
    },
  );

  test("with others goes out again in halves, and costs no attempt", () => {
    const after = refused(5, 2);
    expect(waiting(after)).toEqual([
      [["1#1", "1#2", "1#3"], 1],
      [["1#4", "1#5"], 1],
    ]);
    const origin = { id: "b", hasSucceeded: false };
    expect(after.ledger.waiting).toMatchObject([{ origin }, { origin }]);
    expect(after.ledger).toMatchObject({ batches: [], starts: [], failures: { inRow: [] } });
    expect(after.history).toEqual([]);
  });

  test("is found in a half of a half, and the other changes go out together", () => {
    const first = refused(4);
    const [half] = first.ledger.waiting;
    const again = { ...plannedBatch("c", half?.changes ?? []), origin: half?.origin ?? null };
    const second = recordRequest(intend(first, [again]), "c", REFUSED);
    expect(second.ledger.waiting.map(({ changes }) => changes.length)).toEqual([1, 1, 2]);
    const [one] = second.ledger.waiting;
    const last = { ...plannedBatch("d", one?.changes ?? []), origin: one?.origin ?? null };
    const found = recordRequest(intend(second, [last]), "d", REFUSED);
    expect(found.ledger.waiting.every(({ origin }) => origin === null)).toBe(true);
    expect(undecidedBatches(found)).toMatchObject([{ changes: [{ key: "1#1" }] }]);
    expect(found.ledger.failures.inRow).toEqual([{ cause: "b", how: "refused", jobId: null }]);
  });
});

test("a job that is busy is noted once, since when, and no more once it takes a message", () => {
  const follow = (id: string) => ({ ...plannedBatch(id, [change(1)]), sentTo: "job" });
  const busy = recordRequest(intend(revision(EMPTY), [follow("b")]), "b", { type: "busy" });
  const since = "2026-11-22T12:00:00Z";
  expect(busy.ledger).toMatchObject({ batches: [], busyJobs: [{ jobId: "job", since }] });
  const later = revision(busy.ledger, { now: NOW + HOUR });
  const again = recordRequest(intend(later, [follow("c")]), "c", { type: "busy" });
  expect(again.ledger.busyJobs).toEqual([{ jobId: "job", since }]);
  const taken = recordRequest(intend(again, [follow("d")]), "d", accepted("job", true));
  expect(taken.ledger.busyJobs).toEqual([]);
});

test("a job that was replaced by a new one gets no further batch", () => {
  const before = revision({ ...EMPTY, reviews: [review()] });
  const intended = intend(before, [{ ...PLANNED, sentTo: "job" }]);
  const after = recordRequest(intended, "b", accepted("other"));
  expect(after.ledger.reviews).toMatchObject([{ isClosedToBatches: true }]);
});

test("a limit is dated from the first request that it stops, until one gets through", () => {
  const limited = recordRequest(intend(revision(EMPTY), [PLANNED]), "b", { type: "limited" });
  const since = "2026-11-22T12:00:00Z";
  expect(limited.ledger.limitedSince).toBe(since);
  const later = revision(limited.ledger, { now: NOW + HOUR });
  const again = recordRequest(intend(later, [PLANNED]), "b", { type: "limited" });
  expect(again.ledger.limitedSince).toBe(since);
  expect(recordRequest(intend(again, [PLANNED]), "b", ACCEPTED).ledger.limitedSince).toBeNull();
});

test.each([notSent("held-back"), notSent("unreached"), LOST])(
  "a request without an answer does not end the limit: $type",
  (delivery) => {
    const limited = recordRequest(intend(revision(EMPTY), [PLANNED]), "b", { type: "limited" });
    const { ledger } = recordRequest(
      intend(limited, [plannedBatch("c", [change(2)])]),
      "c",
      delivery,
    );
    expect(ledger.limitedSince).toBe("2026-11-22T12:00:00Z");
  },
);

test("several that a person had handed over again wait oldest first", () => {
  const batches = [1, 2, 3].map((nth) => uncertainBatch(`b${nth}`, [change(nth)]));
  const before = revision({ ...EMPTY, batches, waiting: [group(4)] });
  const ids = batches.map(({ id }) => id);
  const after = ids.reduce((it, id) => applyDecision(it, { id, choice: "again" }), before);
  expect(waiting(after).map(([keys]) => keys)).toEqual([["1#1"], ["1#2"], ["1#3"], ["1#4"]]);
});
