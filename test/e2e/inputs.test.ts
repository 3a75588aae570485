import path from "node:path";
import { expect, test } from "vitest";
import { ACTIONS } from "../../scripts/actions.ts";
import { expectInvalidInput } from "../support/expect-invalid-input.ts";
import { runAction } from "../support/run-action.ts";
import { SECRETS } from "../support/world/conversation.ts";
import { WITH_JOB } from "../support/world/jobs.ts";

import { startWorld } from "../support/world/world.ts";

test("an invalid value cannot start a workflow command", async () => {
  await using world = await startWorld(WITH_JOB);
  const wait = "x\n::set-env name=PWNED::1\r##[add-mask]e\n::stop-commands::t";
  const result = await world.run("root", { inputs: { wait } });
  expectInvalidInput(result, ["wait"]);
  expect(result.log.filter(({ kind }) => kind === "command")).toEqual([]);
  expect(SECRETS).toEqual(expect.arrayContaining(result.masks));
});

test("a base-url may end in a slash and have a path", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on("POST service /api/v2/agent/acme-docs/job", ({ response }) => {
    response.writeHead(201, { "content-type": "application/json" });
    response.end('{"id":"job_1","status":"completed"}');
  });
  const result = await world.run("root", {
    inputs: { "base-url": `${world.service.url}/api/`, wait: "false" },
  });
  expect(world.asked("service")).toEqual(["POST service /api/v2/agent/acme-docs/job"]);
  expect(result.exitCode).toBe(0);
});

test("github-api-url and github-token are used instead of the runner's", async () => {
  await using world = await startWorld(WITH_JOB);
  const result = await world.run("root", {
    apiUrl: "http://127.0.0.1:9",
    token: "ghs_OfTheRunner",
    inputs: {
      "github-api-url": world.github.url,
      "github-token": world.github.tokenOf("maintainer"),
    },
  });
  expect(result).toMatchObject({ exitCode: 0, warnings: [] });
  expect(world.comments(7)).toMatchObject([{ author: "maintainer" }]);
  for (const { headers } of world.received("github")) {
    expect(headers.authorization).toBe(`token ${world.github.tokenOf("maintainer")}`);
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
