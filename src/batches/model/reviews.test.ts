import { describe, expect, test } from "vitest";
import {
  AT,
  change,
  EMPTY,
  HOUR,
  LINK,
  NOW,
  pullRead,
  review,
  revision,
  runningBatch,
  waiting,
} from "../../../test/support/ledger-examples.ts";
import { applyDecision, undecidedEntries } from "./decisions.ts";
import { addReview } from "./ends.ts";
import { endedUnmerged, takeReopened, takeReview } from "./reviews.ts";
import type { BatchRevision } from "./revision.ts";

test.each(["merged", "closed"] as const)(
  "a review that was %s, taken twice, ends once",
  (state) => {
    const once = takeReview(revision({ ...EMPTY, reviews: [review()] }), LINK, pullRead(state));
    expect(once.ledger).toMatchObject({ reviews: [], done: [{ result: state }] });
    expect(takeReview(once, LINK, pullRead(state))).toBe(once);
  },
);

/** What becomes of a docs pull request that is read again and again. @param hours when, after its job's end */
function readBy(state: Parameters<typeof pullRead>[0], ...hours: number[]): BatchRevision {
  const begun = revision({ ...EMPTY, reviews: [review()] });
  return hours.reduce((before, hour) => takeReview(at(before, hour), LINK, pullRead(state)), begun);
}

/** The same ledger at a later time. */
function at({ ledger }: BatchRevision, hours: number): BatchRevision {
  return revision(ledger, { now: NOW + hours * HOUR });
}

describe("a docs pull request that GitHub fails to show", () => {
  const failing = readBy("unavailable", 1, 25);

  test("stays in review, and is a person's after a day", () => {
    const since = "2026-11-22T13:00:00Z";
    expect(failing.ledger.reviews).toMatchObject([{ unread: { since, isPassing: true } }]);
    expect(undecidedEntries(failing)).toEqual([]);
    const later = readBy("unavailable", 1, 26, 1000);
    expect(later.ledger.reviews).toHaveLength(1);
    expect(undecidedEntries(later)).toMatchObject([
      { id: `docs:${LINK}`, batch: { reason: { code: "docs-pull-unread", prLink: LINK, since } } },
    ]);
  });

  test("is none any more once it was read", () => {
    const read = takeReview(at(failing, 30), LINK, pullRead("open"));
    expect(read.ledger.reviews).toEqual([review()]);
  });

  test.each(["again", "leave"] as const)("and of which a person decided %s is over", (choice) => {
    const later = at(failing, 26);
    const { ledger } = applyDecision(later, { id: `docs:${LINK}`, choice });
    expect(ledger.reviews).toEqual([]);
    expect(ledger.waiting).toHaveLength(choice === "again" ? 1 : 0);
    expect(ledger.done).toHaveLength(choice === "leave" ? 1 : 0);
  });
});

describe("a docs pull request that is not on this GitHub, or that the token may not read", () => {
  test("counts as open for seven days after its job first ended, and never as not documented", () => {
    const week = readBy("unread", 1, 7 * 24);
    expect(week.ledger.reviews).toMatchObject([{ unread: { isPassing: false } }]);
    expect(undecidedEntries(week)).toEqual([]);
    const over = readBy("unread", 1, 7 * 24 + 1);
    expect(over.ledger).toMatchObject({ reviews: [], done: [{ result: "unread" }] });
    expect(over.ledger.days).toEqual({ "2026-11-20": { documented: 0, not: 0, unseen: 1 } });
  });

  test("counts so from the end of the job, whatever follow-ups came later", () => {
    const later = at(readBy("unread", 1), 6 * 24);
    const followed = addReview(later, { ...review(), changes: [change(1)] });
    expect(followed.ledger.reviews).toMatchObject([{ endedAt: AT, changes: [{}, {}] }]);
  });
});

describe("a docs pull request that was closed without merging", () => {
  const begun = revision({ ...EMPTY, reviews: [review()] });

  test("by land or a bot needs a decision", () => {
    const closed = takeReview(begun, LINK, pullRead("closed"), "stale[bot]");
    expect(closed.ledger).toMatchObject({ reviews: [], done: [], days: {} });
    expect(undecidedEntries(closed)).toMatchObject([
      { id: `docs:${LINK}`, batch: { reason: { code: "docs-pull-closed", by: "stale[bot]" } } },
    ]);
    const again = applyDecision(closed, { id: `docs:${LINK}`, choice: "again" });
    expect(waiting(again)).toEqual([[["1#9"], 1]]);
    const left = applyDecision(closed, { id: `docs:${LINK}`, choice: "leave" });
    expect(left.ledger).toMatchObject({ batches: [], done: [{ result: "closed", prLink: LINK }] });
  });

  test("by land or a bot, and was reopened, needs none any more", () => {
    const closed = takeReview(begun, LINK, pullRead("closed"), "land");
    expect(endedUnmerged(closed.ledger)).toEqual([LINK]);
    const documented = { jobId: "job", changes: [] };
    const reopened = takeReopened(closed, LINK, "open", documented);
    expect(reopened.ledger).toMatchObject({ batches: [], days: {} });
    expect(reopened.ledger.reviews).toEqual([review()]);
  });

  test("by a person can be handed over again, with all of its changes, once", () => {
    const changes = Array.from({ length: 12 }, (_, nth) => change(nth));
    const many = revision({ ...EMPTY, reviews: [review({ changes })] });
    const closed = takeReview(many, LINK, pullRead("closed"));
    const tick = { id: `docs:${LINK}`, choice: "again" } as const;
    const again = applyDecision(closed, tick);
    expect(waiting(again)).toEqual([[changes.map(({ key }) => key), 1]]);
    expect(again.ledger).toMatchObject({ done: [], days: { "2026-11-20": { not: 0 } } });
    expect(applyDecision(again, tick)).toBe(again);
    const left = { ...tick, choice: "leave" } as const;
    expect(applyDecision(closed, left)).toBe(closed);
  });
});

describe("a docs pull request that had ended", () => {
  const documented = { jobId: "job", changes: [change(9), change(10)] };
  const other = review({ prLink: `${LINK}1`, jobId: "other" });
  const both = revision({ ...EMPTY, reviews: [review({ changes: documented.changes }), other] });
  const closed = takeReview(both, LINK, pullRead("closed"));

  test("and was reopened is the oldest in review, and its changes count no more as not documented", () => {
    expect(closed.ledger.days).toEqual({ "2026-11-20": { documented: 0, not: 2, unseen: 0 } });
    const { ledger, events } = takeReopened(closed, LINK, "open", documented);
    expect(ledger.reviews).toEqual([review({ changes: documented.changes }), other]);
    expect(ledger).toMatchObject({
      done: [],
      days: { "2026-11-20": { documented: 0, not: 0, unseen: 0 } },
    });
    expect(events.at(-1)).toBe(`Docs pull request ${LINK} was reopened`);
  });

  test("and was merged after all counts as documented", () => {
    const { ledger } = takeReopened(closed, LINK, "merged", documented);
    expect(ledger).toMatchObject({
      reviews: [other],
      done: [{ result: "merged" }],
      days: { "2026-11-20": { documented: 2, not: 0, unseen: 0 } },
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
