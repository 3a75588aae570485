/** Records the results of acts on docs pull requests in the ledger. Pure. */

import { timeText } from "../ledger/file.ts";
import { type ActResult, intentIdOf, type LandActKey } from "./acts.ts";
import { afterEnd, expireBuilds, holdsBuild, recordBuild } from "./build.ts";
import type { LandInputs } from "./inputs.ts";
import type { Entry, LandLedger, LandRevision } from "./ledger.ts";
import { entryAfter } from "./results.ts";
import { endPull, withEntry } from "./revision.ts";

const UNCERTAIN = {
  type: "uncertain",
  reason: "The run ended before it could record what the service answered",
} as const;

function record(
  from: LandRevision,
  { type, id }: LandActKey,
  result: ActResult,
  now: number,
  inputs: Pick<LandInputs, "deploy">,
): LandRevision {
  if (type === "build") return recordBuild(from, id, result);
  const entry = intendedEntry(from.ledger, id);
  if (entry === undefined) return from;
  if (result.type === "merged" || result.type === "closed") {
    const ended = endPull(from, entry, result.type, timeText(now), now);
    return afterEnd(ended, entry, result.type, inputs);
  }
  const after = entryAfter(entry, type, result);
  return withEntry(from, after, sentEvent(entry, after));
}

/**
 * How the result of an act is recorded. Only for the intent that the act belongs to: if another run has ended it, the
 * result is uncertain for good.
 *
 * @param inputs whether a merge makes a build due
 */
export function recordBy(inputs: Pick<LandInputs, "deploy">) {
  /** @param now GitHub's time, in milliseconds since 1970 */
  return (from: LandRevision, act: LandActKey, result: ActResult, now: number) =>
    record(from, act, result, now, inputs);
}

function intendedEntry({ open }: LandLedger, id: string): Entry | undefined {
  return open.find(({ intent, url }) => intent !== null && intentIdOf(intent.decision, url) === id);
}

/** Ends the intents of dead runs. Their follow-ups may have been sent, so they count as sent. */
export function expire(from: LandRevision, isDead: (writtenAt: string) => boolean): LandRevision {
  const living = expireBuilds(from, isDead);
  return living.ledger.open.reduce((before, entry) => {
    if (entry.intent === null || !isDead(entry.intent.at)) return before;
    const after = { ...entryAfter(entry, "follow-up", UNCERTAIN), intent: null };
    return withEntry(before, after, sentEvent(entry, after));
  }, living);
}

/** For the message of the commit, if a follow-up was added; otherwise null. */
function sentEvent(before: Entry, after: Entry): string | null {
  const sent = after.followUps[before.followUps.length];
  if (sent === undefined) return null;
  return `${sent.isUncertain ? "May have sent" : "Sent"} a follow-up: ${after.url}`;
}

/** Whether the ledger holds the intent of an act. */
export function holds(ledger: LandLedger, { type, id }: LandActKey): boolean {
  if (type === "build") return holdsBuild(ledger, id);
  return intendedEntry(ledger, id) !== undefined;
}
