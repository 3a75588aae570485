import { expect, test } from "vitest";
import type { RunOptions, RunResult } from "../../../emulator/runner/runner.ts";
import { json, redirect, text } from "../../support/answers.ts";
import { recordingConnections } from "../../support/check-run.ts";
import { checkScenario } from "../../support/check-scenario.ts";
import { type GitHubCall, refusal } from "../../support/github.ts";
import { ALL_HOSTILE, CANARY, hostile } from "../../support/hostile-texts.ts";
import { comment, review } from "../../support/phrase-events.ts";
import { sampleOf, someOf } from "../../support/sample.ts";
import { CREATE, type Scenario, startScenario } from "../../support/scenario.ts";

const WHOLE = ALL_HOSTILE.join("\n");
const STATUSES = [400, 401, 403, 404, 410, 422, 429, 451, 500, 502];

async function run(scenario: Scenario, options: RunOptions = {}): Promise<RunResult> {
  return await scenario.run(recordingConnections({ debug: true, ...options }));
}

test.each(sampleOf(STATUSES, 2, "refusals"))(
  "a refusal with %i and a hostile message causes a warning without that message",
  async (status) => {
    await using scenario = await startScenario();
    const calls: GitHubCall[] = ["create-comment", "react"];
    for (const call of calls)
      scenario.github.answer(call, refusal(status, WHOLE, { "x-h0stile": "::error::h0stile" }));
    // A limit without a time is waited out for a minute.
    const result = await run(scenario, status === 429 ? { fastClock: 60 } : {});
    expect(checkScenario(result, scenario)).toEqual([]);
    expect(result).toMatchObject({ exitCode: 0, errors: [] });
    expect(result.visible.join("\n")).not.toContain(CANARY);
  },
);

test.each(
  someOf([
    ["HTML", text(200, `<p>${WHOLE}</p>`)],
    ["JSON of hostile fields", json(201, { id: WHOLE, html_url: { toString: WHOLE } })],
    ["a list", json(200, ALL_HOSTILE)],
    ["a redirect", redirect(302, "https://h0stile.example/")],
  ]),
)(
  "if GitHub answers a new comment with %s, the step succeeds and logs nothing of it",
  async (_, answer) => {
    await using scenario = await startScenario();
    scenario.github.answer("create-comment", answer);
    const result = await run(scenario);
    expect(checkScenario(result, scenario)).toEqual([]);
    expect(result).toMatchObject({ exitCode: 0, errors: [] });
    expect(result.visible.join("\n")).not.toContain(CANARY);
  },
);

test.each(
  someOf([
    ["an error", { errors: [{ message: WHOLE, type: hostile(0), path: ALL_HOSTILE }] }],
    ["no data", { data: null, [hostile(0)]: WHOLE }],
  ]),
)("if GraphQL answers a reaction with %s, the step succeeds", async (_, body) => {
  await using scenario = await startScenario();
  scenario.github.server.on("POST /graphql", json(200, body));
  const result = await run(scenario, {
    ...review("/docs go"),
    inputs: { "trigger-phrase": "/docs", "include-context": "false" },
  });
  expect(checkScenario(result, scenario)).toEqual([]);
  expect(result.exitCode).toBe(0);
});

test("comments with forged markers are ignored, and a new job is started", async () => {
  await using scenario = await startScenario();
  for (const body of ALL_HOSTILE) await scenario.github.addComment(7, body, "github-actions[bot]");
  const result = await run(scenario, {
    ...comment("/docs go"),
    attempt: 2,
    inputs: { "trigger-phrase": "/docs" },
  });
  expect(checkScenario(result, scenario)).toEqual([]);
  expect(scenario.asked()[0]).toBe(CREATE);
  expect(scenario.service.requestsTo(CREATE)).toHaveLength(1);
});

const SKIPPED = { exitCode: 0, outputs: { status: "skipped" } };
const UNREADABLE = { exitCode: 1, outputs: { errorKind: "github-unavailable" } };

test.each<[answer: unknown, expected: object]>(
  someOf([
    [{ permission: WHOLE, role_name: hostile(0) }, SKIPPED],
    [{ permission: { toString: "admin" }, role_name: ["admin"] }, UNREADABLE],
    [{ permission: "ADMIN", role_name: "admin\n" }, SKIPPED],
    [{ __proto__: null, role_name: "__proto__", permission: "constructor" }, SKIPPED],
    [null, UNREADABLE],
    [WHOLE, UNREADABLE],
  ]),
)("an invalid permission (%#) does not allow a request", async (answer, expected) => {
  await using scenario = await startScenario();
  scenario.github.answer("permission", json(200, answer));
  const result = await run(scenario, {
    ...comment("/docs go"),
    inputs: { "trigger-phrase": "/docs" },
  });
  expect(checkScenario(result, scenario)).toEqual([]);
  expect(result).toMatchObject(expected);
  expect(scenario.asked()).toEqual([]);
});
