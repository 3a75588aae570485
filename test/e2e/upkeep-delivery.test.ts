// What becomes of a request that hands changes over, and what too many failures do.

import { expect, test } from "vitest";
import { someOf } from "../support/sample.ts";
import { DAY, HOUR, startWorld, type World } from "../support/world/world.ts";

const CREATE = "v2-create";

async function landAll(world: World, ...titles: string[]): Promise<void> {
  for (const title of titles) await world.github.land({ title });
}

const NO_CREDITS = JSON.stringify({ error: "Your monthly credits are used up" });
const PAGE = "<!doctype html><title>Blocked</title>";

test.each(
  someOf([
    [422, undefined],
    [413, undefined],
    [400, undefined],
    [403, PAGE],
  ] as const),
)(
  "one change whose text is answered with %i is found in halves of its batch, and the others are handed over",
  async (status, body) => {
    const fault = { route: CREATE, status, words: "poison", times: 99 } as const;
    await using world = await startWorld({
      steering: { outcome: "no-changes" },
      service: { faults: [body === undefined ? fault : { ...fault, body }] },
    });
    await landAll(world, "Add one", "Add poison", "Add three", "Add four");
    const first = await world.run("upkeep");
    expect(first.exitCode).toBe(0);
    // All four, two of them, and the first one, which is accepted.
    expect(first.toService.filter((it) => it.startsWith("POST"))).toHaveLength(3);
    expect(first.outputs).toMatchObject({ result: "started", changeCount: "1", waitingCount: "3" });
    await world.passTime(HOUR);
    const second = await world.run("upkeep");
    expect(second.exitCode).toBe(0);
    expect(second.warnings.join()).toContain("The service refused the change #3: ");
    expect(second.warnings.join()).toContain(`returned ${status}`);
    // It is found, and the run goes on with the others.
    expect(second.outputs).toMatchObject({
      result: "started",
      changeCount: "2",
      needsDecisionCount: "1",
      waitingCount: "0",
    });
    const prompts = (await world.prompts()).join("\n");
    for (const title of ["Add one", "Add three", "Add four"]) {
      expect(prompts.split(title)).toHaveLength(2);
    }
    expect(prompts).not.toContain("poison");
  },
);

test("a refused change starts nothing, costs no attempt, and is handed over again by a tick", async () => {
  await using world = await startWorld({
    service: { faults: [{ route: CREATE, status: 422, words: "poison" }] },
  });
  await landAll(world, "Add poison");
  const inputs = { "max-jobs-per-day": "1", "max-attempts": "1" };
  expect((await world.run("upkeep", { inputs })).outputs).toMatchObject({
    result: "idle",
    needsDecisionCount: "1",
  });
  await world.tick("upkeep");
  expect((await world.run("upkeep", { inputs })).outputs).toMatchObject({ result: "started" });
});

test.each(someOf([400, 410, 413, 422]))(
  "an open docs pull request's job that answers %i to a follow-up is replaced in the same run, for good",
  async (status) => {
    await using world = await startWorld();
    await landAll(world, "Add one");
    const first = await world.run("upkeep");
    await world.passTime(HOUR);
    await landAll(world, "Add two");
    await world.service.addFault({ route: "v2-message", status, times: 99 });
    const second = await world.run("upkeep");
    expect(second.exitCode).toBe(0);
    expect(second.outputs).toMatchObject({ result: "started", changeCount: "1" });
    expect(second.outputs.jobId).not.toBe(first.outputs.jobId);
    await world.passTime(HOUR);
    await landAll(world, "Add three");
    await world.service.clearFaults();
    const third = await world.run("upkeep");
    expect(third.outputs).toMatchObject({ result: "continued", jobId: second.outputs.jobId });
  },
);

test("a docs pull request's job that answers 409 is busy, and after job-deadline-hours a new job is started", async () => {
  await using world = await startWorld();
  await landAll(world, "Add one");
  const first = await world.run("upkeep");
  await world.passTime(HOUR);
  await landAll(world, "Add two");
  await world.service.addFault({ route: "v2-message", status: 409, times: 99 });
  for (const _ of [1, 2]) {
    const busy = await world.run("upkeep");
    expect(busy.exitCode).toBe(0);
    expect(busy.outputs).toMatchObject({ result: "busy", waitingCount: "1" });
    await world.passTime(11 * HOUR);
  }
  await world.passTime(3 * HOUR);
  const last = await world.run("upkeep");
  expect(last.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(last.outputs.jobId).not.toBe(first.outputs.jobId);
});

test("requests that the service took although it answered 502 stop after max-failures", async () => {
  await using world = await startWorld({
    service: { faults: [{ route: CREATE, status: 502, isAfter: true, times: 99 }] },
  });
  const results: string[] = [];
  for (const nth of [1, 2, 3, 4, 5, 6]) {
    await landAll(world, `Add ${nth}`);
    const { outputs } = await world.run("upkeep");
    results.push(`${outputs.result} ${outputs.errorKind ?? ""}`);
    await world.passTime(HOUR);
  }
  expect(results).toEqual([
    " create-uncertain",
    " create-uncertain",
    "held job-failed",
    "held ",
    "held ",
    "held ",
  ]);
  expect(await world.prompts()).toHaveLength(3);
  expect(world.dashboard("upkeep").body).toMatch(
    /3 requests or jobs have unknown outcomes in a row/,
  );
});

test("several that are handed over again go together, oldest first", async () => {
  await using world = await startWorld({
    service: { faults: [{ route: CREATE, status: 500, times: 2 }] },
  });
  for (const title of ["Add one", "Add two"]) {
    await landAll(world, title);
    await world.run("upkeep");
  }
  await world.tick("upkeep", "again");
  const again = await world.run("upkeep");
  expect(again.outputs).toMatchObject({ result: "started", changeCount: "2" });
  expect((await world.prompts()).join()).toMatch(/Add one[\s\S]*Add two/);
});

test.each(
  someOf([
    [402, NO_CREDITS],
    [429, NO_CREDITS],
  ] as const),
)(
  "credits that are used up, told with %i, fail the step in the service's own words, and the changes wait",
  async (status, body) => {
    await using world = await startWorld({
      service: { faults: [{ route: CREATE, status, body, times: 99 }] },
    });
    await landAll(world, "Add one");
    const run = await world.run("upkeep");
    expect(run.exitCode).toBe(1);
    expect(run.outputs).toMatchObject({
      errorKind: "out-of-credits",
      result: "limited",
      waitingCount: "1",
      needsDecisionCount: "0",
    });
    expect(run.outputs.errorMessage).toContain("Your monthly credits are used up");
    expect(run.toService).toHaveLength(1);
    await world.service.clearFaults();
    expect((await world.run("upkeep")).outputs).toMatchObject({ result: "started" });
  },
);

test("the service's hourly limit fails the step only when it has let nothing through for a day", async () => {
  await using world = await startWorld({
    service: {
      faults: [{ route: CREATE, status: 429, headers: { "retry-after": "600" }, times: 9 }],
    },
  });
  await landAll(world, "Add one");
  const first = await world.run("upkeep");
  expect(first.exitCode).toBe(0);
  expect(first.outputs.result).toBe("limited");
  await world.passTime(DAY + HOUR);
  const late = await world.run("upkeep");
  expect(late.exitCode).toBe(1);
  expect(late.outputs).toMatchObject({ errorKind: "rate-limited", result: "limited" });
  expect(late.outputs.errorMessage).toContain("has let nothing through since ");
  await world.service.clearFaults();
  expect((await world.run("upkeep")).outputs).toMatchObject({ result: "started" });
});

test("one bad change among several is found by failing jobs, and does not stop the spending", async () => {
  await using world = await startWorld({
    steering: { outcome: "no-changes" },
    service: { steeredByWords: [{ words: "Add bad", steering: { outcome: "failed" } }] },
  });
  const inputs = { "max-failures": "2" };
  await landAll(world, "Add bad", "Add two", "Add three", "Add four");
  for (let run = 1; run <= 16; run++) {
    await world.run("upkeep", { inputs });
    await world.passTime(HOUR);
  }
  const last = await world.run("upkeep", { inputs });
  expect(last.exitCode).toBe(0);
  expect(last.outputs).toMatchObject({ needsDecisionCount: "1", waitingCount: "0" });
});
