import { expect, test } from "vitest";
import { refusedRequest } from "../../test/support/octokit-errors.ts";
import { explainRefusal } from "../github/api/refusal.ts";
import { ExchangeError } from "../net/http.ts";
import type { RightFact } from "./facts.ts";
import { factOf } from "./read-rights.ts";

const refusal = (status: number, message = "", headers: Record<string, string> = {}) =>
  refusedRequest(status, message, headers);

test.each<[string, Error, RightFact["type"] | null]>([
  ["refused for its content", refusal(422, "Validation Failed"), "held"],
  ["refused as malformed", refusal(400, "Problems parsing JSON"), "held"],
  ["refused for an empty repository", refusal(409, "Git Repository is empty."), "held"],
  ["refused for disabled Issues", refusal(410, "Issues are disabled for this repo"), "held"],
  ["not for this token", refusal(403, "Resource not accessible by integration"), "missing"],
  ["not to be seen", refusal(404, "Not Found"), "missing"],
  [
    "refused by a setting for pull requests",
    refusal(403, "GitHub Actions is not permitted to create or approve pull requests."),
    "held",
  ],
  ["refused by an archive", refusal(403, "Repository was archived so is read-only."), null],
  ["refused for a token that expired", refusal(401, "Bad credentials"), null],
  [
    "refused for a rate limit",
    refusal(403, "API rate limit exceeded", { "x-ratelimit-remaining": "0" }),
    null,
  ],
  ["not answered", refusal(502), null],
  ["lost", new ExchangeError("sent", "network", "the connection was lost"), null],
])("a write that is %s says about the permission: %s → %s", (_, error, fact) => {
  expect(factOf(explainRefusal(error, ["issues: write"]))?.type ?? null).toBe(fact);
});
