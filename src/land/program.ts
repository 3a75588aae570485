/** Land as a program for the engine, which takes the decision on an act again right before it. */

import type { ConfirmedType, Program } from "../ledger/program.ts";
import { type NotSent, notSent } from "../runtime/delivery.ts";
import { intentIdOf, type LandAct, type LandTerms } from "./acts.ts";
import { type DecidedPull, decide } from "./decide.ts";
import type { LandInputs } from "./inputs.ts";
import type { LandRun } from "./land-run.ts";
import type { LandLedger } from "./ledger.ts";
import { needsMessage } from "./merge-message.ts";
import { Performer, shouldRun } from "./perform.ts";
import { keptReads, type LandReads, landReads } from "./reads.ts";
import { expireLandIntents, hasIntent, recordLandAct } from "./record.ts";

export function landProgram(run: LandRun): Program<LandTerms> {
  const { inputs } = run;
  const performer = new Performer(run);
  const kept = keptReads(run);
  return {
    reads: () => landReads(run, kept),
    confirm: (act, { ledger }, reads) => confirmAct(act, ledger, reads, inputs),
    perform: (act, { done }) => performer.perform(act, done),
    record: (from, act, delivery, now) => recordLandAct(from, act, delivery, now, inputs),
    expire: expireLandIntents,
    hasIntent,
    shouldRun,
  };
}

/**
 * Takes the decision on one docs pull request again. The entry holds the intent of this act, which the decision looks
 * past. The files at a head are not read again.
 *
 * @param reads fresh ones
 * @returns null if it is still decided to do the same to the same head and base
 */
export async function confirmAct(
  act: Extract<LandAct, { type: ConfirmedType }>,
  { open }: LandLedger,
  reads: LandReads,
  rules: LandInputs,
): Promise<NotSent | null> {
  const entry = open.find(({ url }) => url === act.place.url);
  const isOwn = entry?.intent && intentIdOf(entry.intent.decision, entry.url) === act.id;
  if (entry === undefined || !isOwn) return notSent("changed");
  const decided = await decide({ ...entry, intent: null }, reads, rules);
  return isSame(act, decided) ? null : notSent("changed");
}

function isSame(
  act: Parameters<typeof confirmAct>[0],
  { decision, entry, pull }: DecidedPull,
): boolean {
  if (pull === null || pull.head !== act.head || pull.base !== act.base) return false;
  if (decision.type === "follow-up" && act.type === "follow-up") {
    // What has come meanwhile is sent with the next one. What is over is not sent.
    const ids = decision.problems.map(({ id }) => id);
    return act.jobId === entry.jobId && act.problems.every((id) => ids.includes(id));
  }
  const isMarked = act.type === "merge" && act.message === null && needsMessage(pull, act.method);
  if (isMarked) return false;
  if (decision.type === "close" && act.type === "close") return decision.reason.code === act.reason;
  return decision.type === act.type;
}
