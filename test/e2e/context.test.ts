import { expect, test } from "vitest";
import type { RunOptions } from "../../emulator/runner/runner.ts";
import { json, refusal } from "../support/answers.ts";
import { issueOpened, push } from "../support/events.ts";
import { byPhrase, comment, reviewComment } from "../support/phrase-events.ts";
import { someOf } from "../support/sample.ts";
import { PROMPT } from "../support/world/actions.ts";
import { GRAPHQL } from "../support/world/conversation.ts";
import { WITH_JOB } from "../support/world/jobs.ts";
import { startWorld, type World } from "../support/world/world.ts";

const FILES = "GET /repos/octo/docs/pulls/:n/files";

/** Runs the action, and returns the prompt that it sent. */
async function promptOf(world: World, options: RunOptions): Promise<string> {
  world.on(GRAPHQL, json(200, { data: {} }));
  const result = await world.run("root", options);
  expect(result.exitCode).toBe(0);
  return world.sentPrompts()[0] ?? "";
}

/** The context after a request, or an empty string. */
function contextIn(prompt: string, request = PROMPT): string {
  expect(prompt.startsWith(request)).toBe(true);
  const rest = prompt.slice(request.length);
  if (rest !== "") expect(rest.startsWith("\n\n---\n\n")).toBe(true);
  return rest;
}

const WITH_CONTEXT = { inputs: { "include-context": "true" } };
// Every other event: src/github/trigger/prompt-context.test.ts.
test.each<[string, RunOptions, string[]]>([
  [
    "an issue",
    issueOpened(7),
    ["The webhooks are not documented", "https://github.com/octo/docs/issues/7", "Please describe"],
  ],
  [
    "a review comment",
    reviewComment("Why?"),
    ["Why?", "docs/webhooks.md:12", "+They are sent twice.", "docs/a.md"],
  ],
  ["a push", push, ["/compare/000000000000...111111111111", "1111111 by octocat: Add webhooks"]],
])("with include-context, %s is quoted after the prompt", async (_, trigger, parts) => {
  await using world = await startWorld(WITH_JOB);
  const context = contextIn(await promptOf(world, { ...trigger, ...WITH_CONTEXT }));
  const lines = context.split("\n").filter((line) => line.startsWith("> "));
  for (const part of parts) expect(lines.filter((line) => line.includes(part))).not.toEqual([]);
});

const ENDED = {
  name: "CI",
  conclusion: "success",
  event: "push",
  head_repository: { full_name: "octo/docs" },
};

test("a run of an event without a context says so, and sends the prompt as it is", async () => {
  await using world = await startWorld(WITH_JOB);
  const event = { action: "completed", workflow_run: ENDED };
  const result = await world.run("root", { eventName: "workflow_run", event, ...WITH_CONTEXT });
  expect(world.sentPrompts()).toEqual([PROMPT]);
  expect(result.visible.join()).toContain("The event workflow_run has no context");
});

const COMPARE = "GET /repos/octo/docs/compare/:basehead";
const BEFORE = "b".repeat(40);
const laterPush = { ...push, event: { ...Object(push.event), before: BEFORE } };

test("the context of a push contains its changed files, which are not in the event", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(
    COMPARE,
    json(200, { total_commits: 1, files: [{ filename: "src/a.ts", additions: 1, deletions: 0 }] }),
  );
  expect(contextIn(await promptOf(world, { ...laterPush, ...WITH_CONTEXT }))).toContain(
    "> src/a.ts",
  );
  const [request] = world.received(COMPARE);
  expect(request?.path).toContain(`/compare/${BEFORE}...${"1".repeat(40)}`);
});

test("if the files of a push cannot be read, there is a warning, and the step succeeds", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(COMPARE, refusal(403, "Resource not accessible by integration"));
  const result = await world.run("root", { ...laterPush, ...WITH_CONTEXT });
  expect(result.exitCode).toBe(0);
  expect(result.warnings).toEqual([expect.stringContaining("contents: read")]);
});

test.each(
  someOf([
    ["auto", true],
    ["false", false],
    ["true", true],
  ]),
)("with include-context: %s, a request by phrase has a context: %s", async (value, hasContext) => {
  await using world = await startWorld(WITH_JOB);
  const request = byPhrase(comment("/docs explain retries"), { "include-context": value });
  const context = contextIn(await promptOf(world, request), "explain retries");
  expect(context !== "").toBe(hasContext);
});

test("the context loses nothing by the beginning of a comment in code, and has no hidden comment", async () => {
  await using world = await startWorld(WITH_JOB);
  const title = "What does <!-- do?";
  const body =
    "Page a has `<!--`.\n\n<!-- a template -->\n<div>\n<!-- hidden -->\n</div>\n\nAnd b.";
  const event = comment("/docs explain", { subject: { title, body } });
  const context = contextIn(await promptOf(world, byPhrase(event)), "explain");
  expect(context).toContain(`> ${title}\n`);
  expect(context).toContain("> Page a has `<!--`.\n");
  expect(context).toContain("> And b.");
  expect(context).not.toMatch(/template|hidden/);
});

test("changed files are not requested for an issue, or with include-context: false", async () => {
  await using world = await startWorld(WITH_JOB);
  await world.run("root", byPhrase(comment("/docs explain retries")));
  await world.run("root", byPhrase(reviewComment("/docs explain"), { "include-context": "false" }));
  expect(world.received(FILES)).toEqual([]);
});
