/** What the rules of a branch want of a pull request into it, as far as everybody may know. */

import type * as z from "zod/mini";
import { type Fact, mapFact } from "../../runtime/fact.ts";
import type * as checkAnswers from "../api/answers/checks.ts";
import type { GitHub } from "../api/client.ts";

/** Those of rulesets. A classic branch protection is not among them. */
export interface BranchRules {
  /** Names of checks that have to succeed. */
  readonly requiredChecks: readonly string[];
  readonly hasMergeQueue: boolean;
  readonly wantsResolvedThreads: boolean;
  readonly wantsSignatures: boolean;
  readonly wantsDeployments: boolean;
}

export async function branchRulesAt(
  github: GitHub,
  place: { readonly repository: string; readonly branch: string },
): Promise<Fact<BranchRules>> {
  return mapFact(await github.repositories.rules(place), branchRulesOf);
}

export function branchRulesOf(rules: z.infer<typeof checkAnswers.rules>): BranchRules {
  const has = (wanted: string) => rules.some(({ type }) => type === wanted);
  const required = rules.flatMap(({ parameters }) => parameters?.required_status_checks ?? []);
  return {
    requiredChecks: [...new Set(required.map(({ context }) => context))],
    hasMergeQueue: has("merge_queue"),
    wantsResolvedThreads: rules.some(
      ({ parameters }) => parameters?.required_review_thread_resolution === true,
    ),
    wantsSignatures: has("required_signatures"),
    wantsDeployments: has("required_deployments"),
  };
}
