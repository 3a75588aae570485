import { expect, test } from "vitest";
import type { RunOptions } from "../../emulator/runner/runner.ts";
import { json } from "../support/answers.ts";
import { issueOpened, push } from "../support/events.ts";
import { refusal } from "../support/github.ts";
import { byPhrase, comment, reviewComment } from "../support/phrase-events.ts";
import { someOf } from "../support/sample.ts";
import { PROMPT, type Scenario, startScenario } from "../support/scenario.ts";

const FILES = "GET /repos/octo/docs/pulls/:n/files";

/** Runs, and returns the prompt that the service was sent. */
async function promptOf(scenario: Scenario, options: RunOptions): Promise<string> {
  scenario.github.server.on("POST /graphql", json(200, { data: {} }));
  const result = await scenario.run(options);
  expect(result.exitCode).toBe(0);
  const sent = scenario.service.requests.find(({ method }) => method === "POST");
  return JSON.parse(String(sent?.body)).prompt;
}

/** The context behind a prompt, or nothing. */
function contextIn(prompt: string, request = PROMPT): string {
  expect(prompt.startsWith(request)).toBe(true);
  const rest = prompt.slice(request.length);
  if (rest !== "") expect(rest.startsWith("\n\n---\n\n")).toBe(true);
  return rest;
}

const WITH = { inputs: { "include-context": "true" } };
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
])("with include-context, %s stands quoted behind the prompt", async (_, trigger, parts) => {
  await using scenario = await startScenario();
  const context = contextIn(await promptOf(scenario, { ...trigger, ...WITH }));
  const lines = context.split("\n").filter((line) => line.startsWith("> "));
  for (const part of parts) expect(lines.filter((line) => line.includes(part))).not.toEqual([]);
});

const COMPARE = "GET /repos/octo/docs/compare/:basehead";
const BEFORE = "b".repeat(40);
const pushOn = { ...push, event: { ...Object(push.event), before: BEFORE } };

test("a push is told with the files that differ, which its event does not name", async () => {
  await using scenario = await startScenario();
  scenario.github.server.on(COMPARE, json(200, { files: [{ filename: "src/a.ts" }] }));
  expect(contextIn(await promptOf(scenario, { ...pushOn, ...WITH }))).toContain("> src/a.ts");
  const [request] = scenario.github.server.requestsTo(COMPARE);
  expect(request?.path).toContain(`/compare/${BEFORE}...${"1".repeat(40)}`);
});

test("a push whose files cannot be read goes without them, with a warning", async () => {
  await using scenario = await startScenario();
  scenario.github.server.on(COMPARE, refusal(403, "Resource not accessible by integration"));
  const result = await scenario.run({ ...pushOn, ...WITH });
  expect(result.exitCode).toBe(0);
  expect(result.warnings).toEqual([expect.stringContaining("contents: read")]);
});

test.each(
  someOf([
    ["auto", true],
    ["false", false],
    ["true", true],
  ]),
)("include-context: %s, with a request by phrase: %s", async (value, has) => {
  await using scenario = await startScenario();
  const asking = byPhrase(comment("/docs explain retries"), { "include-context": value });
  const context = contextIn(await promptOf(scenario, asking), "explain retries");
  expect(context !== "").toBe(has);
});

test("the changed files are not asked for where they are not wanted, or there are none", async () => {
  await using scenario = await startScenario();
  await scenario.run(byPhrase(comment("/docs explain retries")));
  await scenario.run(byPhrase(reviewComment("/docs explain"), { "include-context": "false" }));
  expect(scenario.github.server.requestsTo(FILES)).toEqual([]);
});
