import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parseCollectInputs } from "../../src/collect/inputs.ts";
import { parseDeployInputs } from "../../src/deploy/inputs.ts";
import { parseGateInputs } from "../../src/gate/inputs.ts";
import { parseJobsInputs } from "../../src/jobs/inputs.ts";
import { parseLandInputs } from "../../src/land/inputs.ts";
import { parseQueueInputs } from "../../src/queue/inputs.ts";
import { contextOf } from "../support/run-context.ts";

const workspace = mkdtempSync(path.join(os.tmpdir(), "docs-agent-inputs-"));
writeFileSync(path.join(workspace, "tasks.json"), '["Document the webhooks."]');
writeFileSync(
  path.join(workspace, "unmatched.json"),
  '[{"files": "none/**", "prompt": "Improve."}]',
);
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

const HOUR = 60 * 60_000;
const CONTEXT = { ...contextOf("schedule"), workspace };
const GIVEN = { "api-key": "mint_x", "project-id": "docs", "github-token": "ghs_x" };

/** Each action: how its inputs are read, and what it cannot do without. */
const ACTIONS = {
  collect: [parseCollectInputs, GIVEN],
  deploy: [parseDeployInputs, GIVEN],
  gate: [parseGateInputs, { "docs-paths": "docs/**", "github-token": "ghs_x" }],
  jobs: [parseJobsInputs, GIVEN],
  land: [parseLandInputs, GIVEN],
  queue: [parseQueueInputs, { ...GIVEN, "tasks-file": "tasks.json" }],
} as const;
type Action = keyof typeof ACTIONS;

async function parse(action: Action, inputs: Record<string, string>): Promise<unknown> {
  const [parser, needed] = ACTIONS[action];
  const all: Record<string, string> = { ...needed, ...inputs };
  return await parser((name) => all[name] ?? "", CONTEXT);
}

describe("what is left out has its default", () => {
  test.each<[Action, object]>([
    ["collect", { days: 7 * 24 * HOUR, triggerPhrase: null, keys: ["mint_x"] }],
    ["collect", { baseUrl: new URL("https://api.mintlify.com") }],
    ["deploy", { target: { type: "deployment" }, environment: "docs", url: null, wait: true }],
    ["deploy", { comment: false, timeout: 15 * 60_000, pace: { initial: 3_000, max: 15_000 } }],
    ["gate", { service: null, prompt: null, ifNeeded: "error", draft: "never" }],
    ["gate", { statusName: "docs gate", ledgerRef: null }],
    ["gate", { comment: true, ignoreLabels: [], paths: { isEmpty: true } }],
    ["jobs", { apiKey: "mint_x", projectId: "docs", state: "all", limit: 100 }],
    [
      "land",
      { ledgers: [], ledgerRef: null, labels: [], assignees: [], reviewers: [], comment: true },
    ],
    ["land", { preview: false, checks: "follow-up", reviews: "follow-up", conflicts: "follow-up" }],
    ["land", { maxFollowUps: 3, maxFiles: null, merge: "never" }],
    ["land", { requiredChecks: [], mergeMethod: "squash", mergeDelay: 0, remindAfter: 0 }],
    ["land", { deploy: false }],
    ["land", { closeAfter: 0, allowedPaths: { isEmpty: true }, keys: ["mint_x"], dryRun: false }],
    [
      "queue",
      { name: "tasks.json", maxRunning: 3, maxJobsPerHour: 50, maxAttempts: 3, dashboard: null },
    ],
    ["queue", { dryRun: false, ledgerRef: null, jobDeadline: 24 * HOUR, warnings: [] }],
    ["queue", { githubApiUrl: new URL(CONTEXT.apiUrl), entries: [{ isPlain: true }] }],
  ])("%s: %j", async (action, expected) => {
    expect(await parse(action, {})).toMatchObject(expected);
  });
});

describe("what is given is taken", () => {
  test.each<[Action, Record<string, string>, object]>([
    [
      "collect",
      { days: "0.5", "trigger-phrase": " /docs " },
      { days: 12 * HOUR, triggerPhrase: "/docs" },
    ],
    ["collect", { days: "366", "previous-api-key": "mint_old" }, { keys: ["mint_x", "mint_old"] }],
    [
      "deploy",
      { branch: " docs/a ", comment: "true" },
      {
        target: { type: "preview", branch: "docs/a" },
        environment: "docs-preview",
        comment: true,
      },
    ],
    ["deploy", { environment: "none" }, { environment: null }],
    ["deploy", { environment: "Docs pages" }, { environment: "Docs pages" }],
    [
      "gate",
      { "docs-paths": "docs/**\n**.md", paths: "src/**" },
      { docsPatterns: ["docs/**", "**.md"] },
    ],
    [
      "gate",
      { "api-key": "mint_x", "project-id": "p" },
      { service: { apiKey: "mint_x", projectId: "p" } },
    ],
    ["jobs", { state: "running", limit: "7" }, { state: "running", limit: 7 }],
    [
      "land",
      { reviewers: "ada\nteam:docs-team\nauthors" },
      { reviewers: ["ada", "team:docs-team", "authors"] },
    ],
    ["land", { "max-follow-ups": "0", "max-files": " 5 " }, { maxFollowUps: 0, maxFiles: 5 }],
    [
      "land",
      { "merge-delay-hours": "0.5", "close-after-days": "7" },
      { mergeDelay: HOUR / 2, closeAfter: 168 * HOUR },
    ],
    [
      "land",
      { merge: "checks", "allowed-paths": "docs/**", "required-checks": "build" },
      { merge: "checks", requiredChecks: ["build"] },
    ],
    [
      "queue",
      { "tasks-file": "unmatched.json" },
      {
        warnings: [
          'tasks-file: task 1: no file of the workspace matches "none/**" in its `files`.',
        ],
      },
    ],
    ["queue", { name: " API ", "max-jobs-per-hour": "100" }, { name: "API", maxJobsPerHour: 100 }],
  ])("%s: %j", async (action, inputs, expected) => {
    expect(await parse(action, inputs)).toMatchObject(expected);
  });
});

describe("what is wrong is named, with what is allowed", () => {
  test.each<[Action, string, string, string]>([
    ["collect", "days", "0", "a positive number of days up to 366"],
    ["collect", "days", "367", "a positive number of days up to 366"],
    ["collect", "trigger-phrase", "/docs\n/ask", "one line"],
    ["deploy", "branch", "a..b", "the name of a Git branch"],
    ["deploy", "environment", 'do"cs', "without quotes, commas"],
    ["deploy", "environment", "x".repeat(256), "at most 255 characters"],
    ["deploy", "url", "http://docs.example", "an https: URL"],
    ["deploy", "url", "javascript:alert(1)", "an https: URL"],
    ["deploy", "comment", "true", "only together with `branch`"],
    ["deploy", "wait", "maybe", "true or false"],
    ["deploy", "timeout-minutes", "0", "a positive number of minutes"],
    ["gate", "api-key", "mint_x", "the project ID from the dashboard"],
    ["gate", "docs-paths", " ", "path patterns, one per line"],
    ["gate", "draft", "always", "one of"],
    ["gate", "status-name", "a\nb", "one line of at most 100 characters"],
    ["gate", "ledger-ref", "main", "the full name of a ref"],
    ["gate", "paths", "src/[", "not GitHub's filter patterns"],
    ["jobs", "state", "active", "one of all, running, finished"],
    ["jobs", "limit", "1.5", "a whole number of 1 or more"],
    ["jobs", "base-url", "api.example", "an https: URL"],
    ["land", "merge", "always", "never, approved, checks"],
    ["land", "merge", "checks", "only together with `allowed-paths` and `required-checks`"],
    ["land", "allowed-committers", "@ada", "logins"],
    ["land", "merge-method", "fast-forward", "squash, merge, rebase"],
    ["land", "checks", "merge", "follow-up, ignore"],
    ["land", "reviewers", "@ada", "logins, team:slug or authors"],
    ["land", "allowed-paths", "!src/**", "begin with those that count"],
    ["land", "max-follow-ups", "-1", "a whole number of 0 or more"],
    ["land", "max-files", "1.5", "a whole number of 0 or more"],
    ["land", "merge-delay-hours", "1e9", "a number of hours of 0 or more"],
    ["queue", "max-running", "0", "a whole number from 1 to 100"],
    ["queue", "max-jobs-per-hour", "101", "a whole number from 1 to 100"],
    ["queue", "name", "x".repeat(201), "at most 200 characters"],
    ["queue", "dashboard", "#12", "a whole number of 1 or more"],
    ["queue", "dry-run", "yes", "true, false or new"],
    ["queue", "github-token", "", "a token"],
    ["gate", "github-token", "", "a token"],
    ["queue", "tasks-file", "", "the path of a file in the workspace"],
    ["queue", "tasks-file", "none.yml", '"none.yml" does not exist'],
  ])("%s: %s %j", async (action, name, value, words) => {
    await expect(parse(action, { [name]: value })).rejects.toThrow(words);
  });

  test("all invalid inputs in one message", async () => {
    await expect(parse("jobs", { state: "x", limit: "x" })).rejects.toThrow(
      /^2 inputs are invalid:\n- state: .*\.\n- limit: .*\.$/,
    );
    await expect(parse("queue", { name: "\u0007", "tasks-file": "none.yml" })).rejects.toThrow(
      /^2 inputs are invalid:\n- name: .*\n- tasks-file: /,
    );
  });
});
