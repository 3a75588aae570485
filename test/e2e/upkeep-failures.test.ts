import { expect, test } from "vitest";
import { BAD_GATEWAY } from "../../emulator/github/faults.ts";
import { someOf } from "../support/sample.ts";
import { titlesIn } from "../support/world/outputs.ts";
import { startWorld } from "../support/world/world.ts";

test("after max-failures failed jobs in a row, upkeep fails once, then holds changes until somebody goes on", async () => {
  await using world = await startWorld({ steering: { durationMs: 0, outcome: "failed" } });
  const inputs = { "max-failures": "2", "max-attempts": "1" };
  for (const title of ["Zero", "One"]) {
    await world.github.land({ title });
    expect((await world.run("upkeep", { inputs })).outputs.result).toBe("started");
    await world.passTime();
  }
  const found = await world.run("upkeep", { inputs });
  expect(found.exitCode).toBe(1);
  expect(found.outputs).toMatchObject({ errorKind: "job-failed", result: "held", changes: "[]" });
  expect(found.outputs.errorMessage).toMatch(/2 jobs failed in a row.*tick "Go on"/);
  expect(world.dashboard("upkeep").body).toMatch(
    /## Needs a decision\n\n- \*\*Go on\?\*\* 2 jobs failed in a row/,
  );

  await world.github.land({ title: "Two" });
  for (let nth = 1; nth <= 2; nth++) {
    const held = await world.run("upkeep", { inputs });
    expect(held.exitCode).toBe(0);
    expect(held.outputs).toMatchObject({ result: "held", waitingCount: "1" });
    expect(held.warnings.join()).toContain("2 jobs failed in a row");
  }
  expect(await world.prompts()).toHaveLength(2);

  await world.tick("upkeep", "go-on");
  const again = await world.run("upkeep", { inputs });
  expect(again.outputs).toMatchObject({ result: "started", waitingCount: "0" });
  expect(titlesIn(again)).toEqual(["Two"]);
  expect(world.dashboard("upkeep").body).not.toContain("Go on?");
});

test("all attempts of one change count once, so that it does not stop the others", async () => {
  await using world = await startWorld({
    service: { steeredByWords: [{ words: "Bad", steering: { outcome: "failed" } }] },
  });
  const inputs = { "max-failures": "2", "max-attempts": "3" };
  await world.github.land({ title: "Bad" });
  for (let job = 1; job <= 3; job++) {
    expect((await world.run("upkeep", { inputs })).outputs.result).toBe("started");
    await world.passTime();
  }
  await world.github.land({ title: "Good" });
  const run = await world.run("upkeep", { inputs });
  expect(run.exitCode).toBe(0);
  expect(run.outputs).toMatchObject({ result: "started", needsDecisionCount: "1" });
  expect(titlesIn(run)).toEqual(["Good"]);
});

test("a higher max-failures goes on, too", async () => {
  await using world = await startWorld({ steering: { durationMs: 0, outcome: "failed" } });
  await world.github.land();
  await world.run("upkeep", { inputs: { "max-failures": "1" } });
  await world.passTime();
  const found = await world.run("upkeep", { inputs: { "max-failures": "1" } });
  expect(found.outputs).toMatchObject({ errorKind: "job-failed", result: "held" });
  expect((await world.run("upkeep")).outputs).toMatchObject({
    result: "started",
    changeCount: "1",
  });
});

test("with wait, the run that waits for the last of them says why nothing more is handed over", async () => {
  await using world = await startWorld({ steering: { durationMs: 0, outcome: "failed" } });
  await world.github.land();
  const inputs = { "max-failures": "1", wait: "true" };
  const run = await world.run("upkeep", { inputs });
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({ errorKind: "job-failed", status: "failed" });
  expect(run.outputs.errorMessage).toMatch(/^1 job failed, so nothing more is handed over/);
  expect((await world.run("upkeep", { inputs })).outputs).toMatchObject({ result: "held" });
});

test.each(someOf(["trees", "commits"]))(
  "a ledger write goes on if GitHub fails once to make one of its git %s",
  async (objects) => {
    await using world = await startWorld();
    await world.github.land();
    const path = `/git/${objects}$`;
    world.github.emulated.addFault({ ...BAD_GATEWAY, method: "POST", path });
    const run = await world.run("upkeep");
    expect(run.exitCode).toBe(0);
    expect(run.outputs).toMatchObject({ result: "started", changeCount: "1" });
  },
);
