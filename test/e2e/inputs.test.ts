import path from "node:path";
import { expect, test } from "vitest";
import { ACTIONS } from "../../scripts/actions.ts";
import { expectInvalidInput } from "../support/expect-invalid-input.ts";
import { tokenOf } from "../support/github.ts";
import { runAction } from "../support/run-action.ts";
import { SECRETS, startScenario } from "../support/scenario.ts";

test("an invalid value cannot start a workflow command", async () => {
  await using scenario = await startScenario();
  const wait = "x\n::set-env name=PWNED::1\r##[add-mask]e\n::stop-commands::t";
  const result = await scenario.run({ inputs: { wait } });
  expectInvalidInput(result, scenario, ["wait"]);
  expect(result.log.filter(({ kind }) => kind === "command")).toEqual([]);
  expect(SECRETS).toEqual(expect.arrayContaining(result.masks));
});

test("a base-url may end in a slash and have a path", async () => {
  await using scenario = await startScenario();
  scenario.service.on("POST /api/v2/agent/docs/job", ({ response }) => {
    response.writeHead(201, { "content-type": "application/json" });
    response.end('{"id":"job_1","status":"completed"}');
  });
  const result = await scenario.run({
    inputs: { "base-url": `${scenario.service.url}/api/`, wait: "false" },
  });
  expect(scenario.asked()).toEqual(["POST /api/v2/agent/docs/job"]);
  expect(result.exitCode).toBe(0);
});

test("github-api-url and github-token are used instead of the runner's", async () => {
  await using scenario = await startScenario();
  const result = await scenario.run({
    apiUrl: "http://127.0.0.1:9",
    token: "ghs_OfTheRunner",
    inputs: { "github-api-url": scenario.github.url, "github-token": tokenOf("maintainer") },
  });
  expect(result).toMatchObject({ exitCode: 0, warnings: [] });
  expect(await scenario.github.comments(7)).toMatchObject([{ user: { login: "maintainer" } }]);
  for (const { headers } of scenario.github.server.requests) {
    expect(headers.authorization).toBe(`token ${tokenOf("maintainer")}`);
  }
});

/** The gate needs no key, and without one, doctor has a finding. */
const INVALID: Record<string, Record<string, string>> = {
  gate: { draft: "often" },
  doctor: { actions: "all" },
};

test.each(ACTIONS)(
  "errors of $name have a title and a heading with the action's name",
  async (action) => {
    const folder = path.dirname(action.metadata);
    const title = action.name === "root" ? "Docs agent" : `Docs ${action.name}`;
    const { exitCode, log, summary } = await runAction({
      ...(folder === "." ? {} : { action: folder }),
      eventName: "schedule",
      inputs: INVALID[action.name] ?? { "api-key": "" },
    });
    expect(exitCode).toBe(1);
    const titles = log.flatMap((entry) =>
      entry.kind === "error" ? [entry.properties?.title] : [],
    );
    expect(titles).toEqual([`${title}: invalid inputs`]);
    expect(summary).toMatch(`### ❌ ${title}: invalid inputs\n\n`);
  },
);
