import { expect, test } from "vitest";
import { pullNumberOf, titlesIn } from "../support/world/outputs.ts";
import { startWorld, type World } from "../support/world/world.ts";

/** Has a change documented. @returns the number of the docs pull request, which is in review */
async function documentOne(world: World, title: string): Promise<number> {
  await world.github.land({ title });
  await world.run("upkeep");
  await world.passTime();
  const { outputs } = await world.run("upkeep");
  return pullNumberOf(JSON.parse(outputs.finished ?? "")[0].prLink);
}

const IN_REVIEW = /## In review\n\n- \[Docs pull request #\d+\].*`Add retries`/;

test("a docs pull request that was closed and reopened is in review again, and counts once it is merged", async () => {
  await using world = await startWorld();
  const docs = await documentOne(world, "Add retries");
  expect(world.dashboard("upkeep").body).toMatch(IN_REVIEW);
  await world.github.close(docs);
  await world.run("upkeep");
  expect(world.dashboard("upkeep").body).toMatch(/1 not documented[\s\S]*closed without merging/);
  await world.github.api(`/pulls/${docs}`, { method: "PATCH", body: { state: "open" } });
  const reopened = await world.run("upkeep");
  expect(reopened.outputs).toMatchObject({ result: "idle", waitingCount: "0" });
  expect(world.dashboard("upkeep").body).toMatch(IN_REVIEW);
  expect(world.dashboard("upkeep").body).toContain("0 of 1 change documented, 1 in review.");
  await world.github.merge(docs);
  await world.run("upkeep");
  expect(world.dashboard("upkeep").body).toContain("1 of 1 change documented.");
  expect(await world.prompts()).toHaveLength(1);
});

test("a change in the history that a repair left incomplete does not come back into the ledger", async () => {
  await using world = await startWorld();
  const docs = await documentOne(world, "Add retries");
  await world.github.close(docs);
  await world.run("upkeep");
  const { home } = world.github;
  const { ref, sha, files } = world.ledger("upkeep");
  const [path = "", text = ""] =
    Object.entries(files).find(([name]) => /^history/.test(name)) ?? [];
  const broken = text.replace(/"changes":\[.*\]/, '"changes":[{"key":"1#2"}]');
  expect(broken).not.toBe(text);
  home.setRef(ref, home.commit(sha, { files: { [path]: broken } }));
  await world.github.api(`/pulls/${docs}`, { method: "PATCH", body: { state: "open" } });
  for (let nth = 1; nth <= 2; nth++) {
    const { outputs } = await world.run("upkeep");
    expect(outputs.errorMessage).toBeUndefined();
    expect(outputs.result).toBe("idle");
  }
});

test("a docs pull request stays in review while GitHub fails, however often", async () => {
  await using world = await startWorld();
  const docs = await documentOne(world, "Add retries");
  const path = `/pulls/${docs}$`;
  world.github.emulated.addFault({ path, status: 502, times: 1000 });
  for (let nth = 1; nth <= 6; nth++)
    expect((await world.run("upkeep")).outputs.result).toBe("idle");
  expect(world.dashboard("upkeep").body).toMatch(IN_REVIEW);
  world.github.emulated.clearFaults();
  await world.github.merge(docs);
  await world.run("upkeep");
  expect(world.dashboard("upkeep").body).toContain("1 of 1 change documented.");
});

test.each([
  ["no-changes", []],
  ["completed", ["Rename a flag"]],
])("a follow-up that ends with %s around a merge hands over again: %j", async (outcome, again) => {
  await using world = await startWorld({ hasOneClock: true });
  const docs = await documentOne(world, "Add retries");
  await world.github.land({ title: "Rename a flag" });
  const prompt = `Document it.\nemulate: outcome=${outcome} duration=30s`;
  const second = await world.run("upkeep", { inputs: { prompt } });
  expect(second.outputs).toMatchObject({ result: "continued", changeCount: "1" });
  if (outcome === "no-changes") await world.passTime();
  await world.github.merge(docs);
  await world.passTime();
  const third = await world.run("upkeep");
  expect(titlesIn(third)).toEqual(again);
  expect(third.outputs.waitingCount).toBe("0");
});
