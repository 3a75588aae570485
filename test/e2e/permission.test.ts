// Who may ask, through the bundle. Every event with everybody: test/trust/hostile/outsiders.test.ts.
import { expect, test } from "vitest";
import type { RunResult } from "../../emulator/runner/runner.ts";
import { json } from "../support/answers.ts";
import { byPhrase, comment, review, reviewComment } from "../support/phrase-events.ts";
import { someOf } from "../support/sample.ts";
import { CREATE, type Scenario, startScenario } from "../support/scenario.ts";

const PERMISSION = "GET /repos/octo/docs/collaborators/:user/permission";
const READ = json(200, { permission: "read", role_name: "read" });
const LACKS_WRITE = (login: string) =>
  `\`${login}\` has \`read\` permission on \`octo/docs\`, and \`write\` is required`;
const NOBODY = comment("Thanks for the /docs!");

/** The step is green, says so in one line, and has asked the service for nothing. */
function expectNothing(scenario: Scenario, result: RunResult, word: string): void {
  expect(result).toMatchObject({ exitCode: 0, errors: [], warnings: [] });
  expect(result.outputs).toEqual({ status: "skipped" });
  expect(result.visible.filter((line) => line !== "")).toEqual([expect.stringContaining(word)]);
  expect([scenario.asked(), scenario.github.bodies]).toEqual([[], []]);
}

/** Whoever asked sees that they may not; the log and the summary say why, and how to allow them. */
function expectRefused(scenario: Scenario, result: RunResult, word: string): void {
  expectNothing(scenario, result, word);
  for (const text of [result.visible.join(""), result.summary]) {
    expect(text).toContain(word);
    expect(text).toMatch(/add .* to `allowed-(users|bots)`/);
  }
  expect(result.summary).toMatch(/^### 👎 Docs agent: not allowed\n/);
  for (const reaction of scenario.github.reactions) expect(reaction).toMatch(/ -1$/);
}

test.each<[string, Record<string, string>]>([
  ["without the phrase", {}],
  ["from a fork without secrets", { "api-key": "", "project-id": "", "github-token": "" }],
  ["with wrong inputs", { "timeout-minutes": "soon", "required-permission": "boss" }],
])("a comment %s asks nobody for anything, and nothing is told but in the log", async (...row) => {
  await using scenario = await startScenario();
  const result = await scenario.run(byPhrase(NOBODY, row[1]));
  expectNothing(scenario, result, "/docs");
  expect([result.summary, scenario.github.server.requests]).toEqual(["", []]);
});

test("an app that writes for a person does not ask until it is named, and then the person counts", async () => {
  await using scenario = await startScenario();
  const remark = { performed_via_github_app: { id: 1, slug: "helper" } };
  const asking = comment("/docs explain", { remark });
  expectRefused(
    scenario,
    await scenario.run(byPhrase(asking)),
    "`writer` posted through `helper[bot]`",
  );
  expect(scenario.github.server.requestsTo(PERMISSION)).toEqual([]);
  await scenario.run(byPhrase(asking, { "allowed-bots": "helper[bot]", wait: "false" }));
  expect(scenario.asked()).toEqual([CREATE]);
  expect(scenario.github.server.requestsTo(PERMISSION)).toHaveLength(1);
});

test.each(someOf([comment, review, reviewComment]))(
  "a bot is refused until it is named, wherever it writes: %o",
  async (on) => {
    await using scenario = await startScenario();
    scenario.github.server.on("POST /graphql", json(200, { data: {} }));
    const asking = on("/docs explain", { by: { login: "helper[bot]", type: "Bot" } });
    const result = await scenario.run(byPhrase(asking));
    expectRefused(scenario, result, "`helper[bot]` is a bot");
    expect(result.summary).toContain(`](https://github.com/octo/docs/`);
    const sent = scenario.github.server.requests.map(({ body }) => String(body)).join();
    expect(sent).toMatch(/"-1"|THUMBS_DOWN/);
    await scenario.run(byPhrase(asking, { "allowed-bots": "helper[bot]", wait: "false" }));
    expect(scenario.asked()).toEqual([CREATE]);
  },
);

const SAYING = "/docs explain";
const MAINTAINER = { login: "maintainer", type: "User" };

test.each<[string, ReturnType<typeof comment>, string]>([
  ["after HTML", comment(`<custom-tag>\n\n${SAYING}`), "readers may not see it"],
  [
    "that another account sent",
    comment(SAYING, { sender: MAINTAINER }),
    "maintainer sent the event",
  ],
])("a phrase %s: the log and the summary say how to ask", async (_, asking, why) => {
  await using scenario = await startScenario();
  const result = await scenario.run(byPhrase(asking));
  expectNothing(scenario, result, why);
  for (const text of [result.visible.join(""), result.summary]) {
    expect(text).toContain(why);
    expect(text).toContain("start a line of a new comment with /docs");
  }
  expect(scenario.github.server.requests).toEqual([]);
});

test.each(["edited", "deleted"])("a comment that is %s asks for nothing", async (action) => {
  await using scenario = await startScenario();
  const result = await scenario.run(byPhrase(comment(SAYING, { action })));
  expectNothing(scenario, result, "cannot contain a request");
  expect(result.summary).toBe("");
});

test("whoever lacks the permission is refused, and not told how to ask, unless named or allowed to", async () => {
  await using scenario = await startScenario();
  scenario.github.answer("permission", READ);
  const by = { login: "stranger", type: "User" };
  for (const body of ["/docs", "/docs explain"]) {
    const asking = comment(body, { by });
    expectRefused(scenario, await scenario.run(byPhrase(asking)), LACKS_WRITE("stranger"));
  }
  expect(scenario.github.reactions).toHaveLength(2);
  const asking = comment("/docs explain", { by });
  for (const inputs of [{ "allowed-users": "@Stranger" }, { "required-permission": "read" }]) {
    await scenario.run(byPhrase(asking, { ...inputs, wait: "false", "continue-job": "false" }));
  }
  expect(scenario.asked()).toEqual([CREATE, CREATE]);
});

test("without a phrase, too, the permission is needed, and nothing is reacted to", async () => {
  await using scenario = await startScenario();
  scenario.github.answer("permission", READ);
  expectRefused(scenario, await scenario.run(NOBODY), LACKS_WRITE("writer"));
  expect(scenario.github.reactions).toEqual([]);
});

test.each(someOf([comment, review, reviewComment]))(
  "without a key, an outsider is refused, and a writer reads that forks get no secrets: %o",
  async (on) => {
    await using scenario = await startScenario();
    const asking = byPhrase(on("/docs explain"), { "api-key": "" });
    const result = await scenario.run(asking);
    expect(result.outputs.errorKind).toBe("invalid-input");
    expect(result.errors.join()).toContain("fork");
    scenario.github.answer("permission", READ);
    expectRefused(scenario, await scenario.run(asking), LACKS_WRITE("writer"));
  },
);
