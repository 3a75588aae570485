import { expect, test } from "vitest";
import { runMeanwhile } from "../support/meanwhile.ts";
import { pullNumberOf, setUpUpkeep, titlesIn, type UpkeepSetup } from "../support/upkeep-setup.ts";

/** Upkeep whose first batch is done, with an open docs pull request and one more change. */
async function setUpSecond(): Promise<UpkeepSetup & { docsPull: number; change: number }> {
  const scene = await setUpUpkeep();
  await scene.history.land({ title: "One" });
  await scene.run();
  await scene.passTime();
  const second = await scene.run();
  const { prLink } = JSON.parse(second.outputs.finished ?? "")[0];
  const { number: change } = await scene.history.land({ title: "Two" });
  return { ...scene, docsPull: pullNumberOf(prLink), change };
}

test("right before the request, one request reads the dashboard and one all else, and it is sent", async () => {
  await using scene = await setUpSecond();
  const { result, requests } = await runMeanwhile(scene, async () => {});
  expect(result.outputs).toMatchObject({ result: "continued", changeCount: "1" });
  const sent = requests.findIndex((request) => request.includes("/v2/agent/"));
  expect(requests.slice(0, sent)).toEqual([
    expect.stringMatching(/^GET \/repos\/\S+\/issues\/\d+$/),
    "POST /graphql",
  ]);
});

test("a dashboard that is closed after the plan pauses the run before its request", async () => {
  await using scene = await setUpSecond();
  const { result } = await runMeanwhile(scene, () => scene.editDashboard({ state: "closed" }));
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ result: "paused", changeCount: "0", waitingCount: "1" });
  expect(result.summary).toContain("so nothing is handed over. Reopen it to continue.");
  expect(await scene.prompts()).toHaveLength(1);
  expect(scene.ledger().ledger).toMatchObject({ batches: [], waiting: [{ attempts: 0 }] });
  expect((await scene.run()).outputs.result).toBe("paused");
  await scene.editDashboard({ state: "open" });
  const next = await scene.run();
  expect(next.outputs).toMatchObject({ result: "continued", changeCount: "1" });
});

test("a docs pull request that is merged after the plan gets no follow-up: the next run starts a job", async () => {
  await using scene = await setUpSecond();
  const { result } = await runMeanwhile(scene, () => scene.history.merge(scene.docsPull));
  expect(result.outputs).toMatchObject({ result: "idle", changeCount: "0", waitingCount: "1" });
  expect(result.summary).toContain(
    "Right before the request, the docs pull request was not what it had been, so nothing was handed over. The next run decides again.",
  );
  expect(await scene.prompts()).toHaveLength(1);
  const { starts } = scene.ledger().ledger;
  expect(starts).toHaveLength(1);
  const next = await scene.run();
  expect(next.outputs).toMatchObject({ result: "started", changeCount: "1" });
});

test("a change that gets the label skip-docs after the plan is given back, and passed over by the next run", async () => {
  await using scene = await setUpSecond();
  const { result } = await runMeanwhile(scene, async () => {
    await scene.history.api(`/issues/${scene.change}/labels`, {
      method: "POST",
      body: { labels: ["skip-docs"] },
    });
  });
  expect(result.outputs).toMatchObject({ result: "idle", changeCount: "0", waitingCount: "1" });
  expect(result.summary).toContain(`#${scene.change} was excluded (label skip-docs)`);
  expect(await scene.prompts()).toHaveLength(1);
  const next = await scene.run();
  expect(next.outputs).toMatchObject({ result: "idle", waitingCount: "0" });
  expect(await scene.body()).toMatch(/## Passed over\n\n.*`Two`.*`label skip-docs`/);
});

test("a source that becomes private after the plan is not handed over", async () => {
  await using scene = await setUpUpkeep();
  const code = scene.history.emulated.create("acme/code");
  const since = code.tip();
  code.land({ title: "Secret" });
  const inputs = { repositories: "acme/code", since };
  const { result } = await runMeanwhile(
    scene,
    async () => {
      code.visibility = "private";
      code.roles.set("github-actions[bot]", "read");
    },
    { inputs },
  );
  expect(result.outputs).toMatchObject({ result: "idle", changeCount: "0" });
  expect(result.summary).toContain("acme/code could be read by fewer people than this repository");
  expect(await scene.prompts()).toEqual([]);
  code.visibility = "public";
  expect(titlesIn(await scene.run({ inputs }))).toEqual(["Secret"]);
});
