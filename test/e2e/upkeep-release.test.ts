import { expect, test } from "vitest";
import { setUpUpkeep, titlesIn, type UpkeepSetup } from "../support/upkeep-setup.ts";

const inputs = { after: "release" };

async function release({ world }: UpkeepSetup, tag_name: string, more: object = {}) {
  const body = { tag_name, target_commitish: "main", ...more };
  await world.github.api("/releases", { method: "POST", body });
}

async function tag({ world, history }: UpkeepSetup, name: string, sha?: string) {
  const body = { ref: `refs/tags/${name}`, sha: sha ?? history.home.tip() };
  await world.github.api("/git/refs", { method: "POST", body });
}

test("only changes in the newest published release are handed over, and later ones wait", async () => {
  await using scene = await setUpUpkeep();
  await scene.history.land({ title: "One" });
  const before = await scene.run({ inputs });
  expect(before.outputs).toMatchObject({ result: "idle", waitingCount: "1", changeCount: "0" });
  expect(await scene.body()).toMatch(/## Waiting\n\n- For a release ← \[`One`\]/);
  await release(scene, "v1", { draft: true });
  await release(scene, "v1-rc", { prerelease: true });
  expect(titlesIn(await scene.run({ inputs }))).toEqual([]);
  await scene.passTime();
  await release(scene, "v1.0");
  await scene.history.land({ title: "Two" });
  const released = await scene.run({ inputs });
  expect(titlesIn(released)).toEqual(["One"]);
  expect(released.outputs.waitingCount).toBe("1");
  await scene.passTime();
  const { writes } = scene.ledger().ledger;
  await scene.run({ inputs });
  expect(scene.ledger().ledger.writes).toBe(writes + 1);
  await scene.run({ inputs });
  expect(scene.ledger().ledger.writes).toBe(writes + 1);
  await release(scene, "v1.1");
  expect(titlesIn(await scene.run({ inputs }))).toEqual(["Two"]);
});

test("a later release of an older line has no effect", async () => {
  await using scene = await setUpUpkeep();
  const base = scene.history.home.tip();
  await scene.history.land({ title: "One" });
  await release(scene, "v2.0");
  expect(titlesIn(await scene.run({ inputs }))).toEqual(["One"]);
  await scene.passTime();
  const { home } = scene.world.github;
  home.setRef("refs/heads/v1", home.commit(base, { message: "Backport" }));
  await scene.history.land({ title: "Two" });
  await release(scene, "v1.9", { target_commitish: "v1" });
  const run = await scene.run({ inputs });
  expect(run.outputs).toMatchObject({ changeCount: "0", waitingCount: "1" });
});

test("with release-tag, the newest matching tag of the branch counts as the release", async () => {
  await using scene = await setUpUpkeep();
  const byTag = { ...inputs, "release-tag": "v*" };
  const base = scene.history.home.tip();
  await scene.history.land({ title: "One" });
  expect((await scene.run({ inputs: byTag })).outputs).toMatchObject({
    result: "idle",
    waitingCount: "1",
  });
  await tag(scene, "v1.0");
  await scene.history.land({ title: "Two" });
  await tag(scene, "nightly-1");
  const { home } = scene.world.github;
  home.setRef("refs/heads/v0", home.commit(base, { message: "Elsewhere" }));
  await tag(scene, "v0.9", home.tip("v0"));
  const run = await scene.run({ inputs: byTag });
  expect(titlesIn(run)).toEqual(["One"]);
  expect(run.outputs.waitingCount).toBe("1");
});

test("a release-tag that matches no tag of one repository does not hold up the others", async () => {
  await using scene = await setUpUpkeep();
  const code = scene.world.github.emulated.create("acme/code");
  await scene.history.advance(8 * 24 * 3_600_000);
  await scene.history.land({ title: "One" });
  await tag(scene, "1.0");
  code.land({ title: "Two" });
  code.setRef("refs/tags/v1.0", code.tip());
  const repositories = "acme/docs\nacme/code";
  const run = await scene.run({
    inputs: { ...inputs, repositories, since: "", "release-tag": "v*" },
  });
  expect(run.outputs).toMatchObject({ errorKind: "github-refused", result: "started" });
  expect(run.outputs.errorMessage).toContain(
    'acme/docs could not be read: none of its newest 100 tags matches "v*", the `release-tag`.',
  );
  expect(titlesIn(run)).toEqual(["Two"]);
});

test("a change that waits for a release is released by its commit of a branch that was rewritten", async () => {
  await using scene = await setUpUpkeep();
  const { home } = scene.world.github;
  const base = home.tip();
  await scene.history.land({ title: "One" }, "squash");
  home.push({ message: "Two" });
  await scene.run({ inputs });
  await scene.passTime();
  home.rewrite(base, home.commit(base, { message: "Before all" }));
  const rewritten = await scene.run({ inputs });
  expect(rewritten.outputs).toMatchObject({ changeCount: "0", waitingCount: "3" });
  await scene.passTime();
  await release(scene, "v1");
  const released = await scene.run({ inputs });
  expect(titlesIn(released).toSorted()).toEqual(["Before all", "One", "Two"]);
  expect(released.outputs.waitingCount).toBe("0");
});

test("a release counts by its tag's commit, not that of a branch with its name, and also when the tag is moved", async () => {
  await using scene = await setUpUpkeep();
  const { home } = scene.world.github;
  await release(scene, "v1");
  await scene.history.land({ title: "One" });
  home.setRef("refs/heads/v1", home.tip());
  expect((await scene.run({ inputs })).outputs).toMatchObject({
    result: "idle",
    waitingCount: "1",
  });
  home.setRef("refs/tags/v1", home.tip());
  expect(titlesIn(await scene.run({ inputs }))).toEqual(["One"]);
});

test("a release whose tag GitHub does not find yet is compared by the next run", async () => {
  await using scene = await setUpUpkeep();
  await scene.history.land({ title: "One" });
  await scene.run({ inputs });
  await release(scene, "v1");
  const { emulated } = scene.world.github;
  emulated.addFault({ path: "/compare/", status: 404 });
  emulated.addFault({ path: "/commits[?]", status: 404 });
  const early = await scene.run({ inputs });
  expect(early.outputs).toMatchObject({ result: "idle", waitingCount: "1" });
  expect(titlesIn(await scene.run({ inputs }))).toEqual(["One"]);
});

test("a fix of an older version that is published later does not hide the newer release", async () => {
  await using scene = await setUpUpkeep();
  const { home } = scene.world.github;
  const base = home.tip();
  await scene.history.land({ title: "One" });
  await release(scene, "v2.0");
  home.setRef("refs/heads/v1", home.commit(base, { message: "Backport" }));
  await release(scene, "v1.9", { target_commitish: "v1" });
  expect(titlesIn(await scene.run({ inputs }))).toEqual(["One"]);
});

test("a waiting change that gets a label from ignore-labels is not handed over when it is released", async () => {
  await using scene = await setUpUpkeep();
  const { number } = await scene.history.land({ title: "One" });
  await scene.history.land({ title: "Two" });
  await scene.run({ inputs });
  await scene.history.label(number, "skip-docs");
  await release(scene, "v1");
  expect(titlesIn(await scene.run({ inputs }))).toEqual(["Two"]);
  expect(await scene.body()).toMatch(/`One`.*`label skip-docs`/);
});
