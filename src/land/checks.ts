/** What the checks of a docs pull request mean: which are sent to the agent, and which keep it from a merge. Pure. */

import type { DocsPull } from "../github/changes/docs-pull.ts";
import type { Check } from "../github/changes/docs-pull-checks.ts";
import type { LandInputs } from "./inputs.ts";
import type { LandReason } from "./reasons.ts";

/** The checks that count: not those that `ignore-checks` names. */
export function countingChecks({ checks }: DocsPull, { ignoreChecks }: LandInputs): Check[] {
  return checks.filter(({ name }) => !ignoreChecks.includes(name));
}

export function failedChecks(pull: DocsPull, rules: LandInputs): Check[] {
  return countingChecks(pull, rules).filter(({ state }) => state === "red");
}

/** Whether more checks may fail. */
export function areChecksPending(pull: DocsPull, rules: LandInputs): boolean {
  const isPending = countingChecks(pull, rules).some(({ state }) => state === "pending");
  return isPending || (pull.unfinishedRuns?.pending ?? 0) > 0;
}

/** What a person has to do so that its checks end; null for nothing. */
export function heldChecks(pull: DocsPull, rules: LandInputs): LandReason | null {
  const held = countingChecks(pull, rules).find(({ state }) => state === "held");
  if (held !== undefined) return reasonOfHeld(held);
  return (pull.unfinishedRuns?.held ?? 0) > 0 ? { code: "run-held" } : null;
}

function reasonOfHeld({ name, conclusion, isJob }: Check): LandReason {
  if (conclusion === "waiting") return { code: "check-held-deployment", name };
  return { code: isJob ? "check-held" : "check-held-by-app", name };
}

/**
 * Why its checks keep it from being merged; null if they do not.
 *
 * @param isApproved whether its head is approved
 */
export function missingChecks(
  pull: DocsPull,
  rules: LandInputs,
  isApproved: boolean,
): LandReason | null {
  if (pull.checksRead === "none") return { code: "checks-unreadable" };
  if (pull.checksRead === "some") return { code: "too-many-checks" };
  const [failed] = failedChecks(pull, rules);
  if (failed !== undefined) {
    const { name, conclusion } = failed;
    return isApproved
      ? { code: "check-failed-approved", name, conclusion }
      : { code: "check-failed", name };
  }
  const checks = countingChecks(pull, rules);
  for (const name of rules.requiredChecks) {
    const missing = missingCheck(checks, name);
    if (missing !== null) return missing;
  }
  const unmet = checks.find((check) => isUnmet(check, checks));
  if (unmet !== undefined) {
    const { name, conclusion } = unmet;
    return { code: "check-without-success", name, conclusion };
  }
  if (checks.some(({ state }) => state === "pending")) return { code: "checks-pending" };
  if (rules.merge !== "checks") return null;
  if (pull.unfinishedRuns === null) return { code: "too-many-runs" };
  return pull.unfinishedRuns.pending > 0 ? { code: "workflows-pending" } : null;
}

/** What a required check lacks; null if one of its name has succeeded, and none has not ended well. */
function missingCheck(checks: readonly Check[], name: string): LandReason | null {
  const named = checks.filter((check) => check.name === name);
  const open = named.find(({ state }) => !["green", "dropped"].includes(state));
  const hasSucceeded = named.some(({ conclusion }) => conclusion === "success");
  if (hasSucceeded && open === undefined) return null;
  const [other = open] = named;
  if (other === undefined || open?.state === "pending") return { code: "check-missing", name };
  return { code: "check-without-success", name, conclusion: other.conclusion };
}

/** Whether the rules of the base want a check that did not come to a conclusion. GitHub counts one that was skipped. */
function isUnmet({ isRequired, state, name }: Check, checks: readonly Check[]): boolean {
  const isMet = checks.some((check) => check.name === name && check.state === "green");
  return isRequired && state === "dropped" && !isMet;
}
