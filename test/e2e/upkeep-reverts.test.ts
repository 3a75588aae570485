import { expect, test } from "vitest";
import { titlesIn } from "../support/world/outputs.ts";
import { startWorld, type World } from "../support/world/world.ts";

/** Merges a pull request that changes a file, and one that reverts it with GitHub's button. */
async function landAndRevert(world: World): Promise<{ first: number; revert: number }> {
  const { number: first } = await land(world, "Add a limit", "1\n");
  return { first, revert: await revertOf(world, first, "0\n") };
}

async function land(world: World, title: string, text: string, body = "") {
  const commits = [{ files: { "src/limit.ts": text } }];
  return await world.github.land({ title, body, commits }, "squash");
}

async function revertOf(world: World, number: number, text: string): Promise<number> {
  const title = `Revert "#${number}"`;
  return (await land(world, title, text, `Reverts acme/docs#${number}`)).number;
}

test("a change that was reverted before it was handed over is passed over with its revert", async () => {
  await using world = await startWorld();
  const { first, revert } = await landAndRevert(world);
  world.github.home.push({ message: "Another one", files: { "src/other.ts": "1\n" } });
  expect(titlesIn(await world.run("upkeep"))).toEqual(["Another one"]);
  const { body } = world.dashboard("upkeep");
  expect(body).toMatch(
    new RegExp(`Add a limit.*reverted by acme/docs#${revert} before it was handed over`),
  );
  expect(body).toMatch(
    new RegExp(`Revert .*reverts acme/docs#${first}, which was not handed over`),
  );
});

test("a commit that `git revert` made takes out the commit that it names", async () => {
  await using world = await startWorld();
  const { home } = world.github;
  const sha = home.push({ message: "Add a limit", files: { "src/limit.ts": "1\n" } });
  const message = `Revert "Add a limit"\n\nThis reverts commit ${sha}.`;
  home.push({ message, files: { "src/limit.ts": "0\n" } });
  expect((await world.run("upkeep")).outputs).toMatchObject({ result: "idle", changeCount: "0" });
  expect(world.ledger("upkeep").ledger.passedOver).toMatchObject([
    { reason: { code: "reverts" } },
    { reason: { code: "reverted" } },
  ]);
});

test("the revert of a revert brings the first back, in the same run and in a later one", async () => {
  await using world = await startWorld();
  const { revert } = await landAndRevert(world);
  await revertOf(world, revert, "1\n");
  expect(titlesIn(await world.run("upkeep"))).toEqual(["Add a limit"]);
  await world.passTime();
  const { number } = await land(world, "Add a second limit", "2\n");
  const second = await revertOf(world, number, "1\n");
  expect(titlesIn(await world.run("upkeep"))).toEqual([]);
  await world.passTime();
  await revertOf(world, second, "2\n");
  expect(titlesIn(await world.run("upkeep"))).toEqual(["Add a second limit"]);
});

test("a revert of other files takes nothing out, and says what it reverts", async () => {
  await using world = await startWorld();
  const { number } = await land(world, "Add a limit", "1\n");
  const body = `Reverts acme/docs#${number}`;
  await world.github.land({ title: "Revert it and more", body, commits: [{}] }, "squash");
  expect(titlesIn(await world.run("upkeep"))).toEqual(["Add a limit", "Revert it and more"]);
  expect((await world.prompts()).join()).toContain(`\nIt reverts acme/docs#${number}.\n\n> Revert`);
});

test("the revert of what was handed over says which docs pull request documents that", async () => {
  await using world = await startWorld();
  const { number } = await land(world, "Add a limit", "1\n");
  await world.run("upkeep");
  await world.passTime();
  await revertOf(world, number, "0\n");
  const run = await world.run("upkeep", { inputs: { "open-pull-request": "new" } });
  expect(titlesIn(run)).toEqual([`Revert "#${number}"`]);
  const link = world.github.home.pulls.find(({ author }) => author === "docs-agent[bot]");
  expect((await world.prompts()).at(-1)).toMatch(
    new RegExp(
      `It reverts acme/docs#${number}, which the docs pull request \\S+/pull/${link?.number} documents\\.`,
    ),
  );
});

test("a revert whose files cannot be read hands neither over until they can", async () => {
  await using world = await startWorld();
  const { revert } = await landAndRevert(world);
  world.github.emulated.addFault({ path: `/pulls/${revert}/files`, status: 502, times: 2 });
  expect(titlesIn(await world.run("upkeep"))).not.toContain("Add a limit");
});
