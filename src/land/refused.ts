/** Merges and closings that GitHub has refused: they are tried again once something has changed. Pure. */

import type { DocsPull } from "../github/changes/docs-pull.ts";
import { shortHash } from "../text/short-hash.ts";
import type { LandInputs } from "./inputs.ts";
import type { Entry, Refused } from "./ledger.ts";
import { longestWait, type Reason } from "./reasons.ts";

/** A hash of what GitHub's refusal may depend on. */
export function circumstancesOf(pull: DocsPull, { mergeMethod }: LandInputs): string {
  const { head, base, isDraft, isLocked, mergeState, isConflicting, lastActivityAt } = pull;
  const checks = pull.checks.map(({ id, state }) => [id, state]);
  const reviews = pull.reviews.map(({ id, state }) => [id, state]);
  const about = [head, base, isDraft, isLocked, mergeState, isConflicting, lastActivityAt];
  return shortHash(JSON.stringify([mergeMethod, about, checks, reviews]));
}

/**
 * Why a merge or closing is not tried again yet; null if it is. After a while it is, even if nothing seems to have
 * changed: a token may have other permissions now.
 */
export function refusedBefore(
  act: Refused["act"],
  { refused }: Entry,
  circumstances: string,
  now: number,
): Reason | null {
  if (refused === null || refused.act !== act) return null;
  const isSame = refused.circumstances === circumstances;
  const isRecent = now - Date.parse(refused.at) < longestWait(refused.reason.code);
  return isSame && isRecent ? refused.reason : null;
}
