import { expect, test } from "vitest";
import { readActionMetadata } from "../../emulator/runner/action-metadata.ts";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";

const metadata = readActionMetadata(REPOSITORY_ROOT);

test.each([
  ["api-key", ""],
  ["project-id", ""],
  ["prompt", ""],
  ["prompt-file", ""],
  ["job-id", ""],
  ["wait", "true"],
  ["timeout-minutes", "30"],
  ["poll-interval-seconds", "3"],
  ["poll-max-interval-seconds", "15"],
  ["if-timeout", "error"],
  ["if-no-changes", "ignore"],
  ["trigger-phrase", ""],
  ["required-permission", "write"],
  ["allowed-users", ""],
  ["allowed-bots", ""],
  ["comment", "true"],
  ["issue-number", ""],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub's, not of JavaScript.
  ["github-token", "${{ github.token }}"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as above.
  ["github-api-url", "${{ github.api_url }}"],
  ["base-url", "https://api.mintlify.com"],
])("the input %s has the default '%s'", (name, value) => {
  expect(metadata.inputs[name]).toBe(value);
});

test.each([
  "status",
  "prLink",
  "jobId",
  "prNumber",
  "model",
  "repository",
  "ref",
  "createdAt",
  "archivedAt",
  "commentUrl",
  "errorKind",
  "errorMessage",
])("the output %s is declared", (name) => {
  expect(metadata.outputs).toContain(name);
});

test("the post step runs whatever became of the main step", () => {
  expect(metadata).toMatchObject({ using: "node24", postIf: "always()" });
  expect(metadata.post).toBeDefined();
});
