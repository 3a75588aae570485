import { expect, test } from "vitest";
import { branchRulesOf } from "./branch-rules.ts";

test("what the rules of a branch want is read from all rulesets", () => {
  const checks = (...names: string[]) => ({
    type: "required_status_checks",
    parameters: { required_status_checks: names.map((context) => ({ context })) },
  });
  const reviews = { type: "pull_request", parameters: { required_review_thread_resolution: true } };
  const rules = [checks("build"), checks("build", "links"), reviews, { type: "merge_queue" }];
  expect(branchRulesOf(rules)).toEqual({
    requiredChecks: ["build", "links"],
    wantsRuns: true,
    hasMergeQueue: true,
    wantsResolvedThreads: true,
    wantsSignatures: false,
    wantsDeployments: false,
  });
  const others = branchRulesOf([{ type: "required_signatures" }, { type: "required_deployments" }]);
  expect(branchRulesOf([{ type: "workflows" }])).toMatchObject({ wantsRuns: true });
  expect(others).toMatchObject({ wantsRuns: false, wantsSignatures: true, wantsDeployments: true });
});
