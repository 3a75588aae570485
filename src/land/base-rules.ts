/** What the rules of a docs pull request's base have against its merge, as far as GitHub tells. Pure. */

import type { BranchRules } from "../github/changes/branch-rules.ts";
import type { DocsPull } from "../github/changes/docs-pull.ts";
import type { Fact } from "../runtime/fact.ts";
import { isWorkflowToken, type Merging } from "./merge-state.ts";
import type { LandReason } from "./reasons.ts";

/** Why GitHub says that it is blocked. Missing reviews are known before. */
export function blockedBy(pull: DocsPull, rules: Fact<BranchRules>): LandReason {
  const wanted = rules.type === "known" ? rules.value : null;
  const check = unmetCheck(pull, wanted);
  if (check !== null) return check;
  if (wanted?.wantsResolvedThreads && pull.hasOpenThreads) return { code: "blocked-by-threads" };
  if (wanted?.wantsSignatures) return { code: "blocked-by-signatures" };
  return wanted?.wantsDeployments ? { code: "blocked-by-deployments" } : { code: "blocked" };
}

/**
 * What the rules want although GitHub does not hold this token to it: a token may bypass them, and checks register
 * late. Null for nothing.
 */
export function againstToken(
  pull: DocsPull,
  merging: Merging,
  rules: Fact<BranchRules>,
): LandReason | null {
  const wanted = rules.type === "known" ? rules.value : null;
  const check = unmetCheck(pull, wanted);
  if (check !== null) return check;
  if (merging !== "enqueue" || !isWorkflowToken(pull)) return null;
  // Without a rule for the queue, it is that of a classic protection, whose checks nobody may know.
  const hasChecks =
    wanted === null || !wanted.hasMergeQueue || wanted.wantsRuns || isAnyRequired(pull);
  return hasChecks ? { code: "queue-needs-token" } : null;
}

function isAnyRequired({ checks }: DocsPull): boolean {
  return checks.some(({ isRequired }) => isRequired);
}

/** A check that the rules want and that has not succeeded. GitHub counts one that was skipped. */
function unmetCheck({ checks }: DocsPull, rules: BranchRules | null): LandReason | null {
  const required = checks.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const isMet = (wanted: string) =>
    checks.some(({ name, state }) => name === wanted && state === "green");
  const name = [...required, ...(rules?.requiredChecks ?? [])].find((wanted) => !isMet(wanted));
  return name === undefined ? null : { code: "blocked-by-check", name };
}
