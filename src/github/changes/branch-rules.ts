/** What the rules of a branch want of a pull request into it, as far as everybody may know. */

import type * as z from "zod/mini";
import { type Fact, mapFact } from "../../runtime/fact.ts";
import type * as checkAnswers from "../api/answers/checks.ts";
import type { GitHub } from "../api/client.ts";

/** Those of rulesets. A classic branch protection is not among them. */
export interface BranchRules {
  /** Names of checks that have to succeed. */
  readonly requiredChecks: readonly string[];
  /** Whether something has to run before a merge: checks, workflows, or scans of code. */
  readonly wantsRuns: boolean;
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

const RUNS = ["required_status_checks", "workflows", "code_scanning", "code_quality"];

export function branchRulesOf(rules: z.infer<typeof checkAnswers.rules>): BranchRules {
  const has = (wanted: string) => rules.some(({ type }) => type === wanted);
  const required = rules.flatMap(({ parameters }) => parameters?.required_status_checks ?? []);
  return {
    requiredChecks: [...new Set(required.map(({ context }) => context))],
    wantsRuns: RUNS.some(has),
    hasMergeQueue: has("merge_queue"),
    wantsResolvedThreads: rules.some(
      ({ parameters }) => parameters?.required_review_thread_resolution === true,
    ),
    wantsSignatures: has("required_signatures"),
    wantsDeployments: has("required_deployments"),
  };
}
