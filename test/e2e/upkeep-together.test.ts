import { expect, test } from "vitest";
import type { RunResult } from "../../emulator/runner/runner.ts";
import { someOf } from "../support/sample.ts";
import { setUpUpkeep, type UpkeepSetup } from "../support/upkeep-setup.ts";

const OLD_KEY = "mint_local_admin_key";
const NEW_KEY = "mint_rotated_key";
const BOTH_KEYS = { keys: [{ secret: OLD_KEY }, { secret: NEW_KEY }] };

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

test("a rotated key changes nothing: nothing in the ledger is signed", async () => {
  await using scene = await setUpUpkeep({ service: BOTH_KEYS });
  await scene.history.land();
  await scene.run();
  await scene.passTime();
  await scene.history.land({ title: "Landed meanwhile" });
  const rotated = await scene.run({ inputs: { "api-key": NEW_KEY } });
  expect(rotated.errors).toEqual([]);
  expect(rotated.outputs).toMatchObject({ result: "continued", changeCount: "1" });
});

test("two projects have a dashboard each", async () => {
  await using scene = await setUpUpkeep({
    service: {
      projects: [
        { id: "acme-docs", repository: "acme/docs" },
        { id: "other-docs", repository: "acme/docs" },
      ],
    },
  });
  await scene.history.land();
  const one = await scene.run();
  const other = await scene.run({ inputs: { "project-id": "other-docs" } });
  expect(one.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(other.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(one.outputs.dashboardUrl).not.toBe(other.outputs.dashboardUrl);
});
