/** Merges and closings that GitHub has refused: they are tried again once something has changed. Pure. */

import { DAY } from "../runtime/clock.ts";
import { shortHash } from "../text/short-hash.ts";
import type { PullFacts } from "./facts.ts";
import type { LandInputs } from "./inputs.ts";
import type { Entry, Refused } from "./ledger.ts";

/** After how long it is tried again if nothing seems to have changed: a token may have other permissions now. */
const TRIED_AGAIN = DAY;

/** A hash of what GitHub's refusal may depend on. */
export function circumstancesOf(
  { pull }: Pick<PullFacts, "pull">,
  { mergeMethod }: Pick<LandInputs, "mergeMethod">,
): string {
  const { head, base, isDraft, isLocked, mergeState, isConflicting, lastActivityAt } = pull;
  const checks = pull.checks.map(({ id, state }) => [id, state]);
  const reviews = pull.reviews.map(({ id, state }) => [id, state]);
  const about = [head, base, isDraft, isLocked, mergeState, isConflicting, lastActivityAt];
  return shortHash(JSON.stringify([mergeMethod, about, checks, reviews]));
}

/** Why a merge or closing is not tried again yet, as a sentence; null if it is. */
export function refusedBefore(
  act: Refused["act"],
  { refused }: Entry,
  circumstances: string,
  now: number,
): string | null {
  if (refused === null || refused.act !== act) return null;
  const isSame = refused.circumstances === circumstances;
  return isSame && now - Date.parse(refused.at) < TRIED_AGAIN ? refused.reason : null;
}
