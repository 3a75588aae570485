import { expect, test } from "vitest";
import type { RightFact } from "./facts.ts";
import { factOf } from "./read-rights.ts";

const refusal = (status: number, message = "", isPassing = false) => ({
  status,
  message,
  isPassing,
});

test.each<[string, Parameters<typeof factOf>[0], RightFact["type"] | null]>([
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
  ["refused for a rate limit", refusal(403, "API rate limit exceeded", true), null],
  ["not answered", refusal(502, "", true), null],
  ["lost", refusal(0, "", true), null],
])("a write that is %s says about the permission: %j → %s", (_, refused, fact) => {
  expect(factOf(refused)?.type ?? null).toBe(fact);
});
