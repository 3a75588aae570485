import { expect, test } from "vitest";
import { pullNumberOf, setUpUpkeep, titlesIn, type UpkeepSetup } from "../support/upkeep-setup.ts";

/** Has a change documented. @returns the number of the docs pull request, which is in review */
async function documentOne(scene: UpkeepSetup, title: string): Promise<number> {
  await scene.history.land({ title });
  await scene.run();
  await scene.passTime();
  const { outputs } = await scene.run();
  return pullNumberOf(JSON.parse(outputs.finished ?? "")[0].prLink);
}

const IN_REVIEW = /## In review\n\n- \[Docs pull request #\d+\].*`Add retries`/;

test("a docs pull request that was closed and reopened is in review again, and counts once it is merged", async () => {
  await using scene = await setUpUpkeep();
  const docs = await documentOne(scene, "Add retries");
  expect(await scene.body()).toMatch(IN_REVIEW);
  await scene.history.close(docs);
  await scene.run();
  expect(await scene.body()).toMatch(/1 not documented[\s\S]*closed without merging/);
  await scene.history.api(`/pulls/${docs}`, { method: "PATCH", body: { state: "open" } });
  const reopened = await scene.run();
  expect(reopened.outputs).toMatchObject({ result: "idle", waitingCount: "0" });
  expect(await scene.body()).toMatch(IN_REVIEW);
  expect(await scene.body()).toContain("0 of 1 change documented, 1 in review.");
  await scene.history.merge(docs);
  await scene.run();
  expect(await scene.body()).toContain("1 of 1 change documented.");
  expect(await scene.prompts()).toHaveLength(1);
});

test("a change in the history that a repair left incomplete does not come back into the ledger", async () => {
  await using scene = await setUpUpkeep();
  const docs = await documentOne(scene, "Add retries");
  await scene.history.close(docs);
  await scene.run();
  const { home } = scene.world.github;
  const { ref, sha, files } = scene.ledger();
  const [path = "", text = ""] =
    Object.entries(files).find(([name]) => /^history/.test(name)) ?? [];
  const broken = text.replace(/"changes":\[.*\]/, '"changes":[{"key":"1#2"}]');
  expect(broken).not.toBe(text);
  home.setRef(ref, home.commit(sha, { files: { [path]: broken } }));
  await scene.history.api(`/pulls/${docs}`, { method: "PATCH", body: { state: "open" } });
  for (let nth = 1; nth <= 2; nth++) {
    const { outputs } = await scene.run();
    expect(outputs.errorMessage).toBeUndefined();
    expect(outputs.result).toBe("idle");
  }
});

test("a docs pull request stays in review while GitHub fails, however often", async () => {
  await using scene = await setUpUpkeep();
  const docs = await documentOne(scene, "Add retries");
  const path = `/pulls/${docs}$`;
  scene.history.emulated.addFault({ path, status: 502, times: 1000 });
  for (let nth = 1; nth <= 6; nth++) expect((await scene.run()).outputs.result).toBe("idle");
  expect(await scene.body()).toMatch(IN_REVIEW);
  scene.history.emulated.clearFaults();
  await scene.history.merge(docs);
  await scene.run();
  expect(await scene.body()).toContain("1 of 1 change documented.");
});

test.each([
  ["no-changes", []],
  ["completed", ["Rename a flag"]],
])("a follow-up that ends with %s around a merge hands over again: %j", async (outcome, again) => {
  await using scene = await setUpUpkeep({ hasOneClock: true });
  const docs = await documentOne(scene, "Add retries");
  await scene.history.land({ title: "Rename a flag" });
  const prompt = `Document it.\nemulate: outcome=${outcome} duration=30s`;
  const second = await scene.run({ inputs: { prompt } });
  expect(second.outputs).toMatchObject({ result: "continued", changeCount: "1" });
  if (outcome === "no-changes") await scene.passTime();
  await scene.history.merge(docs);
  await scene.passTime();
  const third = await scene.run();
  expect(titlesIn(third)).toEqual(again);
  expect(third.outputs.waitingCount).toBe("0");
});
