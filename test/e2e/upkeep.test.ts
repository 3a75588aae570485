import { expect, test } from "vitest";
import type { RunResult } from "../../emulator/runner/runner.ts";
import { someOf } from "../support/sample.ts";
import { setUpUpkeep, type UpkeepSetup } from "../support/upkeep-setup.ts";

test("every merged change is handed to the agent once, and the dashboard shows it", async () => {
  await using scene = await setUpUpkeep();
  await scene.run();
  const one = await scene.history.land({ title: "Add retries" }, "squash");
  const two = await scene.history.land({ title: "Rename a flag" }, "merge");
  const first = await scene.run();
  expect(first.exitCode).toBe(0);
  expect(first.outputs).toMatchObject({ result: "started", changeCount: "2", waitingCount: "0" });
  expect(
    JSON.parse(first.outputs.changes ?? "").map((it: { number: number }) => it.number),
  ).toEqual([one.number, two.number]);
  await scene.history.advance(60_000);
  const second = await scene.run();
  expect(second.outputs).toMatchObject({ result: "idle", changeCount: "0" });
  const [finished] = JSON.parse(second.outputs.finished ?? "[]");
  expect(finished).toMatchObject({ jobId: first.outputs.jobId, status: "completed" });
  const body = await scene.body();
  expect(body).toContain("0 of 2 changes documented, 2 in review");
  expect(body).toMatch(/## In review\n\n- \[Docs pull request #\d+\]/);
  const prompts = await scene.prompts();
  expect(prompts).toHaveLength(1);
  expect(prompts[0]).toContain("Add retries");
});

/** The numbers of the pull requests that runs said they handed over. */
function handed(runs: RunResult[]): number[] {
  return runs
    .flatMap(({ outputs }) => JSON.parse(outputs.changes ?? "[]"))
    .map(({ number }: { number: number }) => number)
    .sort((one, other) => one - other);
}

/** Runs until one says that nothing is new. */
async function runUntilQuiet(scene: UpkeepSetup): Promise<RunResult[]> {
  const runs: RunResult[] = [];
  for (let count = 0; count < 8 && runs.at(-1)?.outputs.result !== "idle"; count += 1) {
    await scene.passTime();
    runs.push(await scene.run());
  }
  return runs;
}

test.each(someOf([2, 5]))(
  "%i runs at once hand each change over once",
  async (count) => {
    await using scene = await setUpUpkeep();
    await scene.run();
    const landed: number[] = [];
    for (let nth = 0; nth < 3; nth += 1) landed.push((await scene.history.land()).number);
    const runs = await Promise.all(
      Array.from({ length: count }, () => scene.run({ limitMs: 60_000 })),
    );
    for (const { exitCode, outputs } of runs) {
      expect(exitCode).toBe(0);
      expect(["started", "continued", "busy", "idle"]).toContain(outputs.result);
    }
    const rest = await runUntilQuiet(scene);
    expect(handed([...runs, ...rest])).toEqual(landed);
    expect((await scene.prompts()).join().match(/## Change \d+/g)).toHaveLength(3);
  },
  90_000,
);

test("two projects have a ledger and a dashboard each", async () => {
  const projects = ["acme-docs", "other-docs"].map((id) => ({ id, repository: "acme/docs" }));
  await using scene = await setUpUpkeep({ service: { projects } });
  await scene.history.land();
  const one = await scene.run();
  const other = await scene.run({ inputs: { "project-id": "other-docs" } });
  expect(one.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(other.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(one.outputs.dashboardUrl).not.toBe(other.outputs.dashboardUrl);
});
