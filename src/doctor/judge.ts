/** Everything that is to be said about a set-up. */

import { checkDocs } from "./check-docs.ts";
import { checkRepository } from "./check-repository.ts";
import { checkDocsRights, checkRights } from "./check-rights.ts";
import { checkService } from "./check-service.ts";
import type { Facts, TokenFact } from "./facts.ts";
import { type Finding, fine, sorted, unknown, wrong } from "./findings.ts";

/** The findings, those that are wrong first. */
export function judge(facts: Facts): Finding[] {
  return sorted([...checkService(facts), ...checkGitHub(facts)]);
}

function checkGitHub(facts: Facts): Finding[] {
  return [
    checkToken(facts.github.token),
    ...checkRights(facts),
    ...checkDocsRights(facts),
    ...checkRepository(facts),
    ...checkDocs(facts),
  ];
}

function checkToken(token: TokenFact): Finding {
  const check = "github-token";
  switch (token.type) {
    case "accepted":
      return fine(check, "GitHub accepts the token.");
    case "refused":
      return wrong(
        check,
        token.problem,
        "Remove `github-token` to use the workflow's own token, or pass one that can read this repository.",
      );
    case "unknown":
      return unknown(check, token.problem, "Run doctor again later.");
  }
}
