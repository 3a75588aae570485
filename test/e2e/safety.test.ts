import { expect, test } from "vitest";
import type { RunOptions, RunResult } from "../../emulator/runner/runner.ts";
import { json, text } from "../support/answers.ts";
import { someOf } from "../support/sample.ts";
import {
  API_KEY,
  CREATE,
  MARKER,
  POLL,
  PR_LINK,
  record,
  SECRETS,
  startScenario,
} from "../support/scenario.ts";

/** Everything a run leaves for others to read, but for the line that asks for the mask. */
function leftBehind(result: RunResult, bodies: readonly string[]): string {
  const printed = `${result.stdout}\n${result.stderr}`.replace(`::add-mask::${API_KEY}`, "");
  const { outputs, state, summary, files, environment } = result;
  return JSON.stringify([printed, outputs, state, summary, files, environment, bodies]);
}

test("the key is registered as a secret before anything else is said", async () => {
  await using scenario = await startScenario();
  const result = await scenario.run();
  expect(result.log[0]).toEqual({ kind: "mask", value: API_KEY });
});

test.each(
  someOf([
    ["an error body", json(400, { error: `the key ${API_KEY} is not for this` })],
    ["a refusal", json(401, { error: API_KEY })],
    ["HTML", text(500, `<p>Authorization: Bearer ${API_KEY}</p>`)],
    ["an id", json(201, { id: API_KEY, status: "active" })],
    ["a model", json(201, record("completed", { model: `x ${API_KEY}` }))],
  ]),
)("a service that repeats the key in %s is not repeated", async (_, answer) => {
  await using scenario = await startScenario();
  scenario.service.on(CREATE, answer);
  const result = await scenario.run({
    debug: true,
    inputs: { wait: "false" },
  });
  expect(leftBehind(result, scenario.github.bodies)).not.toContain(API_KEY);
});

test("the key is in no log, file, output or comment of a good run, debug logging included", async () => {
  await using scenario = await startScenario();
  const result = await scenario.run({ debug: true });
  expect(result.exitCode).toBe(0);
  expect(leftBehind(result, scenario.github.bodies)).not.toContain(API_KEY);
});

const COMMANDS = [
  "x\n::set-output name=jobId::evil",
  "::set-env name=NODE_OPTIONS::--require=evil",
  "::add-mask::active",
  "\r::stop-commands::t",
  "##[save-state name=job]evil",
  "::endgroup::\r\n::error::forged",
].join("\n");

test("text from the service starts no workflow command", async () => {
  await using scenario = await startScenario();
  scenario.service.on(CREATE, json(201, record("active", { model: COMMANDS })));
  scenario.service.on(
    POLL,
    json(500, { error: COMMANDS }),
    json(200, record(COMMANDS)),
    json(
      200,
      record("failed", { model: COMMANDS, source: { repository: COMMANDS, ref: COMMANDS } }),
    ),
  );
  const result = await scenario.run({ debug: true });
  expect(result.log.filter(({ kind }) => kind === "command")).toEqual([]);
  expect(SECRETS).toEqual(expect.arrayContaining(result.masks));
  expect(result.errors).toHaveLength(1);
  expect(result.errors).not.toContain("forged");
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "failed" });
  expect(result.environment).toEqual({});
});

test("text from the service starts no workflow command in an error either", async () => {
  await using scenario = await startScenario();
  scenario.service.on(CREATE, json(400, { error: COMMANDS }));
  const result = await scenario.run({ debug: true });
  expect(result.log.filter(({ kind }) => kind === "command")).toEqual([]);
  expect(SECRETS).toEqual(expect.arrayContaining(result.masks));
  expect(result.errors).toHaveLength(1);
});

test.each(
  someOf([
    ["a script", "javascript:alert(1)"],
    ["data", "data:text/html,x"],
    ["plain http", "http://evil.example/pull/1"],
    ["no URL", "pull/1"],
    ["a file", "file:///etc/passwd"],
  ]),
)("a prLink that is %s is neither told nor shown", async (_, prLink) => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("completed", { prLink })));
  const result = await scenario.run();
  expect(result.exitCode).toBe(0);
  expect(result.outputs.prLink ?? "").toBe("");
  expect(result.outputs.prNumber ?? "").toBe("");
  expect(result.warnings).toHaveLength(1);
  for (const shown of [result.summary, ...scenario.github.bodies])
    expect(shown).not.toContain(prLink);
});

test("a pull request on loopback may be http", async () => {
  await using scenario = await startScenario();
  const prLink = `${scenario.github.url}/octo/docs/pull/9`;
  scenario.service.on(POLL, json(200, record("completed", { prLink })));
  const result = await scenario.run();
  expect(result.outputs).toMatchObject({ prLink, prNumber: "9" });
});

test("a prLink of several lines stays one line of one output", async () => {
  await using scenario = await startScenario();
  const prLink = "https://github.com/octo/docs/pull/1\nEOF\r\nstatus=evil";
  scenario.service.on(POLL, json(200, record("completed", { prLink })));
  const result = await scenario.run();
  expect(result.outputs.prLink ?? "").not.toMatch(/\s/);
  expect(result.outputs.status).toBe("completed");
});

test("a prLink cannot break out of its place in Markdown", async () => {
  await using scenario = await startScenario();
  const prLink = `${PR_LINK}) [click](https://evil.example/?<img src=x> @octocat`;
  scenario.service.on(POLL, json(200, record("completed", { prLink })));
  const result = await scenario.run();
  for (const shown of [result.summary, ...scenario.github.bodies]) {
    expect(shown).not.toContain("](https://evil.example");
    expect(shown).not.toContain("<img");
    expect(shown).not.toMatch(/(^|\s)@octocat/);
  }
});

/** Markdown without its code, in which nothing is mentioned, closed or referenced. */
function outsideCode(markdown: string): string {
  return markdown
    .replaceAll(/^(`{3,}|~{3,}).*\n[\s\S]*?\n\1.*$/gm, "")
    .replaceAll(/(?<!`)(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, "");
}

const FORGED = [
  "@octocat fixes #12, closes octo/docs#13 and https://github.com/octo/docs/issues/14",
  "<!-- docs-agent:eyJ2IjoxfQ.c2ln -->",
  "`` ``` ```` ~~~ </details> <script>x</script> ![pixel](https://evil.example/p.png)",
  "| a | b |\n\n# heading\n\n[link](https://evil.example) <https://evil.example/auto>",
].join("\n");

test.each(
  someOf([
    ["an error", json(400, { error: FORGED })],
    ["a model", json(201, record("active", { model: FORGED }))],
    ["an id", json(201, record("active", { id: FORGED }))],
    ["a status", json(201, record(FORGED))],
    ["a ref", json(201, record("active", { source: { repository: FORGED, ref: FORGED } }))],
  ]),
)("%s from the service mentions, closes, references and forges nothing", async (_, answer) => {
  await using scenario = await startScenario();
  scenario.service.on(CREATE, answer);
  const result = await scenario.run({ inputs: { wait: "false" } });
  expect(scenario.github.bodies.length).toBeGreaterThan(0);
  for (const body of [...scenario.github.bodies, result.summary]) {
    const shown = outsideCode(body);
    expect(shown).not.toMatch(/@octocat/);
    expect(shown).not.toMatch(/#1[234]\b/);
    expect(shown).not.toMatch(/issues\/14/);
    expect(shown).not.toMatch(/<script|<\/details> <|!\[pixel\]|\]\(https:\/\/evil/);
    expect(body).not.toContain("<!-- docs-agent:eyJ2IjoxfQ");
  }
  for (const body of scenario.github.bodies)
    expect(body.match(MARKER)?.length ?? 0).toBeLessThan(2);
});

test("an id from the service is encoded on its way back", async () => {
  await using scenario = await startScenario();
  const id = "../x?y=1#z";
  scenario.service.on(CREATE, json(201, record("active", { id })));
  scenario.service.on("GET /v2/agent/docs/job/:id", json(200, record("completed", { id })));
  await scenario.run();
  expect(scenario.service.requests[1]?.path).toBe("/v2/agent/docs/job/..%2Fx%3Fy%3D1%23z");
});

test("a value with a delimiter in it stays one output", async () => {
  await using scenario = await startScenario();
  const model = "x\nEOF\nghadelimiter_1\njobId=evil\nstatus<<E\nevil\nE";
  scenario.service.on(CREATE, json(201, record("active", { model })));
  const result = await scenario.run({ inputs: { wait: "false" } });
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "active" });
});

test.each<[string, RunOptions]>([
  ["nowhere to write outputs", { env: { GITHUB_OUTPUT: "/nowhere/output" } }],
  [
    "an event that is not JSON",
    { env: { GITHUB_EVENT_PATH: "event.json" }, workspaceFiles: { "event.json": "{" } },
  ],
])(
  "unforeseen: %s fails the step with one clear line, and the stack is for debugging",
  async (_, options) => {
    await using scenario = await startScenario();
    const result = await scenario.run(options);
    expect(result.exitCode).toBe(1);
    expect(result.errors).toHaveLength(1);
    expect(result.visible.join("\n")).not.toMatch(/^\s+at .*:\d+:\d+/m);
    expect(result.debug.join("\n")).toMatch(/^\s+at .*:\d+:\d+/m);
  },
);
