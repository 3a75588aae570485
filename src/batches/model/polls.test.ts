import { describe, expect, test } from "vitest";
import {
  change,
  doneDraft,
  EMPTY,
  HOUR,
  jobOf,
  LINK,
  MINUTE,
  NOW,
  polled,
  review,
  revision,
  running,
  runningBatch,
  waiting,
} from "../../../test/support/ledger-examples.ts";
import { applyDecision } from "./decisions.ts";
import { takeMerged } from "./drafts.ts";
import { takeFollowed } from "./followed.ts";
import { polledBatches, takePoll } from "./polls.ts";
import { activeBatches, type BatchRevision, openBatches } from "./revision.ts";
import { undecidedBatches } from "./undecided.ts";

const DAY = 24 * HOUR;

/** The same ledger after a time. */
function laterBy({ ledger }: BatchRevision, time: number): BatchRevision {
  return revision(ledger, { now: NOW + time });
}

describe("a job that the service does not know", () => {
  const at = (time: number, from = revision(running())) =>
    takePoll(laterBy(from, time), "b", polled("unknown"));

  test("counts as running until two polls half an hour apart say so, the first ten minutes after it was accepted", () => {
    expect(at(9 * MINUTE).ledger).toEqual(running());
    const first = at(11 * MINUTE);
    const soon = at(40 * MINUTE, first);
    for (const { ledger } of [first, soon])
      expect(ledger.batches).toMatchObject([{ state: "running" }]);
    const last = at(41 * MINUTE, soon);
    expect(last.ledger.batches).toMatchObject([{ reason: { code: "job-unknown", jobId: "job" } }]);
    expect(undecidedBatches(last)).toHaveLength(1);
    expect(waiting(last)).toEqual([]);
  });

  test("counts anew once a poll has found it", () => {
    const found = takePoll(laterBy(at(11 * MINUTE), HOUR), "b", polled("running"));
    expect(found.ledger).toEqual(running());
  });

  test("is polled on for a week, and what it still does counts", () => {
    const unknown = at(41 * MINUTE, at(11 * MINUTE));
    const later = laterBy(unknown, 6 * DAY);
    expect(polledBatches(later)).toHaveLength(1);
    expect(polledBatches(laterBy(unknown, 8 * DAY))).toEqual([]);
    expect(takePoll(later, "b", polled("unknown"))).toBe(later);
    expect(takePoll(later, "b", polled("running")).ledger.batches).toMatchObject([
      { state: "running" },
    ]);
    const { ledger } = takePoll(later, "b", polled("completed", LINK));
    expect(ledger).toMatchObject({ batches: [], reviews: [{ prLink: LINK }] });
  });

  test("while none of the polled jobs is known, is unknown only after its deadline", () => {
    const alone = (time: number, from: BatchRevision) =>
      takePoll(laterBy(from, time), "b", polled("unknown"), { isAnyFound: false });
    const first = alone(HOUR, revision(running()));
    expect(alone(DAY, first).ledger.batches).toMatchObject([{ state: "running" }]);
    expect(alone(DAY + MINUTE, first).ledger.batches).toMatchObject([{ state: "failed" }]);
  });
});

describe("a job without a docs pull request", () => {
  test("that completed is polled a second time, and holds nobody up until then", () => {
    const once = takePoll(revision(running()), "b", polled("completed"));
    expect(activeBatches(once)).toEqual([]);
    expect(openBatches(once)).toHaveLength(1);
    const soon = takePoll(laterBy(once, MINUTE - 1), "b", polled("completed"));
    expect(soon.ledger).toEqual(once.ledger);
    const late = takePoll(laterBy(once, MINUTE), "b", polled("completed", LINK));
    expect(late.ledger).toMatchObject({ batches: [], reviews: [{ prLink: LINK }] });
    const none = takePoll(laterBy(once, MINUTE), "b", polled("completed"));
    expect(none.ledger).toMatchObject({ batches: [], done: [{ result: "none" }] });
  });

  test("that was archived needs a decision, and a link that comes late is taken", () => {
    const archived = takePoll(revision(running()), "b", polled("archived"));
    expect(archived.ledger).toMatchObject({
      batches: [{ state: "failed", reason: { code: "archived" } }],
      done: [],
      waiting: [],
      failures: { inRow: [] },
    });
    expect(takePoll(archived, "b", polled("archived")).ledger).toEqual(archived.ledger);
    const late = takePoll(laterBy(archived, HOUR), "b", polled("archived", LINK));
    expect(late.ledger).toMatchObject({ batches: [], reviews: [{ prLink: LINK }] });
  });

  test("whose link is not safe to show needs a decision", () => {
    const poll = polled("completed", null, { hasHiddenPull: true });
    const { ledger } = takePoll(revision(running()), "b", poll);
    expect(ledger.batches).toMatchObject([{ reason: { code: "hidden-pull" } }]);
  });

  test("that a run waited for was polled twice", () => {
    const context = { isPolledTwice: true };
    const { ledger } = takePoll(revision(running()), "b", polled("completed"), context);
    expect(ledger.done).toMatchObject([{ result: "none" }]);
  });

  test("that took a follow-up has the one that is in review", () => {
    const before = { ...running(1, { isFollowUp: true }), reviews: [review()] };
    const { ledger } = takePoll(revision(before), "b", polled("completed"));
    expect(ledger).toMatchObject({ batches: [], done: [], reviews: [{ prLink: LINK }] });
  });
});

test("a job at work past the deadline needs a decision, does not hold up other batches, and its late end is recorded", () => {
  const late = laterBy(revision(running()), DAY + HOUR);
  const polledOnce = takePoll(late, "b", polled("running"));
  expect(undecidedBatches(polledOnce)).toEqual(polledOnce.ledger.batches);
  expect(undecidedBatches(polledOnce)).toHaveLength(1);
  expect(activeBatches(polledOnce)).toEqual([]);
  const { ledger } = takePoll(polledOnce, "b", polled("completed", LINK));
  expect(ledger).toMatchObject({ batches: [], reviews: [{ prLink: LINK }] });
});

describe("a job that a person no longer waited for", () => {
  const decided = (choice: "again" | "leave") =>
    applyDecision(laterBy(revision(running(1)), DAY + HOUR), { id: "b late", choice });

  test.each(["completed", "archived"] as const)("is followed until it is %s", (end) => {
    const again = decided("again");
    expect(again.ledger.followed).toMatchObject([{ id: "b", decision: "again" }]);
    expect(takeFollowed(again, "b", polled("running")).ledger).toEqual(again.ledger);
    const { ledger, history, events } = takeFollowed(again, "b", polled(end, LINK));
    expect(ledger).toMatchObject({ followed: [], reviews: [{ prLink: LINK, changes: [] }] });
    expect(ledger.reviews[0]?.others).toEqual([change(1)]);
    expect(history.at(-1)).toMatchObject({ batch: "b", state: "late", prLink: LINK });
    expect(events.at(-1)).toBe("Job job completed late: docs pull request #7");
    expect(waiting({ ...again, ledger })).toEqual([[["1#1"], 1]]);
  });

  test("and whose changes were left counts again by its docs pull request", () => {
    const left = decided("leave");
    expect(left.ledger.days).toEqual({ "2026-11-20": { documented: 0, not: 1, unseen: 0 } });
    const { ledger } = takeFollowed(left, "b", polled("completed", LINK));
    expect(ledger).toMatchObject({ done: [], reviews: [{ changes: [change(1)], others: [] }] });
    expect(ledger.days).toEqual({ "2026-11-20": { documented: 0, not: 0, unseen: 0 } });
  });

  test("is followed no more once it failed, or has no docs pull request in a second poll", () => {
    const again = decided("again");
    expect(takeFollowed(again, "b", polled("failed", LINK)).ledger.followed).toEqual([]);
    const once = takeFollowed(again, "b", polled("completed"));
    expect(once.ledger.followed).toHaveLength(1);
    const later = revision(once.ledger, { now: again.now + MINUTE });
    expect(takeFollowed(later, "b", polled("completed")).ledger.followed).toEqual([]);
  });

  test("is polled on if the service does not know it", () => {
    const again = decided("again");
    expect(takeFollowed(again, "b", polled("unknown"))).toBe(again);
  });

  test("shows nothing new by a docs pull request that has ended since its follow-up", () => {
    const late = laterBy(revision(running(1, { isFollowUp: true })), DAY + HOUR);
    const again = applyDecision(late, { id: "b late", choice: "again" });
    const { ledger } = takeFollowed(again, "b", polled("completed", LINK));
    expect(ledger).toMatchObject({ followed: [], reviews: [] });
  });
});

test("a draft whose job is unknown or archived needs a decision once its pull request is merged", () => {
  const drafts = [runningBatch("d", [change(1)])];
  const archived = takePoll(revision({ ...EMPTY, drafts }), "d", polled("archived"));
  const merged = takeMerged(archived, change(1), "a");
  expect(merged.isTaken).toBe(true);
  expect(undecidedBatches(merged.revision)).toMatchObject([{ reason: { code: "archived" } }]);
});

test("a draft that completed without a docs pull request is done after a second poll", () => {
  const drafts = [runningBatch("d", [change(1)])];
  const once = takePoll(revision({ ...EMPTY, drafts }), "d", polled("completed"));
  expect(once.ledger.drafts).toMatchObject([{ state: "running" }]);
  const twice = takePoll(laterBy(once, MINUTE), "d", polled("completed"));
  const job = jobOf("job-d", { withoutPullSince: "2026-11-22T12:00:00Z" });
  expect(twice.ledger.drafts).toEqual([doneDraft("d", [change(1)], job)]);
});
