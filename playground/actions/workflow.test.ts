import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { isTrue } from "./expression.ts";
import { RunLog } from "./run-log.ts";
import { actionOf, isStartedBy, readWorkflow, type Workflow } from "./workflow.ts";

const [byComment] = readWorkflow("examples/ask-by-comment.yml") as [Workflow];
const [upkeep] = readWorkflow("examples/upkeep.yml") as [Workflow];

test("an example is read with its events, its condition, its group, its action and its inputs", () => {
  expect(upkeep).toMatchObject({
    name: "Docs upkeep",
    job: "upkeep",
    group: "$" + "{{ github.event_name == 'issues' && github.run_id || github.workflow }}",
    timeoutMinutes: 10,
  });
  const paths = "src/**\n!src/**/*.test.ts\n";
  expect(upkeep.steps).toMatchObject([{ action: "upkeep", inputs: { paths } }]);
  expect(byComment.steps).toMatchObject([{ action: ".", inputs: { "trigger-phrase": "/docs" } }]);
});

test("an event starts a workflow that names it, with one of the types that it names", () => {
  const event = (name: string, action?: string, workflow?: string) => {
    return { name, actor: "writer", payload: { action, workflow } };
  };
  expect(isStartedBy(byComment, event("issue_comment", "created"))).toBe(true);
  expect(isStartedBy(byComment, event("issue_comment", "edited"))).toBe(false);
  expect(isStartedBy(byComment, event("workflow_dispatch"))).toBe(false);
  expect(isStartedBy(byComment, event("toString"))).toBe(false);
  expect(isStartedBy(upkeep, event("workflow_dispatch", undefined, upkeep.file))).toBe(true);
  expect(isStartedBy(upkeep, event("workflow_dispatch", undefined, "other.yml"))).toBe(false);
  expect(isStartedBy(upkeep, event("issues", "edited"))).toBe(true);
  expect(isStartedBy(upkeep, event("issues", "opened"))).toBe(false);
});

test("a workflow has a run for each job", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "docs-agent-workflow-"));
  try {
    const file = path.join(folder, "two-jobs.yml");
    const step = (action: string) => `{ steps: [{ uses: OWNER/docs-agent-action${action}@v1 }] }`;
    writeFileSync(file, `on: { schedule: }\njobs: { a: ${step("")}, b: ${step("/collect")} }\n`);
    const [request, sweep] = readWorkflow(path.relative(REPOSITORY_ROOT, file));
    expect([request, sweep].map((job) => job && actionOf(job))).toEqual([".", "collect"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("of a workflow, a checkout is known, and of pushes the paths count", () => {
  const [queue] = readWorkflow("examples/queue.yml") as [Workflow];
  expect([queue.hasFiles, upkeep.hasFiles]).toEqual([true, false]);
  const pushed = (...changed: string[]) =>
    isStartedBy(queue, { name: "push", actor: "writer", payload: { changed } });
  expect(pushed("docs/tasks.yml")).toBe(true);
  expect(pushed("docs/other.yml")).toBe(false);
});

test("of a pull request, the usual activities and a folder's files start a workflow", () => {
  const [preview] = readWorkflow("examples/deploy-preview.yml") as [Workflow];
  const starts = (action: string, ...changed: string[]) =>
    isStartedBy(preview, { name: "pull_request", actor: "writer", payload: { action, changed } });
  expect(starts("opened", "src/a.ts", "docs/a/b.md")).toBe(true);
  expect(starts("opened", "docs.md", "src/docs/a.md")).toBe(false);
  expect(starts("labeled", "docs/a.md")).toBe(false);
});

test("a job's condition is what GitHub makes of it", () => {
  const asks = (body: string) =>
    isTrue(byComment.condition ?? "", { github: { event: { comment: { body } } } });
  expect(asks("/docs explain")).toBe(true);
  expect(asks("Thanks")).toBe(false);
  const isDashboard = (login: string, label: string) =>
    isTrue(upkeep.condition ?? "", {
      github: {
        event_name: "issues",
        event: { issue: { labels: [{ name: label }] }, sender: { type: login } },
      },
    });
  expect(isDashboard("User", "docs-upkeep")).toBe(true);
  expect(isDashboard("Bot", "docs-upkeep")).toBe(false);
  expect(isDashboard("User", "bug")).toBe(false);
});

test.each([
  ["", false],
  [null, false],
  [0, false],
  ["x", true],
  [1, true],
])("a condition that is %j counts as %j, with or without its braces", (value, expected) => {
  expect(isTrue("github.field", { github: { field: value } })).toBe(expected);
  expect(isTrue("$" + "{{ github.field }}", { github: { field: value } })).toBe(expected);
});

test("the log shows what a person would see, and no secret", () => {
  const log = new RunLog();
  for (const line of [
    "::add-mask::s3cret",
    "the key is s3cret",
    "::error::It failed with s3cret",
    "::debug::hidden",
    "::group::Request",
  ]) {
    log.take(line);
  }
  expect(log.lines).toEqual([
    { kind: "plain", text: "the key is ***" },
    { kind: "error", text: "It failed with ***" },
    { kind: "group", text: "Request" },
  ]);
});

test("a log of any length holds its newest lines", () => {
  const log = new RunLog();
  for (let line = 1; line <= 2500; line += 1) log.take(`line ${line}`);
  expect(log.lines).toHaveLength(2000);
  expect(log.lines.at(-1)?.text).toBe("line 2500");
});
