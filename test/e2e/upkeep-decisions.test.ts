import { expect, test } from "vitest";
import { hangBeforeHeaders } from "../support/answers.ts";
import { someOf } from "../support/sample.ts";
import { CREATE } from "../support/world/jobs.ts";
import { titlesIn } from "../support/world/outputs.ts";
import { HOUR, startWorld } from "../support/world/world.ts";

test("a change that the service may have received needs a decision, and a tick hands it over again once", async () => {
  await using world = await startWorld({
    service: { faults: [{ route: "v2-create", status: 500 }] },
  });
  await world.github.land({ title: "Perhaps" });
  const first = await world.run("upkeep");
  expect(first.exitCode).toBe(1);
  expect(first.outputs).toMatchObject({ errorKind: "create-uncertain", needsDecisionCount: "1" });
  expect(first.outputs.errorMessage).toContain('under "Needs a decision" on the dashboard issue');
  expect(first.outputs.errorMessage).not.toContain("job-id");
  await world.passTime();
  expect((await world.run("upkeep")).outputs).toMatchObject({
    result: "idle",
    needsDecisionCount: "1",
  });
  expect(await world.prompts()).toEqual([]);
  const body = world.dashboard("upkeep").body;
  expect(body).toMatch(
    /## Needs a decision\n\nLook at .*\n\n- \[`Perhaps`\].*: the service may have received the request: `The service/,
  );
  expect(body).toContain("`.\n  - [ ] <!-- again:");

  await world.tick("upkeep");
  const ticked = await world.run("upkeep");
  expect(ticked.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(ticked.outputs.needsDecisionCount).toBe("0");
  await world.passTime();
  expect((await world.run("upkeep")).outputs).toMatchObject({ result: "idle", changeCount: "0" });
  expect(await world.prompts()).toHaveLength(1);
});

test('a tick at "Leave all of these" hands none of these changes over again', async () => {
  const faults = [{ route: "v2-create" as const, status: 500, times: 3 }];
  await using world = await startWorld({ service: { faults } });
  const inputs = { "max-failures": "9" };
  for (const title of ["One", "Two", "Three"]) {
    await world.github.land({ title });
    await world.run("upkeep", { inputs });
    await world.passTime();
  }
  const body = world.dashboard("upkeep").body;
  expect(body).toMatch(/- \[ \] <!-- leave:\S+ --> Leave all of these/);
  expect(body.match(/<!-- leave:/g)).toHaveLength(4);
  await world.editDashboard("upkeep", {
    body: body.replace("- [ ] <!-- leave:", "- [x] <!-- leave:"),
  });
  await world.github.land({ title: "Four" });
  const run = await world.run("upkeep", { inputs });
  expect(run.outputs).toMatchObject({ result: "started", needsDecisionCount: "0" });
  expect(JSON.parse(run.outputs.changes ?? "")).toMatchObject([{ title: "Four" }]);
  expect(world.dashboard("upkeep").body).toMatch(/## Done\n\n- Left ← \[`Three`\]/);
  expect(world.dashboard("upkeep").body).toContain("3 not documented");
});

test("a change that was handed over max-attempts times needs a decision", async () => {
  await using world = await startWorld({ steering: { durationMs: 0, outcome: "failed" } });
  await world.github.land();
  const inputs = { "max-attempts": "1" };
  await world.run("upkeep", { inputs });
  await world.passTime();
  const second = await world.run("upkeep", { inputs });
  expect(second.outputs).toMatchObject({ result: "idle", needsDecisionCount: "1" });
});

test.each(someOf([["active"], ["reindexing"]]))(
  "a job that stays %s longer than job-deadline-hours needs a decision, and its late end is still recorded",
  async (status) => {
    await using world = await startWorld({ steering: { durationMs: null } });
    await world.github.land({ title: "Slow" });
    const first = await world.run("upkeep");
    const { jobId = "" } = first.outputs;
    await world.service.setJob(jobId, { status });
    const inputs = { "job-deadline-hours": "2" };
    await world.passTime(HOUR);
    await world.github.land({ title: "Next" });
    const busy = await world.run("upkeep", { inputs });
    expect(busy.outputs.result).toBe("busy");
    const ofStatus = busy.warnings.filter((text) => text.includes('has the status "reindexing"'));
    expect(ofStatus).toHaveLength(status === "reindexing" ? 1 : 0);
    await world.passTime(1.5 * HOUR);
    const later = await world.run("upkeep", { inputs });
    expect(later.outputs).toMatchObject({ result: "started", needsDecisionCount: "1" });
    expect(world.dashboard("upkeep").body).toContain("at work for more than 2 hours");
    await world.service.setJob(jobId, { status: "completed" });
    await world.run("upkeep", { inputs });
    await world.passTime();
    const last = await world.run("upkeep", { inputs });
    expect(JSON.parse(last.outputs.finished ?? "")).toMatchObject([{ jobId, status: "completed" }]);
    expect(last.outputs.needsDecisionCount).toBe("0");
  },
);

test("a run that is cancelled while it sends records an uncertain batch, and its post step has nothing to do", async () => {
  await using world = await startWorld();
  world.on(CREATE, hangBeforeHeaders);
  await world.github.land();
  const running = world.start("upkeep");
  await world.waitForRequest(CREATE);
  running.signal("SIGINT");
  const cancelled = await running.result;
  expect(cancelled.exitCode).toBe(1);
  expect(cancelled.outputs).toMatchObject({ errorKind: "cancelled", result: "" });
  expect(world.ledger("upkeep").ledger.batches).toMatchObject([{ state: "uncertain" }]);
  const { state } = cancelled;
  const post = await world.run("upkeep", { entry: "post", state });
  expect(post.visible).toEqual([]);
  world.restore(CREATE);
  expect((await world.run("upkeep")).outputs).toMatchObject({ needsDecisionCount: "1" });
});

test("a follow-up that its job refuses becomes a new job, and a failed job gets no further follow-up", async () => {
  await using world = await startWorld();
  await world.github.land({ title: "One" });
  const first = await world.run("upkeep");
  await world.passTime();
  await world.github.land({ title: "Two" });
  await world.service.addFault({ route: "v2-message", status: 400 });
  const refused = await world.run("upkeep");
  expect(refused.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(refused.outputs.jobId).not.toBe(first.outputs.jobId);

  await world.passTime();
  await world.github.land({ title: "Three" });
  const third = await world.run("upkeep", {
    inputs: { prompt: "Do it.\nemulate: outcome=failed" },
  });
  expect(third.outputs).toMatchObject({ result: "continued", jobId: refused.outputs.jobId });
  await world.passTime();
  const fourth = await world.run("upkeep");
  expect(fourth.outputs).toMatchObject({ result: "started", changeCount: "1" });
});

test("a change that was passed over is handed over by its box, whatever the filters say", async () => {
  await using world = await startWorld();
  await world.github.land({ title: "Skip me", labels: ["skip-docs"] }, "squash");
  expect((await world.run("upkeep")).outputs).toMatchObject({ result: "idle" });
  await world.tick("upkeep", "hand-over");
  expect(titlesIn(await world.run("upkeep"))).toEqual(["Skip me"]);
  await world.passTime();
  expect(titlesIn(await world.run("upkeep"))).toEqual([]);
  expect(world.ledger("upkeep").ledger.passedOver).toEqual([]);
});

test("a change that was passed over is handed over by its ID in a run by hand", async () => {
  await using world = await startWorld();
  await world.github.land({ title: "Labelled too late" }, "squash");
  const only = { "only-labels": "needs-docs" };
  await world.run("upkeep", { inputs: only });
  const [, id = ""] =
    /`no label of only-labels`[\s\S]*: ID `(\w+)`/.exec(world.dashboard("upkeep").body) ?? [];
  const inputs = { ...only, decisions: `${id}: again` };
  const run = await world.run("upkeep", { inputs, eventName: "workflow_dispatch", event: {} });
  expect(titlesIn(run)).toEqual(["Labelled too late"]);
});
