import { expect, test } from "vitest";
import { setUpUpkeep, titlesIn } from "../support/upkeep-setup.ts";

test("after max-failures failed jobs in a row, upkeep fails once, then holds changes until somebody goes on", async () => {
  await using scene = await setUpUpkeep({ steering: { durationMs: 0, outcome: "failed" } });
  const inputs = { "max-failures": "2", "max-attempts": "5" };
  await scene.history.land({ title: "One" });
  for (let job = 1; job <= 2; job++) {
    expect((await scene.run({ inputs })).outputs.result).toBe("started");
    await scene.passTime();
  }
  const found = await scene.run({ inputs });
  expect(found.exitCode).toBe(1);
  expect(found.outputs).toMatchObject({ errorKind: "job-failed", result: "held", changes: "[]" });
  expect(found.outputs.errorMessage).toMatch(/2 jobs in a row failed.*tick "Go on"/);
  expect(await scene.body()).toMatch(
    /## Needs a decision\n\n- \*\*Go on\?\*\* 2 jobs in a row failed/,
  );

  await scene.history.land({ title: "Two" });
  for (let nth = 1; nth <= 2; nth++) {
    const held = await scene.run({ inputs });
    expect(held.exitCode).toBe(0);
    expect(held.outputs).toMatchObject({ result: "held", waitingCount: "2" });
    expect(held.warnings.join()).toContain("2 jobs in a row failed");
  }
  expect(await scene.prompts()).toHaveLength(2);

  await scene.tick("go-on");
  const again = await scene.run({ inputs: { ...inputs, prompt: "emulate: outcome=completed" } });
  expect(again.outputs).toMatchObject({ result: "started", waitingCount: "1" });
  expect(titlesIn(again)).toEqual(["One"]);
  expect(await scene.body()).not.toContain("Go on?");
  await scene.passTime();
  expect(titlesIn(await scene.run({ inputs }))).toEqual(["Two"]);
});

test("a higher max-failures goes on, too", async () => {
  await using scene = await setUpUpkeep({ steering: { durationMs: 0, outcome: "failed" } });
  await scene.history.land();
  await scene.run({ inputs: { "max-failures": "1" } });
  await scene.passTime();
  const found = await scene.run({ inputs: { "max-failures": "1" } });
  expect(found.outputs).toMatchObject({ errorKind: "job-failed", result: "held" });
  expect((await scene.run()).outputs).toMatchObject({ result: "started", changeCount: "1" });
});

test("with wait, the run that waits for the last of them says why nothing more is handed over", async () => {
  await using scene = await setUpUpkeep({ steering: { durationMs: 0, outcome: "failed" } });
  await scene.history.land();
  const inputs = { "max-failures": "1", wait: "true" };
  const run = await scene.run({ inputs });
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({ errorKind: "job-failed", status: "failed" });
  expect(run.outputs.errorMessage).toMatch(/^Job `\S+` failed, so nothing more is handed over/);
  expect((await scene.run({ inputs })).outputs).toMatchObject({ result: "held" });
});
