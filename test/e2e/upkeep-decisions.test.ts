import { expect, test } from "vitest";
import { hangBeforeHeaders } from "../support/answers.ts";
import { startFaultyServer } from "../support/faulty-server.ts";
import { RequestGate } from "../support/request-gate.ts";
import { someOf } from "../support/sample.ts";
import { setUpUpkeep } from "../support/upkeep-setup.ts";

const CREATE = "POST /v2/agent/acme-docs/job";
const HOUR = 60 * 60_000;

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

test("what is left is not handed over any more, one by one or all of it", async () => {
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

test("a failed batch is handed over again as two halves, so that one bad change does not park the others", async () => {
  await using scene = await setUpUpkeep({ steering: { durationMs: null } });
  await scene.history.land({ title: "Good" });
  await scene.history.land({ title: "Bad" });
  const runs = [];
  const handed: string[][] = [];
  for (let nth = 0; nth < 5; nth++) {
    const run = await scene.run();
    const titles: string[] = JSON.parse(run.outputs.changes ?? "").map(
      ({ title }: { title: string }) => title,
    );
    runs.push(run);
    handed.push(titles);
    const status = titles.includes("Bad") ? "failed" : "completed";
    if (titles.length > 0) await scene.world.service.setJob(run.outputs.jobId ?? "", { status });
    await scene.passTime();
  }
  expect(handed).toEqual([["Good", "Bad"], ["Good"], ["Bad"], ["Bad"], []]);
  expect(runs.at(-1)?.outputs).toMatchObject({ result: "idle", needsDecisionCount: "1" });
  expect(await scene.body()).toMatch(/`Bad`\].*It was handed over 3 times: `Job \S+ failed`/);
});

test("what has been handed over `max-attempts` times needs a decision", async () => {
  await using scene = await setUpUpkeep({ steering: { durationMs: 0, outcome: "failed" } });
  await scene.history.land();
  const inputs = { "max-attempts": "1" };
  await scene.run({ inputs });
  await scene.passTime();
  const second = await scene.run({ inputs });
  expect(second.outputs).toMatchObject({ result: "idle", needsDecisionCount: "1" });
});

test("a job that the service does not know right after it was accepted is a job still running", async () => {
  await using scene = await setUpUpkeep();
  await scene.history.land();
  await scene.run();
  await scene.history.advance(25_000);
  const missing = { route: "v2-get" as const, status: 404 };
  await scene.world.service.addFault(missing);
  expect((await scene.run()).outputs).toMatchObject({ result: "busy", finished: "[]" });
  expect(await scene.prompts()).toHaveLength(1);
});

test("a job that the service does not know later, in two runs, gives its changes back", async () => {
  await using scene = await setUpUpkeep();
  await scene.history.land();
  const first = await scene.run();
  await scene.world.service.addFault({ route: "v2-get", status: 404, times: 2 });
  await scene.history.advance(11 * 60_000);
  expect((await scene.run()).outputs).toMatchObject({ result: "busy" });
  const second = await scene.run();
  expect(second.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(second.outputs.jobId).not.toBe(first.outputs.jobId);
  expect(JSON.parse(second.outputs.finished ?? "")).toMatchObject([{ status: "unknown" }]);
});

test.each(someOf([["active"], ["reindexing"]]))(
  "a job that stays %s holds others up for `job-deadline-hours`, then needs a decision; its late end is taken",
  async (status) => {
    await using scene = await setUpUpkeep({ steering: { durationMs: null } });
    await scene.history.land({ title: "Slow" });
    const first = await scene.run();
    const { jobId = "" } = first.outputs;
    await scene.world.service.setJob(jobId, { status });
    const inputs = { "job-deadline-hours": "2" };
    await scene.history.advance(HOUR);
    await scene.history.land({ title: "Next" });
    expect((await scene.run({ inputs })).outputs.result).toBe("busy");
    await scene.history.advance(1.5 * HOUR);
    const later = await scene.run({ inputs });
    expect(later.outputs).toMatchObject({ result: "started", needsDecisionCount: "1" });
    expect(await scene.body()).toContain("at work for more than 2 hours");
    if (status !== "active") expect(await scene.body()).toContain(`Its status is \`${status}\``);
    await scene.world.service.setJob(jobId, { status: "completed" });
    const last = await scene.run({ inputs });
    expect(JSON.parse(last.outputs.finished ?? "")).toMatchObject([{ jobId, status: "completed" }]);
    expect(last.outputs.needsDecisionCount).toBe("0");
  },
);

test("an archived job's batch is done", async () => {
  await using scene = await setUpUpkeep({ steering: { durationMs: 0, outcome: "archived" } });
  await scene.history.land();
  await scene.run();
  await scene.passTime();
  const run = await scene.run();
  expect(JSON.parse(run.outputs.finished ?? "")).toMatchObject([{ status: "archived" }]);
  expect(scene.ledger().ledger.batches).toEqual([]);
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

test.each(
  someOf([
    ["before it sends", /^POST \/v2\/agent/, "before" as const, "uncertain"],
    ["before the answer", /^POST \/v2\/agent/, "after" as const, "uncertain"],
    ["before it writes down the job", /\/git\/trees$/, "before" as const, "running"],
  ]),
)(
  "a run that is killed %s: its post step writes down what is known",
  async (_, at, when, state) => {
    await using scene = await setUpUpkeep();
    await scene.run();
    await scene.history.land({ title: "On its way" });
    // The first tree is that of the intent.
    await using gate = new RequestGate({ at, when, after: state === "running" ? 1 : 0 });
    const apiUrl = await gate.before(scene.world.github.url);
    const inputs = { "base-url": await gate.before(scene.world.service.url) };
    const running = scene.start({ apiUrl, inputs });
    await gate.reached;
    running.signal("SIGKILL");
    const { state: saved } = await running.result;
    expect((await scene.run()).outputs).toMatchObject({ result: "busy", changeCount: "0" });
    const post = await scene.run({ entry: "post", state: saved });
    expect(post.exitCode).toBe(0);
    expect(scene.ledger().ledger.batches).toMatchObject([{ state }]);
    await scene.passTime();
    const later = await scene.run();
    expect(later.outputs.needsDecisionCount).toBe(state === "running" ? "0" : "1");
    expect(await scene.prompts()).toHaveLength(when === "before" && state === "uncertain" ? 0 : 1);
  },
);

test("without a post step, the intent of a killed run needs a decision after ten minutes", async () => {
  await using scene = await setUpUpkeep();
  await using service = await startFaultyServer();
  service.on(CREATE, hangBeforeHeaders);
  await scene.history.land({ title: "On its way" });
  const running = scene.start({ inputs: { "base-url": service.url } });
  await service.waitForRequest(CREATE);
  running.signal("SIGKILL");
  await running.result;
  await scene.history.advance(9 * 60_000);
  expect((await scene.run()).outputs.result).toBe("busy");
  await scene.history.advance(2 * 60_000);
  const later = await scene.run();
  expect(later.outputs).toMatchObject({ result: "idle", needsDecisionCount: "1" });
  expect(await scene.body()).toContain("The run ended before it could record the service's answer");
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
  expect(scene.ledger().ledger.batches).toMatchObject([{ state: "uncertain" }]);
  const { state } = cancelled;
  const post = await scene.run({ entry: "post", state, inputs: { "base-url": service.url } });
  expect(post.visible).toEqual([]);
  expect((await scene.run()).outputs).toMatchObject({ needsDecisionCount: "1" });
});

test.each(
  someOf([
    ["moved the ref", "after" as const],
    ["did not move the ref", "before" as const],
  ]),
)(
  "a write whose answer got lost and that %s is made once, and the run goes on",
  async (_, when) => {
    await using scene = await setUpUpkeep();
    await scene.run();
    await scene.history.land({ title: "In doubt" });
    const at = /^PATCH .*\/git\/refs/;
    await using gate = new RequestGate({ at, when, breaks: true });
    const apiUrl = await gate.before(scene.world.github.url);
    const run = await scene.run({ apiUrl });
    expect(run.outputs).toMatchObject({ result: "started", changeCount: "1" });
    expect(await scene.prompts()).toHaveLength(1);
    const { batches } = scene.ledger().ledger;
    expect(batches).toMatchObject([{ state: "running", jobId: run.outputs.jobId }]);
  },
);

test("a follow-up that its job refuses becomes a new job, and one that failed gets no further one", async () => {
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

test("a follow-up whose docs pull request was merged before the agent got to it is not documented", async () => {
  await using scene = await setUpUpkeep({ steering: { durationMs: 0 } });
  await scene.history.land({ title: "One" });
  await scene.run();
  await scene.passTime();
  const done = await scene.run();
  const { prLink } = JSON.parse(done.outputs.finished ?? "")[0];
  await scene.history.land({ title: "Two" });
  const second = await scene.run({ inputs: { prompt: "Do it.\nemulate: duration=never" } });
  expect(second.outputs.result).toBe("continued");
  await scene.history.merge(Number(prLink.split("/").at(-1)));
  await scene.passTime();
  await scene.world.service.setJob(second.outputs.jobId ?? "", { status: "completed" });
  const third = await scene.run();
  expect(third.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(JSON.parse(third.outputs.changes ?? "")).toMatchObject([{ title: "Two" }]);
});
