import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { parseAssistantInputs } from "../../src/assistant/inputs.ts";
import { parseCollectInputs } from "../../src/collect/inputs.ts";
import { parseDeployInputs } from "../../src/deploy/inputs.ts";
import { parseDoctorInputs } from "../../src/doctor/inputs.ts";
import { parseGateInputs } from "../../src/gate/inputs.ts";
import type { RunContext } from "../../src/github/trigger/run-context.ts";
import { parseJobsInputs } from "../../src/jobs/inputs.ts";
import { parseLandInputs } from "../../src/land/inputs.ts";
import { parseQueueInputs } from "../../src/queue/inputs.ts";
import { parseRunInputs } from "../../src/root/inputs.ts";
import { parseUpkeepInputs } from "../../src/upkeep/inputs.ts";
import { DOCTOR_EFFECTS } from "../support/doctor-input-effects.ts";
import {
  BATCHES,
  CHANGES,
  changedBy,
  effectOf,
  GITHUB,
  KEYS,
  PACE,
  type ParsedAction,
  PROJECT,
  REQUESTS,
  SERVICE,
} from "../support/input-effects.ts";
import { LAND_EFFECTS } from "../support/land-input-effects.ts";
import { contextOf } from "../support/run-context.ts";
import { makeWorkspace } from "../support/workspace.ts";

const ROOT = path.join(import.meta.dirname, "../..");

const workspace = makeWorkspace();
afterAll(() => workspace[Symbol.dispose]());
workspace.write("prompt.md", "From a file.");
workspace.write("a.ts", "a");
workspace.write("one.json", '[{"id": "one", "prompt": "One."}]');
workspace.write("two.json", '[{"id": "two", "prompt": "Two."}]');
const CONTEXT: RunContext = { ...contextOf("workflow_dispatch"), workspace: workspace.path };

const GIVEN = { "api-key": "mint_x", "project-id": "docs", "github-token": "ghs_x" };
const V1 = { "api-version": "v1" };

const ACTIONS: Record<string, ParsedAction> = {
  root: {
    metadata: "action.yml",
    parse: (read, context) => parseRunInputs(read, context, null, null),
    needed: { ...GIVEN, prompt: "Explain." },
    effects: {
      ...PROJECT,
      ...KEYS,
      ...REQUESTS,
      ...PACE,
      prompt: { value: "Shorten.", fields: { "task.prompt": "Shorten." } },
      "prompt-file": {
        value: "prompt.md",
        fields: { "task.type": "follow-up", "task.prompt": "From a file." },
        beside: { prompt: "", "job-id": "job_1" },
      },
      "job-id": { value: "job_1", fields: { "task.type": "follow-up", "task.jobId": "job_1" } },
      "include-context": { value: "true", fields: { includeContext: "true" } },
      wait: { value: "false", fields: { "policy.wait": false } },
      "timeout-minutes": { value: "2", fields: { "policy.timeout": 120_000 } },
      "if-timeout": { value: "warn", fields: { "policy.ifTimeout": "warn" } },
      "if-no-changes": { value: "warn", fields: { "policy.ifNoChanges": "warn" } },
      "continue-job": { value: "false", fields: { continueJob: false } },
      "api-version": { value: "v1", fields: { "api.version": "v1" } },
      branch: { value: "docs/a", fields: { "api.choices.branch": "docs/a" }, beside: V1 },
      "as-draft": { value: "true", fields: { "api.choices.asDraft": true }, beside: V1 },
      model: { value: "opus", fields: { "api.choices.model": "opus" }, beside: V1 },
      messages: {
        value: '[{"role":"user","content":"a"}]',
        fields: { "api.choices.messages": [{ role: "user", content: "a" }] },
        beside: V1,
      },
    },
  },
  assistant: {
    metadata: "assistant/action.yml",
    parse: (read, context) =>
      parseAssistantInputs(read, context, { request: null, issue: null }, null),
    needed: { "api-key": "mint_x", domain: "docs", question: "How?" },
    effects: {
      ...SERVICE,
      ...KEYS,
      ...REQUESTS,
      domain: { value: "other", fields: { domain: "other" } },
      question: { value: "Why?", fields: { question: "Why?" } },
      "context-files": {
        value: "a.ts",
        fields: { context: [{ type: "code", value: "a", path: "a.ts" }] },
      },
      context: {
        value: '[{"type":"code","value":"b"}]',
        fields: { context: [{ type: "code", value: "b" }] },
      },
      "current-path": { value: "guide", fields: { currentPath: "guide" } },
      filter: { value: '{"version":"v2"}', fields: { "filter.version": "v2" } },
      "retrieval-page-size": { value: "9", fields: { retrievalPageSize: 9 } },
      "thread-id": { value: "thread_1", fields: { threadId: "thread_1" } },
      fingerprint: { value: "ada", fields: { fingerprint: "ada" } },
      "timeout-minutes": { value: "2", fields: { timeout: 120_000 } },
      "api-version": { value: "v2", fields: { apiVersion: "v2" } },
    },
  },
  collect: {
    metadata: "collect/action.yml",
    parse: parseCollectInputs,
    needed: GIVEN,
    effects: {
      ...PROJECT,
      ...KEYS,
      ...GITHUB,
      "trigger-phrase": { value: "/docs", fields: { triggerPhrase: "/docs" } },
      days: { value: "1", fields: { days: 86_400_000 } },
    },
  },
  deploy: {
    metadata: "deploy/action.yml",
    parse: parseDeployInputs,
    needed: GIVEN,
    effects: {
      ...PROJECT,
      ...GITHUB,
      ...PACE,
      branch: {
        value: "docs/a",
        fields: { "target.type": "preview", "target.branch": "docs/a" },
        beside: { environment: "docs" },
      },
      environment: { value: "pages", fields: { environment: "pages" } },
      url: { value: "https://docs.example", fields: { url: "https://docs.example/" } },
      comment: { value: "true", fields: { comment: true }, beside: { branch: "docs/a" } },
      wait: { value: "false", fields: { wait: false } },
      "timeout-minutes": { value: "2", fields: { timeout: 120_000 } },
    },
  },
  doctor: {
    metadata: "doctor/action.yml",
    parse: parseDoctorInputs,
    needed: GIVEN,
    effects: DOCTOR_EFFECTS,
  },
  gate: {
    metadata: "gate/action.yml",
    parse: parseGateInputs,
    needed: { ...GIVEN, "docs-paths": "docs/**" },
    effects: {
      "base-url": {
        value: "https://service.test",
        fields: { "service.baseUrl": "https://service.test/" },
      },
      ...KEYS,
      "api-key": {
        value: "mint_new",
        fields: { "service.apiKey": "mint_new", keys: ["mint_new"] },
      },
      "project-id": { value: "other", fields: { "service.projectId": "other" } },
      ...GITHUB,
      ...CHANGES,
      "docs-paths": {
        value: "**.ts",
        fields: { docsPaths: ["src/a.ts"], docsPatterns: ["**.ts"] },
      },
      "if-needed": { value: "warn", fields: { ifNeeded: "warn" } },
      "status-name": { value: "docs", fields: { statusName: "docs" } },
      "ledger-ref": { value: "refs/heads/docs", fields: { ledgerRef: "refs/heads/docs" } },
      comment: { value: "false", fields: { comment: false } },
      draft: { value: "approved", fields: { draft: "approved" } },
      prompt: { value: "Shorten.", fields: { prompt: "Shorten." } },
      name: { value: "api", fields: { name: "api" } },
    },
  },
  jobs: {
    metadata: "jobs/action.yml",
    parse: parseJobsInputs,
    needed: GIVEN,
    effects: {
      ...PROJECT,
      state: { value: "running", fields: { state: "running" } },
      limit: { value: "9", fields: { limit: 9 } },
    },
  },
  land: {
    metadata: "land/action.yml",
    parse: parseLandInputs,
    needed: GIVEN,
    effects: LAND_EFFECTS,
  },
  queue: {
    metadata: "queue/action.yml",
    parse: parseQueueInputs,
    needed: { ...GIVEN, "tasks-file": "one.json", name: "one" },
    effects: {
      ...BATCHES,
      "tasks-file": {
        value: "two.json",
        fields: { entries: [{ id: "two", prompt: "Two.", isPlain: false }] },
      },
      "max-running": { value: "9", fields: { maxRunning: 9 } },
      "max-jobs-per-hour": { value: "9", fields: { maxJobsPerHour: 9 } },
      name: { value: "two", fields: { name: "two" } },
    },
  },
  upkeep: {
    metadata: "upkeep/action.yml",
    parse: parseUpkeepInputs,
    needed: GIVEN,
    effects: {
      ...BATCHES,
      ...CHANGES,
      ...PACE,
      paths: { value: "src/**", fields: { paths: ["src/a.ts"], pathsText: "src/**" } },
      repositories: {
        value: "acme/code@main",
        fields: { repositories: [{ repository: "acme/code", branch: "main" }] },
      },
      after: { value: "release", fields: { after: "release" } },
      "release-tag": { value: "v*", fields: { releaseTag: "v*" }, beside: { after: "release" } },
      since: { value: "v1", fields: { "since.kind": "ref", "since.ref": "v1" } },
      prompt: { value: "Shorten.", fields: { prompt: "Shorten." } },
      "prompt-file": { value: "prompt.md", fields: { prompt: "From a file." } },
      "include-diff": { value: "true", fields: { includeDiff: true } },
      "max-changes": { value: "9", fields: { maxChanges: 9 } },
      "open-pull-request": { value: "hold", fields: { openPullRequest: "hold" } },
      "max-jobs-per-day": { value: "9", fields: { maxJobsPerDay: 9 } },
      comment: { value: "true", fields: { comment: true } },
      wait: { value: "true", fields: { wait: true } },
      "timeout-minutes": { value: "2", fields: { timeout: 120_000 } },
      name: { value: "api", fields: { name: "api" } },
    },
  },
};

describe.each(Object.entries(ACTIONS))("%s", (_, action) => {
  const { inputs } = parse(readFileSync(path.join(ROOT, action.metadata), "utf8"));
  const names = Object.keys(inputs);

  test("each input that is tested is declared", () => {
    expect(Object.keys(action.effects).filter((name) => !names.includes(name))).toEqual([]);
  });

  test.each(names)("%s decides its own fields, and no other", async (name) => {
    const effect = action.effects[name] ?? effectOf(name, inputs[name].default);
    expect(await changedBy(name, effect, action, CONTEXT)).toEqual(effect.fields);
  });
});
