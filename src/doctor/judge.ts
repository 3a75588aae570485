/** Everything that is to be said about a set-up. */

import { checkDocs } from "./check-docs.ts";
import { checkRepository } from "./check-repository.ts";
import { checkDocsRights, checkRights } from "./check-rights.ts";
import { checkService } from "./check-service.ts";
import type { Facts } from "./facts.ts";
import { type Finding, fine, sorted, unknown, wrong } from "./findings.ts";

/** The findings, those that are wrong first. */
export function judge(facts: Facts): Finding[] {
  return sorted([...checkService(facts), ...checkGitHub(facts)]);
}

function checkGitHub(facts: Facts): Finding[] {
  const { github, inputs } = facts;
  const check = "github-token";
  if (github.type === "no-access") {
    const { isWrong, problem } = github;
    return [isWrong ? wrong(check, problem, TOKEN_ADVICE) : unknown(check, problem, TRY_AGAIN)];
  }
  return [
    fine(check, "GitHub accepts the token."),
    ...checkRights(facts, github),
    ...checkDocsRights(github.docs, inputs.actions),
    ...checkRepository(facts, github),
    ...checkDocs(github.docs),
  ];
}

const TOKEN_ADVICE =
  "Remove `github-token` to use the workflow's own token, or pass one that can read this repository. Nothing else on GitHub could be checked.";
const TRY_AGAIN = "Run doctor again later. Nothing else on GitHub could be checked.";
