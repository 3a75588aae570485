import { expect, test } from "vitest";
import { clientOf } from "../../test/support/github-client.ts";
import type { Sent } from "../github/api/explain.ts";
import { mayWrite } from "./read-rights.ts";

/** A write that GitHub answers so. */
async function answered(status: number, message = ""): Promise<Sent<unknown>> {
  const { refs } = await clientOf(() => [status, { message }]);
  return await refs.create({ repository: "acme/docs", ref: "docs-agent", sha: "0" });
}

test.each<[string, number, string, boolean | null]>([
  ["refused for its content", 422, "Validation Failed", true],
  ["refused as malformed", 400, "Problems parsing JSON", true],
  ["refused for an empty repository", 409, "Git Repository is empty.", true],
  ["refused for disabled Issues", 410, "Issues are disabled for this repo", true],
  ["not for this token", 403, "Resource not accessible by integration", false],
  ["not to be seen", 404, "Not Found", false],
  [
    "refused by a setting for pull requests",
    403,
    "GitHub Actions is not permitted to create or approve pull requests.",
    true,
  ],
  ["refused by an archive", 403, "Repository was archived so is read-only.", null],
  ["refused for a token that expired", 401, "Bad credentials", null],
  ["refused for a rate limit", 403, "API rate limit exceeded", null],
  ["not answered", 502, "", null],
])("a write that is %s (%i %s) says about the permission: %j", async (_, status, message, may) => {
  const fact = mayWrite(await answered(status, message));
  expect(fact.type === "known" ? fact.value : null).toBe(may);
});

test("a write whose answer was lost says nothing about the permission", () => {
  const lost = { type: "uncertain", reason: "the connection was lost", error: null } as const;
  expect(mayWrite(lost)).toMatchObject({ type: "unread", reason: "the connection was lost" });
});
