import { expect, test } from "vitest";
import { titlesIn } from "../support/world/outputs.ts";
import { startWorld, type World } from "../support/world/world.ts";

/** So many requests of a run may be spent on reading, and in all before it hands over. */
const MOST_READS = 150;
const MOST = 300;

/** Runs over so many repositories, which upkeep knows already. */
async function knownSources(world: World, count: number) {
  const { emulated } = world.github;
  const names = Array.from({ length: count }, (_, nth) => `acme/part-${nth}`);
  const repositories = names.map((name) => emulated.create(name));
  const inputs = {
    repositories: names.join("\n"),
    since: new Date(emulated.site.now).toISOString(),
    "max-changes": "30",
  };
  await world.passTime();
  let first = await world.run("upkeep", { inputs });
  while (first.outputs.result === "behind") {
    await world.passTime();
    first = await world.run("upkeep", { inputs });
  }
  await world.passTime();
  return { repositories, inputs };
}

test("a run over 120 repositories of which none moved makes at most 12 requests", async () => {
  await using world = await startWorld();
  const { inputs } = await knownSources(world, 120);
  const run = await world.run("upkeep", { inputs });
  expect(run.outputs).toMatchObject({ result: "idle", changeCount: "0" });
  expect(run.exitCode).toBe(0);
  expect(run.toGitHub.length).toBeLessThanOrEqual(12);
});

test("of 120 repositories that all move each hour, each change is handed over once, and a run says what is left", async () => {
  await using world = await startWorld();
  const { repositories, inputs } = await knownSources(world, 120);
  for (const [nth, repository] of repositories.entries())
    repository.land({ title: `Change ${nth}` });
  const handed: string[] = [];
  const said: string[] = [];
  for (let hour = 0; hour < 8 && handed.length < 120; hour += 1) {
    const run = await world.run("upkeep", { inputs });
    expect(run.exitCode).toBe(0);
    expect(run.outputs.result).not.toBe("idle");
    expect(run.toGitHub.length).toBeLessThanOrEqual(MOST);
    const reads = run.toGitHub.filter((request) => /commits|compare|pulls$/.test(request));
    expect(reads.length).toBeLessThanOrEqual(MOST_READS + 30);
    handed.push(...titlesIn(run));
    said.push(...run.warnings.filter((warning) => warning.includes("were used up")));
    await world.passTime();
  }
  expect(new Set(handed)).toEqual(new Set(repositories.map((_, nth) => `Change ${nth}`)));
  expect(handed).toHaveLength(120);
  expect(said[0]).toMatch(/The rest takes at least \d+ more runs?\./);
});

test("a run whose requests are used up before anything is read up to its end is behind", async () => {
  await using world = await startWorld();
  const { home } = world.github;
  home.push(Array.from({ length: 5_100 }, (_, nth) => ({ message: `${nth}`, files: {} })));
  const run = await world.run("upkeep");
  expect(run.exitCode).toBe(0);
  expect(run.outputs).toMatchObject({ result: "behind", changeCount: "0" });
  expect(run.warnings.join()).toContain("were used up");
  expect(run.toGitHub.length).toBeLessThanOrEqual(MOST_READS + 10);
});
