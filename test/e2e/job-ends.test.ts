import { describe, expect, test } from "vitest";
import { refusal } from "../support/answers.ts";
import { capture } from "../support/captured-answer.ts";
import { CONVERSATION } from "../support/world/conversation.ts";
import { leaveJob } from "../support/world/requests.ts";
import { tasksFile } from "../support/world/tasks.ts";
import { DAY, HOUR, MINUTE, startWorld, type World } from "../support/world/world.ts";

/** A world whose service and GitHub have one clock, which only `passTime` moves far. */
function worldWith(steering: Parameters<typeof startWorld>[0] = {}): Promise<World> {
  return startWorld({ hasOneClock: true, ...steering });
}

/** Makes the service forget a job, or know it again. */
async function forget(world: World, jobId: string): Promise<void> {
  await world.service.addFault({ route: "v2-get", status: 404, times: 1000 });
  expect((await world.service.jobs()).map(({ id }) => id)).toContain(jobId);
}

describe("a job that the service does not know for a while", () => {
  test("is no failure: a queue's tasks go on, and no second job starts for one", async () => {
    await using world = await worldWith({
      tasks: tasksFile("a", "b", "c"),
      steering: { durationMs: 2 * HOUR, missingMs: 20 * MINUTE },
    });
    expect((await world.run("queue")).outputs).toMatchObject({ startedCount: "3" });
    await world.passTime(11 * MINUTE);
    for (let nth = 1; nth <= 2; nth++) {
      const { outputs } = await world.run("queue");
      expect(outputs).toMatchObject({ runningCount: "3", needsDecisionCount: "0" });
      await world.passTime(2000);
    }
    await world.passTime(3 * HOUR);
    expect((await world.run("queue")).outputs).toMatchObject({
      result: "finished",
      doneCount: "3",
    });
    expect(await world.prompts()).toHaveLength(3);
  });

  test("is polled on by upkeep, whose batch it stays", async () => {
    await using world = await worldWith({
      steering: { durationMs: 2 * HOUR, missingMs: HOUR },
    });
    await world.github.land({ title: "Add retries" });
    await world.run("upkeep");
    await world.passTime(11 * MINUTE);
    const first = await world.run("upkeep");
    await world.passTime(40 * MINUTE);
    const second = await world.run("upkeep");
    for (const { outputs } of [first, second]) {
      expect(outputs).toMatchObject({ result: "busy", needsDecisionCount: "0", waitingCount: "0" });
    }
    expect(second.warnings.join()).toContain("The service knows none of the jobs");
    await world.passTime(2 * HOUR);
    const { outputs } = await world.run("upkeep");
    expect(JSON.parse(outputs.finished ?? "")).toMatchObject([{ status: "completed" }]);
    expect(await world.prompts()).toHaveLength(1);
  });

  test("needs a decision where another job is known, and what it still does counts", async () => {
    await using world = await worldWith({
      tasks: tasksFile("a", "b"),
      steering: { durationMs: DAY },
    });
    await world.run("queue");
    const [lost] = await world.service.jobs();
    const path = `GET service /v2/agent/acme-docs/job/${lost?.id}`;
    world.on(path, ({ response }) => {
      response.writeHead(404, { "content-type": "application/json" });
      response.end('{"error":"Job not found"}');
    });
    await world.passTime(11 * MINUTE);
    await world.run("queue");
    await world.passTime(31 * MINUTE);
    const unknown = await world.run("queue");
    expect(unknown.outputs).toMatchObject({ runningCount: "1", needsDecisionCount: "1" });
    expect(world.dashboard("queue").body).toContain("is unknown to the service");
    world.restore(path);
    await world.passTime(MINUTE);
    expect((await world.run("queue")).outputs).toMatchObject({
      runningCount: "2",
      needsDecisionCount: "0",
    });
    expect(await world.prompts()).toHaveLength(2);
  });

  test("is not called unknown in its comment by one sweep", async () => {
    await using world = await startWorld(CONVERSATION);
    await world.run("root", leaveJob());
    await world.passTime(HOUR);
    const [job] = await world.service.jobs();
    await forget(world, job?.id ?? "");
    const missed = await world.run("collect");
    expect(missed.outputs).toMatchObject({ checkedCount: "1", finishedCount: "0" });
    expect(missed.warnings.join()).toContain("The service knows none of the jobs");
    await world.service.clearFaults();
    const found = await world.run("collect");
    expect(found.outputs).toMatchObject({ finishedCount: "1" });
    expect(world.comment(7)).toContain("completed with a pull request");
  });

  test("is said to be unknown in its comment after a day, and is not polled again", async () => {
    await using world = await startWorld(CONVERSATION);
    await world.run("root", leaveJob());
    await world.service.addFault({ route: "v2-get", status: 404, times: 1000 });
    await world.passTime(HOUR);
    await world.run("collect");
    await world.passTime(DAY + HOUR);
    expect((await world.run("collect")).outputs).toMatchObject({ finishedCount: "1" });
    expect(world.comment(7)).toContain("could not be polled to its end");
    expect((await world.run("collect")).toService).toEqual([]);
  });
});

describe("a job whose link comes late", () => {
  test("has its docs pull request in review, and the pull request gets the right comment", async () => {
    await using world = await worldWith({ steering: { linkMs: 30_000 } });
    const { number } = await world.github.land({ title: "Add retries" });
    const inputs = { comment: "true" };
    await world.run("upkeep", { inputs });
    const early = await world.run("upkeep", { inputs });
    expect(early.outputs).toMatchObject({ finishedCount: "0", waitingCount: "0" });
    expect(world.dashboard("upkeep").body).toContain("## In progress");
    await world.passTime();
    await world.run("upkeep", { inputs });
    expect(world.dashboard("upkeep").body).toContain("## In review");
    expect(world.dashboard("upkeep").body).not.toContain("Nothing to change");
    expect(
      world
        .comments(number)
        .map(({ body }) => body)
        .join(),
    ).toContain("ocs pull request");
  });

  test("holds no other change up meanwhile", async () => {
    await using world = await worldWith({ steering: { outcome: "no-changes" } });
    await world.github.land({ title: "Add retries" });
    await world.run("upkeep");
    await world.github.land({ title: "Rename a flag" });
    expect((await world.run("upkeep")).outputs).toMatchObject({ result: "started" });
    await world.passTime();
    await world.run("upkeep");
    expect(world.dashboard("upkeep").body).toMatch(/Nothing to change ←.*Add retries/);
  });

  test("is finished by a later sweep with its pull request", async () => {
    await using world = await worldWith({ ...CONVERSATION, steering: { linkMs: 30_000 } });
    await world.run("root", leaveJob());
    const early = await world.run("collect");
    expect(early.outputs).toMatchObject({ finishedCount: "0" });
    expect(world.comment(7)).not.toContain("without a pull request");
    await world.passTime();
    expect((await world.run("collect")).outputs).toMatchObject({ finishedCount: "1" });
    expect(world.comment(7)).toContain("completed with a pull request");
  });
});

test("an archived job without a docs pull request needs a decision, and documents nothing", async () => {
  await using world = await worldWith({ steering: { outcome: "archived" } });
  const { number } = await world.github.land({ title: "Add retries" });
  const inputs = { comment: "true" };
  await world.run("upkeep", { inputs });
  await world.passTime();
  const { outputs } = await world.run("upkeep", { inputs });
  expect(outputs).toMatchObject({ needsDecisionCount: "1", finishedCount: "0" });
  const { body } = world.dashboard("upkeep");
  expect(body).toContain("was archived without a docs pull request");
  expect(body).toContain("1 change: 1 needs a decision.");
  expect(world.comments(number)).toEqual([]);
});

describe("a job that a person no longer waited for", () => {
  test.each(["again", "leave"] as const)(
    "after %s, has its docs pull request in review, where land finds it",
    async (choice) => {
      await using world = await worldWith({ steering: { durationMs: 30 * HOUR } });
      await world.github.land({ title: "Add retries" });
      const { outputs } = await world.run("upkeep");
      await world.passTime(25 * HOUR);
      expect((await world.run("upkeep")).outputs).toMatchObject({ needsDecisionCount: "1" });
      await world.tick("upkeep", choice);
      const decided = await world.run("upkeep");
      expect(decided.outputs).toMatchObject({ needsDecisionCount: "0" });
      await world.passTime(6 * HOUR);
      await world.run("upkeep");
      expect(world.dashboard("upkeep").body).toMatch(/## In review\n\n- .*`Add retries`/);
      expect(world.dashboard("upkeep").body).not.toContain("not documented");
      const land = await world.run("land");
      const found = JSON.parse(land.outputs.pullRequests ?? "[]");
      expect(found).toMatchObject([{ jobId: outputs.jobId }]);
      expect(await world.prompts()).toHaveLength(choice === "again" ? 2 : 1);
    },
  );

  test("is adopted by its ID after an uncertain request, and followed to its docs pull request", async () => {
    await using world = await worldWith();
    await world.github.land({ title: "Add retries" });
    // The service accepts the request, and its answer is lost.
    const create = "POST service /v2/agent/acme-docs/job";
    world.on(create, async (exchange) => {
      await capture(world.genuine.service, exchange);
      await refusal(502, "Bad gateway")(exchange);
    });
    const lost = await world.run("upkeep");
    const [entry] = JSON.parse(lost.outputs.needsDecision ?? "[]");
    const [job] = await world.service.jobs();
    const decisions = `${entry.id}: ${job?.id}`;
    const adopted = await world.run("upkeep", {
      eventName: "workflow_dispatch",
      inputs: { decisions },
    });
    expect(adopted.outputs).toMatchObject({ needsDecisionCount: "0" });
    await world.passTime();
    await world.run("upkeep");
    expect(world.dashboard("upkeep").body).toMatch(/## In review\n\n- .*`Add retries`/);
    expect(await world.service.jobs()).toHaveLength(1);
  });
});

test("25 jobs of a service that hangs do not keep a run for two minutes", async () => {
  const ids = Array.from({ length: 25 }, (_, nth) => `task ${nth}`);
  await using world = await startWorld({
    tasks: tasksFile(...ids),
    steering: { durationMs: null, hangs: true },
  });
  const inputs = { "max-running": "25", "max-jobs-per-hour": "100" };
  expect((await world.run("queue", { inputs })).outputs).toMatchObject({ startedCount: "25" });
  const begun = performance.now();
  const fastClock = 10;
  const { exitCode, outputs } = await world.run("queue", { inputs, fastClock });
  expect(exitCode).toBe(0);
  expect(outputs).toMatchObject({ runningCount: "25", needsDecisionCount: "0" });
  expect((performance.now() - begun) * fastClock).toBeLessThan(2 * MINUTE);
});
