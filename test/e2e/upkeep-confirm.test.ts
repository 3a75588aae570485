import { expect, test } from "vitest";
import { runMeanwhile } from "../support/meanwhile.ts";
import { pullNumberOf, titlesIn } from "../support/world/outputs.ts";
import { startWorld, type World } from "../support/world/world.ts";

/** Upkeep whose first batch is done, with an open docs pull request and one more change. */
async function setUpSecond(): Promise<{ world: World; docsPull: number; change: number }> {
  const world = await startWorld();
  await world.github.land({ title: "One" });
  await world.run("upkeep");
  await world.passTime();
  const second = await world.run("upkeep");
  const { prLink } = JSON.parse(second.outputs.finished ?? "")[0];
  const { number: change } = await world.github.land({ title: "Two" });
  return { world, docsPull: pullNumberOf(prLink), change };
}

test("right before the request, one request reads the dashboard and one all else, and it is sent", async () => {
  await using world = (await setUpSecond()).world;
  const { result, requests } = await runMeanwhile(world, "upkeep", async () => {});
  expect(result.outputs).toMatchObject({ result: "continued", changeCount: "1" });
  const sent = requests.findIndex((request) => request.includes("/v2/agent/"));
  expect(requests.slice(0, sent)).toEqual([
    expect.stringMatching(/^GET \/repos\/\S+\/issues\/\d+$/),
    "POST /graphql",
  ]);
});

test("a dashboard that is closed after the plan pauses the run before its request", async () => {
  await using world = (await setUpSecond()).world;
  const { result } = await runMeanwhile(world, "upkeep", () =>
    world.editDashboard("upkeep", { state: "closed" }),
  );
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ result: "paused", changeCount: "0", waitingCount: "1" });
  expect(result.summary).toContain("so nothing is handed over. Reopen it to continue.");
  expect(await world.prompts()).toHaveLength(1);
  expect(world.ledger("upkeep").ledger).toMatchObject({ batches: [], waiting: [{ attempts: 0 }] });
  expect((await world.run("upkeep")).outputs.result).toBe("paused");
  await world.editDashboard("upkeep", { state: "open" });
  const next = await world.run("upkeep");
  expect(next.outputs).toMatchObject({ result: "continued", changeCount: "1" });
});

test("a docs pull request that is merged after the plan gets no follow-up: the next run starts a job", async () => {
  const { world, docsPull } = await setUpSecond();
  await using _ = world;
  const { result } = await runMeanwhile(world, "upkeep", () => world.github.merge(docsPull));
  expect(result.outputs).toMatchObject({ result: "idle", changeCount: "0", waitingCount: "1" });
  expect(result.summary).toContain(
    "Right before the request, the docs pull request was not what it had been, so nothing was handed over. The next run decides again.",
  );
  expect(await world.prompts()).toHaveLength(1);
  const { starts } = world.ledger("upkeep").ledger;
  expect(starts).toHaveLength(1);
  const next = await world.run("upkeep");
  expect(next.outputs).toMatchObject({ result: "started", changeCount: "1" });
});

test("a change that gets the label skip-docs after the plan is given back, and passed over by the next run", async () => {
  const { world, change } = await setUpSecond();
  await using _ = world;
  const { result } = await runMeanwhile(world, "upkeep", async () => {
    await world.github.api(`/issues/${change}/labels`, {
      method: "POST",
      body: { labels: ["skip-docs"] },
    });
  });
  expect(result.outputs).toMatchObject({ result: "idle", changeCount: "0", waitingCount: "1" });
  expect(result.summary).toContain(`#${change} was excluded (label skip-docs)`);
  expect(await world.prompts()).toHaveLength(1);
  const next = await world.run("upkeep");
  expect(next.outputs).toMatchObject({ result: "idle", waitingCount: "0" });
  expect(world.dashboard("upkeep").body).toMatch(/## Passed over\n\n.*`Two`.*`label skip-docs`/);
});

test("a source that becomes private after the plan is not handed over", async () => {
  await using world = await startWorld();
  const code = world.github.emulated.create("acme/code");
  const since = code.tip();
  code.land({ title: "Secret" });
  const inputs = { repositories: "acme/code", since };
  const { result } = await runMeanwhile(
    world,
    "upkeep",
    async () => {
      code.visibility = "private";
      code.roles.set("github-actions[bot]", "read");
    },
    { inputs },
  );
  expect(result.outputs).toMatchObject({ result: "idle", changeCount: "0" });
  expect(result.summary).toContain("acme/code could be read by fewer people than this repository");
  expect(await world.prompts()).toEqual([]);
  code.visibility = "public";
  expect(titlesIn(await world.run("upkeep", { inputs }))).toEqual(["Secret"]);
});
