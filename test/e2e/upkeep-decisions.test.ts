import { expect, test } from "vitest";
import { hangBeforeHeaders } from "../support/answers.ts";
import { startFaultyServer } from "../support/faulty-server.ts";
import { CREATE_IN_WORLD } from "../support/ledger-setup.ts";
import { someOf } from "../support/sample.ts";
import { setUpUpkeep } from "../support/upkeep-setup.ts";

const HOUR = 60 * 60_000;

test("a change that the service may have received needs a decision, and a tick hands it over again once", async () => {
  await using scene = await setUpUpkeep({
    service: { faults: [{ route: "v2-create", status: 500 }] },
  });
  await scene.history.land({ title: "Perhaps" });
  const first = await scene.run();
  expect(first.exitCode).toBe(1);
  expect(first.outputs).toMatchObject({ errorKind: "create-uncertain", needsDecisionCount: "1" });
  expect(first.outputs.errorMessage).toContain('under "Needs a decision" on the dashboard issue');
  expect(first.outputs.errorMessage).not.toContain("job-id");
  await scene.passTime();
  expect((await scene.run()).outputs).toMatchObject({ result: "idle", needsDecisionCount: "1" });
  expect(await scene.prompts()).toEqual([]);
  const body = await scene.body();
  expect(body).toMatch(/## Needs a decision\n\n- \[`Perhaps`\].*The service may have received/);
  expect(body).toContain("starts another one.\n  - [ ] <!-- again:");

  await scene.tick();
  const ticked = await scene.run();
  expect(ticked.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(ticked.outputs.needsDecisionCount).toBe("0");
  await scene.passTime();
  expect((await scene.run()).outputs).toMatchObject({ result: "idle", changeCount: "0" });
  expect(await scene.prompts()).toHaveLength(1);
});

test('a tick at "Leave all of these" hands none of these changes over again', async () => {
  const faults = [{ route: "v2-create" as const, status: 500, times: 3 }];
  await using scene = await setUpUpkeep({ service: { faults } });
  for (const title of ["One", "Two", "Three"]) {
    await scene.history.land({ title });
    await scene.run();
    await scene.passTime();
  }
  const body = await scene.body();
  expect(body).toMatch(/- \[ \] <!-- leave:\S+ --> Leave all of these/);
  expect(body.match(/<!-- leave:/g)).toHaveLength(4);
  await scene.editDashboard({ body: body.replace("- [ ] <!-- leave:", "- [x] <!-- leave:") });
  await scene.history.land({ title: "Four" });
  const run = await scene.run();
  expect(run.outputs).toMatchObject({ result: "started", needsDecisionCount: "0" });
  expect(JSON.parse(run.outputs.changes ?? "")).toMatchObject([{ title: "Four" }]);
  expect(await scene.body()).toMatch(/## Done\n\n- Left ← \[`Three`\]/);
  expect(await scene.body()).toContain("3 not documented");
});

test("a change that was handed over max-attempts times needs a decision", async () => {
  await using scene = await setUpUpkeep({ steering: { durationMs: 0, outcome: "failed" } });
  await scene.history.land();
  const inputs = { "max-attempts": "1" };
  await scene.run({ inputs });
  await scene.passTime();
  const second = await scene.run({ inputs });
  expect(second.outputs).toMatchObject({ result: "idle", needsDecisionCount: "1" });
});

test.each(someOf([["active"], ["reindexing"]]))(
  "a job that stays %s longer than job-deadline-hours needs a decision, and its late end is still recorded",
  async (status) => {
    await using scene = await setUpUpkeep({ steering: { durationMs: null } });
    await scene.history.land({ title: "Slow" });
    const first = await scene.run();
    const { jobId = "" } = first.outputs;
    await scene.world.service.setJob(jobId, { status });
    const inputs = { "job-deadline-hours": "2" };
    await scene.history.advance(HOUR);
    await scene.history.land({ title: "Next" });
    const busy = await scene.run({ inputs });
    expect(busy.outputs.result).toBe("busy");
    const ofStatus = busy.warnings.filter((text) => text.includes('has the status "reindexing"'));
    expect(ofStatus).toHaveLength(status === "reindexing" ? 1 : 0);
    await scene.history.advance(1.5 * HOUR);
    const later = await scene.run({ inputs });
    expect(later.outputs).toMatchObject({ result: "started", needsDecisionCount: "1" });
    expect(await scene.body()).toContain("at work for more than 2 hours");
    await scene.world.service.setJob(jobId, { status: "completed" });
    const last = await scene.run({ inputs });
    expect(JSON.parse(last.outputs.finished ?? "")).toMatchObject([{ jobId, status: "completed" }]);
    expect(last.outputs.needsDecisionCount).toBe("0");
  },
);

test("a run that is cancelled while it sends records an uncertain batch, and its post step has nothing to do", async () => {
  await using scene = await setUpUpkeep();
  await using service = await startFaultyServer();
  service.on(CREATE_IN_WORLD, hangBeforeHeaders);
  await scene.history.land();
  const running = scene.start({ inputs: { "base-url": service.url } });
  await service.waitForRequest(CREATE_IN_WORLD);
  running.signal("SIGINT");
  const cancelled = await running.result;
  expect(cancelled.exitCode).toBe(1);
  expect(cancelled.outputs).toMatchObject({ errorKind: "cancelled", result: "" });
  expect(scene.ledger().ledger.batches).toMatchObject([{ state: "uncertain" }]);
  const { state } = cancelled;
  const post = await scene.run({ entry: "post", state, inputs: { "base-url": service.url } });
  expect(post.visible).toEqual([]);
  expect((await scene.run()).outputs).toMatchObject({ needsDecisionCount: "1" });
});

test("a follow-up that its job refuses becomes a new job, and a failed job gets no further follow-up", async () => {
  await using scene = await setUpUpkeep();
  await scene.history.land({ title: "One" });
  const first = await scene.run();
  await scene.passTime();
  await scene.history.land({ title: "Two" });
  await scene.world.service.addFault({ route: "v2-message", status: 400 });
  const refused = await scene.run();
  expect(refused.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(refused.outputs.jobId).not.toBe(first.outputs.jobId);

  await scene.passTime();
  await scene.history.land({ title: "Three" });
  const third = await scene.run({ inputs: { prompt: "Do it.\nemulate: outcome=failed" } });
  expect(third.outputs).toMatchObject({ result: "continued", jobId: refused.outputs.jobId });
  await scene.passTime();
  const fourth = await scene.run();
  expect(fourth.outputs).toMatchObject({ result: "started", changeCount: "1" });
});
