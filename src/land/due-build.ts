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
  return withFields(from, { unbuilt: [...from.ledger.unbuilt, { url, tries: 0, intent: own }] });
}

/** How often a build is asked for before a person has to look. */
const MOST_TRIES = 3;

/**
 * Adds the act that starts a build, if a merge waits for one, or the run is about to merge something.
 *
 * @param isByHand whether a person started the run: then a build is asked for however often that was in vain
 */
export function withBuild(
  from: Revision<LandLedger>,
  acts: readonly LandAct[],
  { now, name: decision }: Moment,
  isByHand: boolean,
): { readonly revision: Revision<LandLedger>; readonly acts: readonly LandAct[] } {
  const isDue = from.ledger.unbuilt.some(
    ({ intent, tries }) => intent === null && (isByHand || tries < MOST_TRIES),
  );
  if (!isDue && !acts.some(({ type }) => type === "merge")) return { revision: from, acts };
  const own = { decision, at: timeText(now) };
  const unbuilt = from.ledger.unbuilt.map(({ intent, ...merge }) => {
    return { ...merge, intent: intent ?? own };
  });
  const revision = isDue
    ? withFields(from, { unbuilt }, "Start a build of the documentation")
    : from;
  return { revision, acts: [...acts, { type: "build", id: decision, isDue }] };
}

/** Nothing is owed any more if builds are not asked for. */
export function withoutBuilds(from: Revision<LandLedger>): Revision<LandLedger> {
  return from.ledger.unbuilt.length === 0 ? from : withFields(from, { unbuilt: [] });
}

/** What a person has to do about builds that were asked for in vain. */
export function buildWarnings({ unbuilt }: LandLedger): string[] {
  const isLost = unbuilt.some(({ intent, tries }) => intent === null && tries >= MOST_TRIES);
  if (!isLost) return [];
  return [
    `The documentation was merged, and the service has not confirmed a build of it ${MOST_TRIES} times. ` +
      "Run this workflow by hand (`workflow_dispatch`) to ask again. To build it elsewhere, set `deploy: false`.",
  ];
}

/** Records what came of a build. If it was not started, or may not have been, a later run asks again. */
export function recordBuild(
  from: Revision<LandLedger>,
  id: string,
  delivery: Delivery<LandValue>,
): Revision<LandLedger> {
  if (!hasBuildIntent(from.ledger, id)) return from;
  const isStarted = delivery.type === "accepted" && delivery.value.type === "started";
  if (!isStarted) {
    const isBegun = delivery.type !== "not-sent" || delivery.code === "unreached";
    return withoutIntents(from, ({ decision }) => decision === id, isBegun ? 1 : 0);
  }
  const unbuilt = from.ledger.unbuilt.filter(({ intent }) => intent?.decision !== id);
  return withFields(from, { unbuilt }, "Started a build of the documentation");
}

/** Ends the intents of dead runs. A second build replaces the first, so that the next run may start one again. */
export function expireBuilds(
  from: Revision<LandLedger>,
  isDead: (writtenAt: string) => boolean,
): Revision<LandLedger> {
  return withoutIntents(from, ({ at }) => isDead(at), 1);
}

/** Whether the ledger holds the intent of a build. */
export function hasBuildIntent({ unbuilt }: LandLedger, id: string): boolean {
  return unbuilt.some(({ intent }) => intent?.decision === id);
}

function withoutIntents(
  from: Revision<LandLedger>,
  isOver: (intent: { readonly decision: string; readonly at: string }) => boolean,
  tried: 0 | 1,
): Revision<LandLedger> {
  const { unbuilt } = from.ledger;
  if (!unbuilt.some(({ intent }) => intent !== null && isOver(intent))) return from;
  return withFields(from, {
    unbuilt: unbuilt.map((merge) => {
      if (merge.intent === null || !isOver(merge.intent)) return merge;
      return { ...merge, tries: merge.tries + tried, intent: null };
    }),
  });
}
