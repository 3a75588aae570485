// Who may ask, through the bundle. Every event with everybody: test/trust/hostile/outsiders.test.ts.
import { expect, test } from "vitest";
import type { RunResult } from "../../emulator/runner/runner.ts";
import { json } from "../support/answers.ts";
import { byPhrase, comment, review, reviewComment } from "../support/phrase-events.ts";
import { someOf } from "../support/sample.ts";
import { CREATE, type Scenario, startScenario } from "../support/scenario.ts";

const PERMISSION = "GET /repos/octo/docs/collaborators/:user/permission";
const READ = json(200, { permission: "read", role_name: "read" });
const NOBODY = comment("Thanks for the /docs!");

/** The step is green, says so in one line, and has asked the service for nothing. */
function expectNothing(scenario: Scenario, result: RunResult, word: string): void {
  expect(result).toMatchObject({ exitCode: 0, errors: [], warnings: [] });
  expect(result.outputs).toEqual({ status: "skipped" });
  expect(result.visible.filter((line) => line !== "")).toEqual([expect.stringContaining(word)]);
  expect([scenario.asked(), scenario.github.bodies]).toEqual([[], []]);
}

/** Whoever asked sees that they may not, and the log says how to allow them. */
function expectRefused(scenario: Scenario, result: RunResult, word: string): void {
  expectNothing(scenario, result, word);
  expect(result.visible.join("")).toContain("`allowed-users`");
  expect(result.summary).toContain(word);
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
  expectRefused(scenario, await scenario.run(byPhrase(asking)), "helper");
  expect(scenario.github.server.requestsTo(PERMISSION)).toEqual([]);
  await scenario.run(byPhrase(asking, { "allowed-bots": "helper[bot]", wait: "false" }));
  expect(scenario.asked()).toEqual([CREATE]);
  expect(scenario.github.server.requestsTo(PERMISSION)).toHaveLength(1);
});

test("whoever lacks the permission is refused, and not told how to ask, unless named or allowed to", async () => {
  await using scenario = await startScenario();
  scenario.github.answer("permission", READ);
  const by = { login: "stranger", type: "User" };
  for (const body of ["/docs", "/docs explain"]) {
    const asking = comment(body, { by });
    expectRefused(scenario, await scenario.run(byPhrase(asking)), "write is required");
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
  expectRefused(scenario, await scenario.run(NOBODY), "write is required");
  expect(scenario.github.reactions).toEqual([]);
});

test.each(someOf([review, reviewComment]))(
  "a review of a pull request from a fork, without secrets, ends green with a word",
  async (on) => {
    await using scenario = await startScenario();
    const asking = on("/docs go", { subject: { head: { repo: { full_name: "stranger/docs" } } } });
    const result = await scenario.run(byPhrase(asking, { "api-key": "" }));
    expectNothing(scenario, result, "in a comment on the pull request itself");
    expect(result.summary).toContain("from a fork");
    expect(scenario.github.server.requests).toEqual([]);
    // Where the secrets are passed, it is a request like any other.
    await scenario.run(byPhrase(asking, { wait: "false" }));
    expect(scenario.asked()).toEqual([CREATE]);
  },
);

test("a request without a key says that forks get no secrets", async () => {
  await using scenario = await startScenario();
  const result = await scenario.run(byPhrase(comment("/docs explain"), { "api-key": "" }));
  expect(result.outputs.errorKind).toBe("invalid-input");
  expect(result.errors.join()).toContain("fork");
  expect(scenario.asked()).toEqual([]);
});
