/** Records what came of acts on docs pull requests in the ledger. Pure. */

import { type Revision, timeText } from "../ledger/file.ts";
import type { ActKey } from "../ledger/program.ts";
import { type Delivery, isOfProject } from "../runtime/delivery.ts";
import { clause } from "../text/sentence.ts";
import { intentIdOf, type LandValue } from "./acts.ts";
import { afterEnd, expireBuilds, hasBuildIntent, recordBuild } from "./due-build.ts";
import type { LandInputs } from "./inputs.ts";
import type { LandLedger, PullEntry } from "./ledger.ts";
import { isMerging, type Merging } from "./merge-state.ts";
import type { LandReason } from "./reasons.ts";
import { endPull, withEntry } from "./tracking.ts";
import { isUndone, type UndoneCode } from "./waits.ts";

const UNCERTAIN: Delivery<LandValue> = {
  type: "uncertain",
  reason: "The run ended before it could record what the service answered",
  error: null,
};

/**
 * Records what came of an act, only for the intent that it belongs to: if another run has ended it, that is uncertain
 * for good. May be applied twice.
 *
 * @param now GitHub's time, in milliseconds since 1970
 * @param inputs whether a merge makes a build due
 */
export function recordLandAct(
  from: Revision<LandLedger>,
  { type, id }: ActKey,
  delivery: Delivery<LandValue>,
  now: number,
  inputs: LandInputs,
): Revision<LandLedger> {
  if (type === "build") return recordBuild(from, id, delivery);
  const entry = intendedEntry(from.ledger, id);
  if (entry === undefined) return from;
  const after = entryAfter(entry, type, delivery);
  const end = endBy(delivery) ?? (type === "explain" && isOver(delivery) ? "closed" : null);
  // Until its comment says how to continue, one that was closed is not over.
  if (end !== null && after.closing === null) {
    const by = { state: end, isByLand: true, endedAt: timeText(now) };
    return afterEnd(endPull(from, after, by, now), entry, end, inputs);
  }
  return withEntry(from, after, sentEvent(entry, after));
}

/** The end of a docs pull request by an act; null if it did not end it. */
export function endBy(delivery: Delivery<LandValue>): "merged" | "closed" | null {
  if (delivery.type !== "accepted") return null;
  const { type } = delivery.value;
  return type === "merged" || type === "closed" ? type : null;
}

/** Whether the same act would come to nothing again. */
function isOver({ type }: Delivery<LandValue>): boolean {
  return type === "accepted" || type === "refused";
}

function intendedEntry({ open }: LandLedger, id: string): PullEntry | undefined {
  return open.find(({ intent, url }) => intent !== null && intentIdOf(intent.decision, url) === id);
}

/** Ends the intents of dead runs. Their follow-ups may have been sent, so they count as sent. */
export function expireLandIntents(
  from: Revision<LandLedger>,
  isDead: (writtenAt: string) => boolean,
): Revision<LandLedger> {
  const living = expireBuilds(from, isDead);
  return living.ledger.open.reduce((before, entry) => {
    if (entry.intent === null || !isDead(entry.intent.at)) return before;
    const after = { ...entryAfter(entry, "follow-up", UNCERTAIN), intent: null };
    return withEntry(before, after, sentEvent(entry, after));
  }, living);
}

/** For the message of the commit, if a follow-up was added; otherwise null. */
function sentEvent(before: PullEntry, after: PullEntry): string | null {
  const sent = after.followUps[before.followUps.length];
  if (sent === undefined) return null;
  return `${sent.isUncertain ? "May have sent" : "Sent"} a follow-up: ${after.url}`;
}

export function hasIntent(ledger: LandLedger, { type, id }: ActKey): boolean {
  if (type === "build") return hasBuildIntent(ledger, id);
  return intendedEntry(ledger, id) !== undefined;
}

/** An entry after an act, as far as an open docs pull request is concerned. Applied twice, it changes nothing more. */
export function entryAfter(
  entry: PullEntry,
  type: string,
  delivery: Delivery<LandValue>,
): PullEntry {
  return isAction(type) ? afterTry(entry, type, delivery) : afterAct(entry, type, delivery);
}

/** Whether an act or a decision changes the pull request or the work on it. */
export function isAction(type: string): boolean {
  return isMerging(type) || type === "follow-up" || type === "close";
}

/** Since when what is decided does not work out. */
function afterTry(entry: PullEntry, type: string, delivery: Delivery<LandValue>): PullEntry {
  const { intent, waiting } = entry;
  const after = afterAct(entry, type, delivery);
  const code = undoneCode(type, delivery);
  if (code === null) return isUndone(after.waiting) ? { ...after, waiting: null } : after;
  const from = isUndone(waiting) ? waiting.from : intent?.at;
  return from === undefined ? after : { ...after, waiting: { code, from } };
}

/** Why the next run tries the same again, if nothing changes; null if it does not. */
function undoneCode(type: string, delivery: Delivery<LandValue>): UndoneCode | null {
  switch (delivery.type) {
    case "busy":
      return "job-busy";
    case "limited":
      return "not-done";
    case "uncertain":
      return type === "follow-up" ? null : "not-done";
    case "not-sent":
      return delivery.code === "unreached" ? "not-done" : null;
    case "accepted":
    case "refused":
      return null;
  }
}

function afterAct(entry: PullEntry, type: string, delivery: Delivery<LandValue>): PullEntry {
  switch (type) {
    case "follow-up":
      return afterFollowUp(entry, delivery);
    case "release":
      return { ...entry, intent: null };
    case "merge":
    case "enqueue":
    case "update":
    case "close":
      return afterAttempt(entry, type, delivery);
    case "explain":
      return isOver(delivery) ? { ...entry, closing: null } : entry;
    case "preview":
      return afterPreview(entry, delivery);
    case "comment":
    case "remind": {
      if (delivery.type !== "refused") return afterValue(entry, delivery);
      if (delivery.by === "state") return { ...entry, isClosedToComments: true };
      // Reviewers are reminded once, and nothing waits for a reminder that GitHub refuses.
      return type === "remind" ? { ...entry, isReminded: true } : entry;
    }
    default:
      return afterValue(entry, delivery);
  }
}

function afterValue(entry: PullEntry, delivery: Delivery<LandValue>): PullEntry {
  if (delivery.type !== "accepted") return entry;
  const { value } = delivery;
  switch (value.type) {
    case "set-up": {
      const asked = [...new Set([...entry.asked, ...value.asked])];
      return { ...entry, isSetUp: value.isComplete, asked };
    }
    case "preview":
      return { ...entry, preview: value.preview };
    case "queued":
      return { ...entry, queued: value.head, needs: null };
    case "updated":
      return afterUpdate(entry, value.head);
    case "reminded":
      return { ...entry, isReminded: true };
    case "commented":
      return { ...entry, comment: { digest: value.digest } };
    default:
      return entry;
  }
}

function afterUpdate(entry: PullEntry, head: string): PullEntry {
  const { updated, headAt } = entry;
  if (updated.some((update) => update.head === head)) return entry;
  return { ...entry, updated: [...updated, { head, headAt }], needs: null };
}

function afterAttempt(
  entry: PullEntry,
  type: Merging | "close",
  delivery: Delivery<LandValue>,
): PullEntry {
  if (delivery.type === "accepted") return afterValue(entry, delivery);
  if (delivery.type === "uncertain") return entry;
  return afterNoAttempt({ ...entry, closing: null }, type, delivery);
}

function afterNoAttempt(
  entry: PullEntry,
  type: Merging | "close",
  delivery: Delivery<LandValue>,
): PullEntry {
  if (delivery.type === "not-sent" && delivery.code === "changed") return { ...entry, needs: null };
  if (delivery.type !== "refused") return entry;
  const { intent, waiting } = entry;
  if (intent === null || intent.circumstances === null) return entry;
  const { at, circumstances } = intent;
  const reason = refusedAttempt(type, delivery.error.problem);
  const act = type === "close" ? "close" : "merge";
  // Refused again, it has waited since the first time.
  const { code } = reason;
  const from = waiting?.code === code ? waiting.from : at;
  const isOfState = delivery.by === "state";
  const refused = { act, at, circumstances, isOfState, reason } as const;
  return { ...entry, needs: reason, refused, waiting: { code, from } };
}

/** @param said a sentence, or the end of one: what GitHub says */
export function refusedAttempt(type: Merging | "close", said: string): LandReason {
  const words = clause(said);
  switch (type) {
    case "merge":
      return { code: "merge-refused", words };
    case "enqueue":
      return { code: "queue-refused", words };
    case "update":
      return { code: "update-refused", words };
    case "close":
      return { code: "close-refused", words };
  }
}

/** A preview that the service refuses is requested again for new commits. */
function afterPreview(entry: PullEntry, delivery: Delivery<LandValue>): PullEntry {
  if (delivery.type !== "refused" || isOfProject(delivery)) return afterValue(entry, delivery);
  const { lastRead } = entry;
  if (lastRead === null) return entry;
  const words = delivery.error.problem;
  return { ...entry, preview: { head: lastRead.head, state: "refused", words } };
}

/** The intended follow-up is taken out, so that it counts once. */
function afterFollowUp(entry: PullEntry, delivery: Delivery<LandValue>): PullEntry {
  const { intent, followUps, sent } = entry;
  if (intent === null || intent.followUp === null) return entry;
  const { about, head, problems } = intent.followUp;
  const after = { ...entry, intent: { ...intent, followUp: null } };
  switch (delivery.type) {
    case "accepted":
    case "uncertain": {
      const isUncertain = delivery.type === "uncertain";
      const followUp = { at: intent.at, about, head, isUncertain };
      return { ...after, followUps: [...followUps, followUp], sent: [...sent, ...problems] };
    }
    case "refused":
      if (isOfProject(delivery)) return after;
      return {
        ...after,
        isClosedToFollowUps: true,
        needs: { code: "job-takes-none", problems: about },
      };
    case "limited":
    case "busy":
    case "not-sent":
      return after;
  }
}
