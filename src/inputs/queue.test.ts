import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { parseQueueInputs } from "./queue.ts";

const workspace = mkdtempSync(path.join(os.tmpdir(), "docs-agent-queue-inputs-"));
writeFileSync(path.join(workspace, "tasks.json"), '["Document the webhooks."]');
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

function parse(inputs: Record<string, string>) {
  const given: Record<string, string> = {
    ...{ "api-key": "mint_key", "project-id": "docs", "github-token": "ghs_token" },
    ...{ "tasks-file": "tasks.json", ...inputs },
  };
  const context = { workspace, apiUrl: "https://api.github.com" };
  return parseQueueInputs((name) => given[name] ?? "", context);
}

test("what is left out has its default", async () => {
  expect(await parse({})).toMatchObject({
    ...{ name: "tasks.json", maxRunning: 3, perHour: 50, maxAttempts: 3 },
    ...{ dashboard: null, dryRun: false, ledgerRef: null },
    ...{ jobDeadline: 86_400_000, warnings: [] },
    githubApiUrl: new URL("https://api.github.com"),
  });
});

test.each([
  ["max-running", "0", "a whole number from 1 to 100"],
  ["per-hour", "101", "a whole number from 1 to 100"],
  ["max-attempts", "1.5", "a whole number of 1 or more"],
  ["name", "x".repeat(201), "at most 200 characters"],
  ["dashboard", "#12", "the number of an issue"],
  ["dry-run", "yes", "dry-run"],
  ["github-token", "", "a token"],
  ["github-api-url", "http://ghe.example.com/api/v3", "http: only for localhost"],
  ["tasks-file", "", "the path of a file in the workspace"],
])("what is wrong is named, with what is allowed: %s %j", async (name, value, words) => {
  await expect(parse({ [name]: value })).rejects.toThrow(words);
});
