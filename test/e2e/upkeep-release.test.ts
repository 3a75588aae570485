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

test("a release-tag that matches no tag fails with invalid-input, and nothing is sent", async () => {
  await using scene = await setUpUpkeep();
  await scene.history.land({ title: "One" });
  await tag(scene, "1.0");
  const run = await scene.run({ inputs: { ...inputs, "release-tag": "v*" } });
  expect(run.outputs.errorKind).toBe("invalid-input");
  expect(run.outputs.errorMessage).toContain(
    'release-tag: none of the newest 100 tags of acme/docs matches "v*"',
  );
  expect([await scene.world.service.requests(), scene.ledgers()]).toEqual([[], []]);
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
