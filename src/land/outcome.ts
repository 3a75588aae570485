/** What came of the acts on a docs pull request, for what is said about it. Pure. */

import type { Done } from "../ledger/program.ts";
import { isOfProject } from "../runtime/delivery.ts";
import type { LandTerms, LandValue } from "./acts.ts";
import type { PullDecision } from "./decide.ts";
import type { PullEntry } from "./ledger.ts";
import { isMerging } from "./merge-state.ts";
import type { TrackedPull } from "./plan.ts";
import { countsOf } from "./problems.ts";
import type { LandReason } from "./reasons.ts";
import { endBy, entryAfter, isAction, refusedAttempt } from "./record.ts";
import { waitFor } from "./waits.ts";

/** An entry after the acts on its docs pull request. */
export function entryAfterAll(entry: PullEntry, done: readonly Done<LandTerms>[]): PullEntry {
  return done.reduce((before, { act, delivery }) => entryAfter(before, act.type, delivery), entry);
}

/**
 * A decision after the acts on its docs pull request: what is said in its place if it did not work out.
 *
 * @param waiting what it waits for after them
 * @param now GitHub's time, in milliseconds since 1970
 */
export function decisionAfter(
  decision: PullDecision,
  done: readonly Done<LandTerms>[],
  { waiting }: PullEntry,
  now: number,
): PullDecision {
  const reason = reasonAfter(decision, done);
  return reason === null ? decision : waitFor(reason, waiting, now);
}

/** Why the decision did not work out; null if it did, or was not tried. */
function reasonAfter(decision: PullDecision, done: readonly Done<LandTerms>[]): LandReason | null {
  const delivery = done.find(({ act }) => act.type === decision.type)?.delivery;
  if (delivery === undefined || !isAction(decision.type)) return null;
  switch (delivery.type) {
    case "accepted":
      return afterValue(delivery.value);
    case "refused":
      return isOfProject(delivery) ? NOT_DONE : refusal(decision, delivery.error.problem);
    case "uncertain":
      return decision.type === "follow-up" ? { code: "maybe-sent" } : NOT_DONE;
    case "not-sent":
      return delivery.code === "changed" ? { code: "not-confirmed" } : NOT_DONE;
    case "limited":
      return NOT_DONE;
    case "busy":
      return { code: "job-busy" };
  }
}

const NOT_DONE: LandReason = { code: "not-done" };

function afterValue({ type }: LandValue): LandReason | null {
  if (type === "queued") return { code: "queued" };
  return type === "updated" ? { code: "updating" } : null;
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

/**
 * @param done the acts on this docs pull request
 * @param now GitHub's time, in milliseconds since 1970
 */
export function reportedPull(
  tracked: TrackedPull,
  done: readonly Done<LandTerms>[],
  now: number,
): ReportedPull {
  const { decision, state } = tracked;
  const entry = entryAfterAll(tracked.entry, done);
  const ended = done.map(({ delivery }) => endBy(delivery)).find((end) => end !== null) ?? null;
  const isSent = done.some(
    ({ act, delivery }) => act.type === "follow-up" && delivery.type === "accepted",
  );
  return {
    ...tracked,
    entry,
    state: ended ?? state,
    decision: isBegun(done) ? decisionAfter(decision, done, entry, now) : decision,
    achieved: ended ?? (isSent ? "sent" : null),
  };
}

/** What was not begun is still to be done, unless it could not be confirmed. */
function isBegun(done: readonly Done<LandTerms>[]): boolean {
  return done.some(({ delivery }) => delivery.type !== "not-sent" || delivery.code === "changed");
}
