import { expect, test } from "vitest";
import { hangBeforeHeaders } from "../support/answers.ts";
import { startFaultyServer } from "../support/faulty-server.ts";
import { RequestGate } from "../support/request-gate.ts";
import { someOf } from "../support/sample.ts";
import { setUpUpkeep } from "../support/upkeep-setup.ts";

const CREATE = "POST /v2/agent/acme-docs/job";

test("what the service may have received needs a decision, and a tick hands it over again exactly once", async () => {
  await using scene = await setUpUpkeep({
    service: { faults: [{ route: "v2-create", status: 500 }] },
  });
  await scene.history.land({ title: "Perhaps" });
  const first = await scene.run();
  expect(first.exitCode).toBe(1);
  expect(first.outputs).toMatchObject({ errorKind: "create-uncertain", needsDecisionCount: "1" });
  await scene.passTime();
  expect((await scene.run()).outputs).toMatchObject({ result: "idle", needsDecisionCount: "1" });
  expect(await scene.prompts()).toEqual([]);
  expect(await scene.body()).toMatch(/## Needs a decision[\s\S]*- \[ \] <!-- again=.*`Perhaps`/);

  await scene.tick();
  const ticked = await scene.run();
  expect(ticked.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(ticked.outputs.needsDecisionCount).toBe("0");
  await scene.passTime();
  expect((await scene.run()).outputs).toMatchObject({ result: "idle", changeCount: "0" });
  expect(await scene.prompts()).toHaveLength(1);
  expect(await scene.body()).toContain("1 of 1 change covered");
});

test("a failed job's changes are handed over again until `max-attempts`, then need a decision", async () => {
  await using scene = await setUpUpkeep({ steering: { durationMs: 0, outcome: "failed" } });
  const inputs = { "max-attempts": "2" };
  await scene.history.land({ title: "Too hard" });
  expect((await scene.run({ inputs })).outputs.result).toBe("started");
  await scene.passTime();
  const second = await scene.run({ inputs });
  expect(second.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(JSON.parse(second.outputs.finished ?? "")).toMatchObject([{ status: "failed" }]);
  await scene.passTime();
  const third = await scene.run({ inputs });
  expect(third.outputs).toMatchObject({ result: "idle", needsDecisionCount: "1" });
  expect(await scene.body()).toContain("handed over 2 times");
  expect(await scene.prompts()).toHaveLength(2);
  await scene.tick();
  expect((await scene.run({ inputs })).outputs).toMatchObject({ result: "started" });
});

test("a job that the service does not know gives its changes back", async () => {
  await using scene = await setUpUpkeep();
  await scene.history.land();
  const first = await scene.run();
  await scene.passTime();
  await scene.world.service.addFault({ route: "v2-get", status: 404 });
  const second = await scene.run();
  expect(second.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(second.outputs.jobId).not.toBe(first.outputs.jobId);
  expect(JSON.parse(second.outputs.finished ?? "")).toMatchObject([{ status: "unknown" }]);
});

test("an archived job's batch is done", async () => {
  await using scene = await setUpUpkeep({ steering: { durationMs: 0, outcome: "archived" } });
  await scene.history.land();
  await scene.run();
  await scene.passTime();
  const run = await scene.run();
  expect(JSON.parse(run.outputs.finished ?? "")).toMatchObject([{ status: "archived" }]);
  expect(await scene.body()).toContain("1 of 1 change covered");
});

test("a poll that fails leaves the batch running, green", async () => {
  await using scene = await setUpUpkeep();
  await scene.history.land();
  await scene.run();
  await scene.passTime();
  await scene.world.service.addFault({ route: "v2-get", status: 503, times: 9 });
  const run = await scene.run();
  expect(run.exitCode).toBe(0);
  expect(run.outputs).toMatchObject({ result: "busy", finished: "[]" });
  expect(run.warnings.join()).toContain("could not be polled");
});

test("the post step writes down that a request was on its way when its run was killed", async () => {
  await using scene = await setUpUpkeep();
  await using service = await startFaultyServer();
  service.on(CREATE, hangBeforeHeaders);
  await scene.history.land({ title: "On its way" });
  const running = scene.start({ inputs: { "base-url": service.url } });
  await service.waitForRequest(CREATE);
  running.signal("SIGKILL");
  const { state } = await running.result;

  expect((await scene.run()).outputs).toMatchObject({ result: "busy", changeCount: "0" });
  const post = await scene.run({ entry: "post", state, inputs: { "base-url": service.url } });
  expect(post.exitCode).toBe(0);
  expect((await scene.comments()).join()).toContain(
    "may have been received by the service and needs a decision",
  );
  const later = await scene.run();
  expect(later.outputs).toMatchObject({ result: "idle", needsDecisionCount: "1" });
  expect(await scene.prompts()).toEqual([]);
});

test("without a post step, the claim of a killed run needs a decision after ten minutes", async () => {
  await using scene = await setUpUpkeep();
  await using service = await startFaultyServer();
  service.on(CREATE, hangBeforeHeaders);
  await scene.history.land({ title: "On its way" });
  const running = scene.start({ inputs: { "base-url": service.url } });
  await service.waitForRequest(CREATE);
  running.signal("SIGKILL");
  await running.result;
  await scene.history.advance(11 * 60_000);
  const later = await scene.run();
  expect(later.outputs).toMatchObject({ result: "idle", needsDecisionCount: "1" });
  expect(await scene.body()).toContain("the service may have received it");
  expect(await scene.prompts()).toEqual([]);
});

test("a run that is cancelled while it sends says what is known, and its post step finds nothing to do", async () => {
  await using scene = await setUpUpkeep();
  await using service = await startFaultyServer();
  service.on(CREATE, hangBeforeHeaders);
  await scene.history.land();
  const running = scene.start({ inputs: { "base-url": service.url } });
  await service.waitForRequest(CREATE);
  running.signal("SIGINT");
  const cancelled = await running.result;
  expect(cancelled.exitCode).toBe(1);
  expect(cancelled.outputs).toMatchObject({ errorKind: "cancelled", result: "" });
  const { state } = cancelled;
  const post = await scene.run({ entry: "post", state, inputs: { "base-url": service.url } });
  expect(post.visible).toEqual([]);
  expect((await scene.comments()).join()).toContain(
    "may have been received by the service and needs a decision",
  );
  expect((await scene.run()).outputs).toMatchObject({ needsDecisionCount: "1" });
});

test.each(
  someOf([
    ["written", "after" as const, "busy"],
    ["not written", "before" as const, "started"],
  ]),
)(
  "an intent that was %s, its answer lost: nothing is sent, and a later run hands the changes over",
  async (_, when, next) => {
    await using scene = await setUpUpkeep();
    await scene.run();
    await scene.history.land({ title: "In doubt" });
    const at = /^POST .*\/comments$/;
    await using gate = new RequestGate({ at, when, breaks: true });
    const apiUrl = await gate.before(scene.world.github.url);
    const before = (await scene.comments()).length;
    const run = await scene.run({ apiUrl });
    expect(run.exitCode).toBe(1);
    expect(run.outputs).toMatchObject({ errorKind: "github-unavailable" });
    expect(run.outputs.errorMessage).toContain("Nothing was sent");
    expect(gate.requests.filter((it) => at.test(it))).toHaveLength(1);
    expect(await scene.comments()).toHaveLength(when === "after" ? before + 1 : before);
    expect(await scene.prompts()).toEqual([]);

    expect((await scene.run()).outputs.result).toBe(next);
    await scene.history.advance(11 * 60_000);
    const later = await scene.run();
    expect(later.outputs.result).toBe(when === "after" ? "started" : "idle");
    expect(later.outputs.needsDecisionCount).toBe("0");
    const prompts = await scene.prompts();
    expect(prompts).toHaveLength(1);
    expect(prompts[0]).toContain("In doubt");
  },
);
