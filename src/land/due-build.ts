/** The build of the documentation, which merges make due if `deploy` is set. Pure. */

import { type Revision, timeText, withFields } from "../ledger/file.ts";
import type { Moment } from "../ledger/program.ts";
import type { Delivery } from "../runtime/delivery.ts";
import type { LandAct, LandValue } from "./acts.ts";
import type { LandInputs } from "./inputs.ts";
import type { Ended, LandLedger, PullEntry } from "./ledger.ts";

/** After the end of a docs pull request: with `deploy`, a merge makes a build due. The run that merged it starts it. */
export function afterEnd(
  from: Revision<LandLedger>,
  { url, intent }: PullEntry,
  state: Ended["state"],
  { deploy }: LandInputs,
): Revision<LandLedger> {
  if (!deploy || state !== "merged") return from;
  const own = intent && { decision: intent.decision, at: intent.at };
  return withFields(from, { unbuilt: [...from.ledger.unbuilt, { url, intent: own }] });
}

/** Adds the act that starts a build, if a merge waits for one, or the run is about to merge something. */
export function withBuild(
  from: Revision<LandLedger>,
  acts: readonly LandAct[],
  { now, name: decision }: Moment,
): { readonly revision: Revision<LandLedger>; readonly acts: readonly LandAct[] } {
  const isDue = from.ledger.unbuilt.some(({ intent }) => intent === null);
  if (!isDue && !acts.some(({ type }) => type === "merge")) return { revision: from, acts };
  const own = { decision, at: timeText(now) };
  const unbuilt = from.ledger.unbuilt.map(({ url, intent }) => ({ url, intent: intent ?? own }));
  const revision = isDue
    ? withFields(from, { unbuilt }, "Start a build of the documentation")
    : from;
  return { revision, acts: [...acts, { type: "build", id: decision, isDue }] };
}

/** Records what came of a build. If it was not started, or may not have been, the next run starts one. */
export function recordBuild(
  from: Revision<LandLedger>,
  id: string,
  delivery: Delivery<LandValue>,
): Revision<LandLedger> {
  if (!hasBuildIntent(from.ledger, id)) return from;
  const isStarted = delivery.type === "accepted" && delivery.value.type === "started";
  if (!isStarted) return withoutIntents(from, ({ decision }) => decision === id);
  const unbuilt = from.ledger.unbuilt.filter(({ intent }) => intent?.decision !== id);
  return withFields(from, { unbuilt }, "Started a build of the documentation");
}

/** Ends the intents of dead runs. A second build replaces the first, so that the next run may start one again. */
export function expireBuilds(
  from: Revision<LandLedger>,
  isDead: (writtenAt: string) => boolean,
): Revision<LandLedger> {
  return withoutIntents(from, ({ at }) => isDead(at));
}

/** Whether the ledger holds the intent of a build. */
export function hasBuildIntent({ unbuilt }: LandLedger, id: string): boolean {
  return unbuilt.some(({ intent }) => intent?.decision === id);
}

function withoutIntents(
  from: Revision<LandLedger>,
  isOver: (intent: { readonly decision: string; readonly at: string }) => boolean,
): Revision<LandLedger> {
  const { unbuilt } = from.ledger;
  if (!unbuilt.some(({ intent }) => intent !== null && isOver(intent))) return from;
  return withFields(from, {
    unbuilt: unbuilt.map(({ url, intent }) => {
      return { url, intent: intent === null || isOver(intent) ? null : intent };
    }),
  });
}
