/** In which order a run judges the open pull requests. */

import { HOUR, MINUTE } from "../runtime/clock.ts";
import type { KnownStatus, OpenPull } from "./gate-pull.ts";
import type { GateVerdict } from "./reasons.ts";
import { verdictIn } from "./status.ts";

/** How long a run may take from reading a pull request to setting its status. */
const LONGEST_RUN = 15 * MINUTE;
/** Verdicts that only a change of the pull request can change. */
const FINAL: readonly (GateVerdict | null)[] = ["not-needed", "included"];
/** So many are judged by every run. */
const FEW = 30;
/** Multiples of it fill a circle evenly. */
const GOLDEN = 0.618_033_988_75;
/** Of so many, one is of the rest, so that pull requests which change all the time do not keep it waiting. */
const ONE_IN = 4;

/**
 * The pull requests whose status may have changed: those without a status first, then those where something happened
 * since it was set, then the rest. Where there are more than a run can judge, it begins elsewhere in each hour.
 *
 * @param isEach whether also those that have not changed since their last status
 */
export function sweepOrder(
  open: readonly OpenPull[],
  { isEach, now }: { isEach: boolean; now: number },
): OpenPull[] {
  const mayHaveChanged = ({ status, updatedAt }: OpenPull) =>
    status === null || !isFinal(status) || updatedAt + LONGEST_RUN > status.setAt;
  const candidates = open.filter((pull) => isEach || mayHaveChanged(pull));
  const begun = begunElsewhere(candidates, now);
  const without = begun.filter(({ status }) => status === null);
  const others = begun.filter(({ status }) => status !== null);
  const changed = others.filter(({ status, updatedAt }) => updatedAt > (status?.setAt ?? 0));
  return [...without, ...mixed(changed, others)];
}

function isFinal({ state, description }: KnownStatus): boolean {
  return state === "success" && FINAL.includes(verdictIn(description));
}

function begunElsewhere(pulls: readonly OpenPull[], now: number): OpenPull[] {
  if (pulls.length <= FEW) return [...pulls];
  const start = Math.floor(((Math.floor(now / HOUR) * GOLDEN) % 1) * pulls.length);
  return [...pulls.slice(start), ...pulls.slice(0, start)];
}

/** The first ones come first; one in a few is the next of all. */
function mixed(first: readonly OpenPull[], all: readonly OpenPull[]): OpenPull[] {
  const chosen = new Set<OpenPull>();
  const [early, late] = [[...first], [...all]];
  const nextOf = (list: OpenPull[]) => {
    let next = list.shift();
    while (next !== undefined && chosen.has(next)) next = list.shift();
    return next;
  };
  while (chosen.size < all.length) {
    const isOfRest = chosen.size % ONE_IN === ONE_IN - 1;
    const next = (isOfRest ? undefined : nextOf(early)) ?? nextOf(late);
    if (next === undefined) break;
    chosen.add(next);
  }
  return [...chosen];
}
