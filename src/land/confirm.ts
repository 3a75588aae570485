/** Takes the decision on one docs pull request again, right before the run acts on it. */

import { type NotSent, notSent } from "../runtime/delivery.ts";
import { type ConfirmedAct, intentIdOf } from "./acts.ts";
import { type Decided, decide } from "./decide.ts";
import type { LandInputs } from "./inputs.ts";
import type { LandLedger } from "./ledger.ts";
import type { LandReads } from "./reads.ts";

/**
 * The entry holds the intent of this act, which the decision looks past. The files at a head are not read again.
 *
 * @param reads fresh ones
 * @returns null if it is still decided to do the same to the same head and base
 */
export async function confirmAct(
  act: ConfirmedAct,
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

function isSame(act: ConfirmedAct, { decision, entry, pull }: Decided): boolean {
  if (pull === null || pull.head !== act.head || pull.base !== act.base) return false;
  if (decision.type === "follow-up" && act.type === "follow-up") {
    // What has come meanwhile is sent with the next one. What is over is not sent.
    const ids = decision.problems.map(({ id }) => id);
    return act.jobId === entry.jobId && act.problems.every((id) => ids.includes(id));
  }
  if (decision.type === "close" && act.type === "close") return decision.reason.code === act.reason;
  return decision.type === act.type;
}
