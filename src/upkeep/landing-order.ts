/** The order in which changes landed, whatever the dates in their commits are. */

import type { LandedChange } from "../github/changes/landed-changes.ts";
import { timeText } from "../ledger/file.ts";

/**
 * The changes of a branch with the times at which they landed, none before the one before it. Whoever commits chooses
 * the date of a commit: one without a pull request landed after what is before it, and before what is behind it.
 *
 * @param from when what is before them had landed; null if that is not known
 */
export function inLandingOrder(
  landed: readonly LandedChange[],
  from: string | null,
  { now }: { readonly now: number },
): LandedChange[] {
  let latest = now;
  const times = landed.toReversed().map(({ details, pull }) => {
    const at = Date.parse(details.change.landedAt) || 0;
    if (pull !== undefined) latest = Math.min(latest, at);
    return pull === undefined ? Math.min(at, latest) : at;
  });
  let at = from === null ? 0 : Date.parse(from) || 0;
  return landed.map((one, nth) => {
    at = Math.max(at, times.at(-1 - nth) ?? 0);
    const { change } = one.details;
    if (at === Date.parse(change.landedAt)) return one;
    return { ...one, details: { ...one.details, change: { ...change, landedAt: timeText(at) } } };
  });
}
