import { expect, test } from "vitest";
import { closeAfterRequest, json, text } from "../support/answers.ts";
import { someOf } from "../support/sample.ts";
import {
  BUILD,
  build,
  onPull,
  PREVIEW,
  PREVIEW_URL,
  UPDATE,
  WITH_BUILD,
} from "../support/world/builds.ts";
import { startWorld } from "../support/world/world.ts";

test("a request whose answer is lost is sent again, because a second build replaces the first", async () => {
  await using world = await startWorld(WITH_BUILD);
  world.on(UPDATE, closeAfterRequest, json(202, { statusId: "build_1" }));
  const result = await world.run("deploy");
  expect(result.exitCode).toBe(0);
  expect(world.received(UPDATE)).toHaveLength(2);
  expect(result.outputs).toMatchObject({ status: "success", statusId: "build_1" });
  expect(
    world
      .deployments()
      .map(({ states }) => states)
      .map((states) => states.at(-1)),
  ).toEqual(["success"]);
});

test("a request whose answer is lost each time is service-unavailable", async () => {
  await using world = await startWorld(WITH_BUILD);
  world.on(UPDATE, closeAfterRequest);
  const result = await world.run("deploy", { fastClock: 10 });
  expect(result.exitCode).toBe(1);
  expect(world.received(UPDATE)).toHaveLength(6);
  expect(result.outputs.errorKind).toBe("service-unavailable");
  expect(world.deployments().map(({ states }) => states)).toEqual([["queued", "error"]]);
});

test("a limit is waited out, as the service says", async () => {
  await using world = await startWorld(WITH_BUILD);
  const limit = json(429, { error: "Too many" }, { "retry-after": "1" });
  world.on(UPDATE, limit, json(202, { statusId: "build_1" }));
  const result = await world.run("deploy");
  expect(result.exitCode).toBe(0);
  const [first, second] = world.received(UPDATE);
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(990);
});

test("a limit that lasts longer than the time limit is rate-limited", async () => {
  await using world = await startWorld(WITH_BUILD);
  world.on(PREVIEW, json(429, { error: "Too many" }, { "retry-after": "3600" }));
  const result = await world.run("deploy", onPull(world));
  expect(result.outputs.errorKind).toBe("rate-limited");
  expect(result.outputs.errorMessage).toContain("5 previews a minute");
  expect(world.deployments().map(({ states }) => states)).toEqual([["queued", "failure"]]);
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
  await using world = await startWorld(WITH_BUILD);
  world.on(PREVIEW, json(status, { error: "There is no such branch" }));
  const result = await world.run("deploy", onPull(world));
  expect(result.exitCode).toBe(1);
  expect(world.received(PREVIEW)).toHaveLength(1);
  expect(result.outputs.errorKind).toBe(kind);
  expect(result.outputs.errorMessage).toContain(words);
  expect(result.outputs.status ?? "").toBe("");
  expect(world.deployments().map(({ states }) => states)).toEqual([["queued", "failure"]]);
});

test("without waiting, the outputs and the deployment are left at queued", async () => {
  await using world = await startWorld(WITH_BUILD);
  const inputs = { wait: "false" };
  const result = await world.run("deploy", onPull(world, inputs));
  expect(result.exitCode).toBe(0);
  expect(world.received(BUILD)).toEqual([]);
  expect(result.outputs).toMatchObject({ status: "queued", url: PREVIEW_URL });
  expect(new Set(world.deployments().flatMap(({ states }) => states))).toEqual(new Set(["queued"]));
  expect(world.deployments()[0]?.last?.environment_url).toBe(PREVIEW_URL);
});

test("a time limit is an error, but says neither success nor failure", async () => {
  await using world = await startWorld(WITH_BUILD);
  world.on(BUILD, json(200, build("in_progress")));
  const result = await world.run("deploy", { inputs: { "timeout-minutes": "0.01" } });
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ errorKind: "timeout", status: "in_progress" });
  const states = new Set(world.deployments().flatMap(({ states }) => states));
  expect(states).toEqual(new Set(["queued", "in_progress"]));
});

test("a build that polls no longer find is not-found", async () => {
  await using world = await startWorld(WITH_BUILD);
  world.on(BUILD, json(404, { error: "Build not found" }));
  const inputs = { "poll-interval-seconds": "1", "poll-max-interval-seconds": "5" };
  const result = await world.run("deploy", { fastClock: 20, inputs });
  expect(result.outputs.errorKind).toBe("not-found");
  expect(world.deployments().map(({ states }) => states)).toEqual([["queued", "error"]]);
});

test("failed polls are repeated, with one warning at their beginning and one at their end", async () => {
  await using world = await startWorld(WITH_BUILD);
  const good = json(200, build("success"));
  world.on(BUILD, json(500, {}), text(200, "<html>"), good);
  const result = await world.run("deploy");
  expect(result.exitCode).toBe(0);
  expect(result.warnings).toHaveLength(2);
});

test("a preview whose address is not safe is not linked, with a warning", async () => {
  await using world = await startWorld(WITH_BUILD);
  const previewUrl = "javascript:alert(1)";
  world.on(PREVIEW, json(202, { statusId: "build_1", previewUrl }));
  const result = await world.run("deploy", onPull(world));
  expect(result.exitCode).toBe(0);
  expect(result.warnings).toEqual([expect.stringContaining("URL is not shown")]);
  expect(result.outputs.url ?? "").toBe("");
  expect(JSON.stringify(world.deployments())).not.toContain("javascript");
});

test("of a long log, the output has the end", async () => {
  await using world = await startWorld(WITH_BUILD);
  const logs = Array.from({ length: 4_000 }, (_, nth) => `line ${nth} ${"x".repeat(60)}`);
  world.on(BUILD, json(200, build("failure", { logs, summary: "It broke." })));
  const result = await world.run("deploy");
  expect(result.outputs.errorKind).toBe("build-failed");
  expect(result.outputs.logs?.length).toBe(100_000);
  expect(result.outputs.logs?.endsWith(logs.at(-1) ?? "")).toBe(true);
  expect(result.errors[0]).toContain("line 3999");
  expect(result.errors[0]?.length).toBeLessThan(5_000);
});

test("one error reports every invalid input, and nothing is sent", async () => {
  await using world = await startWorld(WITH_BUILD);
  const inputs = {
    "api-key": "two words",
    "project-id": "..",
    url: "docs",
    comment: "true",
    "timeout-minutes": "x",
    "base-url": "http://api.example",
  };
  const result = await world.run("deploy", { inputs });
  expect(result.outputs.errorKind).toBe("invalid-input");
  for (const name of Object.keys(inputs)) expect(result.errors[0]).toContain(`${name}: `);
  expect(world.asked()).toEqual([]);
});
