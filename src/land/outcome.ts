/** What came of the acts on a docs pull request, for what is said about it. Pure. */

import type { Done } from "../ledger/program.ts";
import type { LandTerms, LandValue } from "./acts.ts";
import type { PullDecision } from "./decide.ts";
import type { PullEntry } from "./ledger.ts";
import { isMerging } from "./merge-state.ts";
import type { TrackedPull } from "./plan.ts";
import { countsOf } from "./problems.ts";
import type { LandReason } from "./reasons.ts";
import { endBy, entryAfter, refusedAttempt } from "./record.ts";

/** Whether a decision changes the pull request or the work on it. */
export function isAction({ type }: PullDecision): boolean {
  return isMerging(type) || type === "follow-up" || type === "close";
}

/** An entry after the acts on its docs pull request. */
export function entryAfterAll(entry: PullEntry, done: readonly Done<LandTerms>[]): PullEntry {
  return done.reduce((before, { act, delivery }) => entryAfter(before, act.type, delivery), entry);
}

/** A decision after the acts on its docs pull request: what is said in its place if it did not work out. */
export function decisionAfter(
  decision: PullDecision,
  done: readonly Done<LandTerms>[],
): PullDecision {
  const delivery = done.find(({ act }) => act.type === decision.type)?.delivery;
  if (delivery === undefined || !isAction(decision)) return decision;
  switch (delivery.type) {
    case "accepted":
      return afterValue(decision, delivery.value);
    case "refused":
      return waiting(delivery.by === "key" ? NOT_DONE : refusal(decision, delivery.error.problem));
    case "uncertain":
      return waiting(decision.type === "follow-up" ? { code: "maybe-sent" } : NOT_DONE);
    case "not-sent":
      return waiting(delivery.code === "changed" ? { code: "not-confirmed" } : NOT_DONE);
    case "limited":
    case "busy":
      return waiting(NOT_DONE);
  }
}

const NOT_DONE: LandReason = { code: "not-done" };

function waiting(reason: LandReason): PullDecision {
  return { type: "wait", reason, isReminder: false };
}

function afterValue(decision: PullDecision, { type }: LandValue): PullDecision {
  if (type === "queued") return waiting({ code: "queued" });
  return type === "updated" ? waiting({ code: "updating" }) : decision;
}

/** @param words of the refusal */
function refusal(decision: PullDecision, words: string): LandReason {
  if (decision.type === "follow-up") {
    return { code: "job-takes-none", problems: countsOf(decision.problems) };
  }
  const { type } = decision;
  return isMerging(type) || type === "close" ? refusedAttempt(type, words) : NOT_DONE;
}

/** A docs pull request at the end of a run. */
export interface ReportedPull extends TrackedPull {
  /** What this run did to it; null for none of these. */
  readonly achieved: "merged" | "closed" | "sent" | null;
}

/** @param done the acts on this docs pull request */
export function reportedPull(tracked: TrackedPull, done: readonly Done<LandTerms>[]): ReportedPull {
  const { entry, decision, state } = tracked;
  const ended = done.map(({ delivery }) => endBy(delivery)).find((end) => end !== null) ?? null;
  const isSent = done.some(
    ({ act, delivery }) => act.type === "follow-up" && delivery.type === "accepted",
  );
  return {
    ...tracked,
    entry: entryAfterAll(entry, done),
    state: ended ?? state,
    decision: isBegun(done) ? decisionAfter(decision, done) : decision,
    achieved: ended ?? (isSent ? "sent" : null),
  };
}

/** What was not begun is still to be done, unless it could not be confirmed. */
function isBegun(done: readonly Done<LandTerms>[]): boolean {
  return done.some(({ delivery }) => delivery.type !== "not-sent" || delivery.code === "changed");
}
