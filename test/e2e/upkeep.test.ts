import { expect, test } from "vitest";
import type { RunResult } from "../../emulator/runner/runner.ts";
import { someOf } from "../support/sample.ts";
import { startWorld, type World } from "../support/world/world.ts";

test("every merged change is handed over once, and is on the dashboard", async () => {
  await using world = await startWorld();
  await world.run("upkeep");
  const retries = await world.github.land({ title: "Add retries" }, "squash");
  const flag = await world.github.land({ title: "Rename a flag" }, "merge");
  const first = await world.run("upkeep");
  expect(first.exitCode).toBe(0);
  expect(first.outputs).toMatchObject({ result: "started", changeCount: "2", waitingCount: "0" });
  expect(
    JSON.parse(first.outputs.changes ?? "").map(({ number }: { number: number }) => number),
  ).toEqual([retries.number, flag.number]);
  await world.passTime(60_000);
  const second = await world.run("upkeep");
  expect(second.outputs).toMatchObject({ result: "idle", changeCount: "0" });
  const [finished] = JSON.parse(second.outputs.finished ?? "[]");
  expect(finished).toMatchObject({ jobId: first.outputs.jobId, status: "completed" });
  const body = world.dashboard("upkeep").body;
  expect(body).toContain("2 changes: 2 in review");
  expect(body).toMatch(/## In review\n\n- \[Docs pull request #\d+\]/);
  const prompts = await world.prompts();
  expect(prompts).toHaveLength(1);
  expect(prompts[0]).toContain("Add retries");
});

/** The numbers of the pull requests that runs handed over, by their outputs. */
function handedOver(runs: RunResult[]): number[] {
  return runs
    .flatMap(({ outputs }) => JSON.parse(outputs.changes ?? "[]"))
    .map(({ number }: { number: number }) => number)
    .sort((a, b) => a - b);
}

/** Runs upkeep until the result is idle. */
async function runUntilIdle(world: World): Promise<RunResult[]> {
  const runs: RunResult[] = [];
  for (let count = 0; count < 8 && runs.at(-1)?.outputs.result !== "idle"; count += 1) {
    await world.passTime();
    runs.push(await world.run("upkeep"));
  }
  return runs;
}

test.each(someOf([2, 5]))(
  "%i runs at once hand each change over once",
  async (count) => {
    await using world = await startWorld();
    await world.run("upkeep");
    const landed: number[] = [];
    for (let nth = 0; nth < 3; nth += 1) landed.push((await world.github.land()).number);
    const runs = await Promise.all(
      Array.from({ length: count }, () => world.run("upkeep", { limitMs: 60_000 })),
    );
    for (const { exitCode, outputs } of runs) {
      expect(exitCode).toBe(0);
      expect(["started", "continued", "busy", "idle"]).toContain(outputs.result);
    }
    const rest = await runUntilIdle(world);
    expect(handedOver([...runs, ...rest])).toEqual(landed);
    expect((await world.prompts()).join().match(/## Change \d+/g)).toHaveLength(3);
  },
  90_000,
);

test("each project has its own dashboard and hands the changes over", async () => {
  const projects = ["acme-docs", "other-docs"].map((id) => ({ id, repository: "acme/docs" }));
  await using world = await startWorld({ service: { projects } });
  await world.github.land();
  const first = await world.run("upkeep");
  const second = await world.run("upkeep", { inputs: { "project-id": "other-docs" } });
  expect(first.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(second.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(first.outputs.dashboardUrl).not.toBe(second.outputs.dashboardUrl);
});

test("the dashboard links to the pages of the repository that the action is used from", async () => {
  await using world = await startWorld();
  await world.github.land({ title: "Add retries" }, "squash");
  await world.run("upkeep", { env: { GITHUB_ACTION_REPOSITORY: "acme/docs-agent" } });
  const page = "https://github.com/acme/docs-agent/blob/main/docs/upkeep.md";
  expect(world.dashboard("upkeep").body).toContain(`[Docs Upkeep](${page}) keeps it up to date.`);
});
