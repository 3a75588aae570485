import { expect, test } from "vitest";
import { closeAfterRequest, json, text } from "../support/answers.ts";
import {
  BUILD,
  build,
  onPull,
  PREVIEW,
  PREVIEW_URL,
  startDeployScenario,
  UPDATE,
} from "../support/deploy-scenario.ts";
import { someOf } from "../support/sample.ts";

test("a request whose answer is lost is sent again, because a second build replaces the first", async () => {
  await using scenario = await startDeployScenario();
  scenario.service.on(UPDATE, closeAfterRequest, json(202, { statusId: "build_1" }));
  const result = await scenario.run();
  expect(result.exitCode).toBe(0);
  expect(scenario.service.requestsTo(UPDATE)).toHaveLength(2);
  expect(result.outputs).toMatchObject({ status: "success", statusId: "build_1" });
  expect(scenario.states().map((states) => states.at(-1))).toEqual(["success"]);
});

test("a request whose answer is lost each time is service-unavailable", async () => {
  await using scenario = await startDeployScenario();
  scenario.service.on(UPDATE, closeAfterRequest);
  const result = await scenario.run({ fastClock: 10 });
  expect(result.exitCode).toBe(1);
  expect(scenario.service.requestsTo(UPDATE)).toHaveLength(6);
  expect(result.outputs.errorKind).toBe("service-unavailable");
  expect(scenario.states()).toEqual([["queued", "error"]]);
});

test("a limit is waited out, as the service says", async () => {
  await using scenario = await startDeployScenario();
  const limit = json(429, { error: "Too many" }, { "retry-after": "1" });
  scenario.service.on(UPDATE, limit, json(202, { statusId: "build_1" }));
  const result = await scenario.run();
  expect(result.exitCode).toBe(0);
  const [first, second] = scenario.service.requestsTo(UPDATE);
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(990);
});

test("a limit that lasts longer than the time limit is rate-limited", async () => {
  await using scenario = await startDeployScenario();
  scenario.service.on(PREVIEW, json(429, { error: "Too many" }, { "retry-after": "3600" }));
  const result = await scenario.run(onPull(scenario));
  expect(result.outputs.errorKind).toBe("rate-limited");
  expect(result.outputs.errorMessage).toContain("5 previews a minute");
  expect(scenario.states()).toEqual([["queued", "failure"]]);
});

test.each(
  someOf([
    [400, "bad-request", "no such branch"],
    [422, "bad-request", "no such branch"],
    [401, "unauthorized", "`api-key`"],
    [
      403,
      "forbidden",
      "Check that your plan includes previews, that the key has the scope `write`",
    ],
    [404, "not-found", "`project-id`"],
  ] as const),
)("a build that is refused with %i is %s", async (status, kind, words) => {
  await using scenario = await startDeployScenario();
  scenario.service.on(PREVIEW, json(status, { error: "There is no such branch" }));
  const result = await scenario.run(onPull(scenario));
  expect(result.exitCode).toBe(1);
  expect(scenario.service.requestsTo(PREVIEW)).toHaveLength(1);
  expect(result.outputs.errorKind).toBe(kind);
  expect(result.outputs.errorMessage).toContain(words);
  expect(result.outputs.status ?? "").toBe("");
  expect(scenario.states()).toEqual([["queued", "failure"]]);
});

test("without waiting, the outputs and the deployment are left at queued", async () => {
  await using scenario = await startDeployScenario();
  const inputs = { wait: "false" };
  const result = await scenario.run(onPull(scenario, inputs));
  expect(result.exitCode).toBe(0);
  expect(scenario.service.requestsTo(BUILD)).toEqual([]);
  expect(result.outputs).toMatchObject({ status: "queued", url: PREVIEW_URL });
  expect(new Set(scenario.states().flat())).toEqual(new Set(["queued"]));
  expect(scenario.github.deployments[0]?.statuses.at(-1)?.environment_url).toBe(PREVIEW_URL);
});

test("a time limit is an error, but says neither success nor failure", async () => {
  await using scenario = await startDeployScenario();
  scenario.service.on(BUILD, json(200, build("in_progress")));
  const result = await scenario.run({ inputs: { "timeout-minutes": "0.01" } });
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ errorKind: "timeout", status: "in_progress" });
  const states = new Set(scenario.states().flat());
  expect(states).toEqual(new Set(["queued", "in_progress"]));
});

test("a build that polls no longer find is not-found", async () => {
  await using scenario = await startDeployScenario();
  scenario.service.on(BUILD, json(404, { error: "Build not found" }));
  const inputs = { "poll-interval-seconds": "1", "poll-max-interval-seconds": "5" };
  const result = await scenario.run({ fastClock: 20, inputs });
  expect(result.outputs.errorKind).toBe("not-found");
  expect(scenario.states()).toEqual([["queued", "error"]]);
});

test("failed polls are repeated, with one warning at their beginning and one at their end", async () => {
  await using scenario = await startDeployScenario();
  const good = json(200, build("success"));
  scenario.service.on(BUILD, json(500, {}), text(200, "<html>"), good);
  const result = await scenario.run();
  expect(result.exitCode).toBe(0);
  expect(result.warnings).toHaveLength(2);
});

test("a preview whose address is not safe is not linked, with a warning", async () => {
  await using scenario = await startDeployScenario();
  const previewUrl = "javascript:alert(1)";
  scenario.service.on(PREVIEW, json(202, { statusId: "build_1", previewUrl }));
  const result = await scenario.run(onPull(scenario));
  expect(result.exitCode).toBe(0);
  expect(result.warnings).toEqual([expect.stringContaining("URL is not shown")]);
  expect(result.outputs.url ?? "").toBe("");
  expect(JSON.stringify(scenario.github.deployments)).not.toContain("javascript");
});

test("of a long log, the output has the end", async () => {
  await using scenario = await startDeployScenario();
  const logs = Array.from({ length: 4_000 }, (_, nth) => `line ${nth} ${"x".repeat(60)}`);
  scenario.service.on(BUILD, json(200, build("failure", { logs, summary: "It broke." })));
  const result = await scenario.run();
  expect(result.outputs.errorKind).toBe("build-failed");
  expect(result.outputs.logs?.length).toBe(100_000);
  expect(result.outputs.logs?.endsWith(logs.at(-1) ?? "")).toBe(true);
  expect(result.errors[0]).toContain("line 3999");
  expect(result.errors[0]?.length).toBeLessThan(5_000);
});

test("one error reports every invalid input, and nothing is sent", async () => {
  await using scenario = await startDeployScenario();
  const inputs = {
    "api-key": "two words",
    "project-id": "..",
    url: "docs",
    comment: "true",
    "timeout-minutes": "x",
    "base-url": "http://api.example",
  };
  const result = await scenario.run({ inputs });
  expect(result.outputs.errorKind).toBe("invalid-input");
  for (const name of Object.keys(inputs)) expect(result.errors[0]).toContain(`${name}: `);
  expect(scenario.service.requests).toEqual([]);
  expect(scenario.github.server.requests).toEqual([]);
});
