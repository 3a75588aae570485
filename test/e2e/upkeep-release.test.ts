import { expect, test } from "vitest";
import { titlesIn } from "../support/world/outputs.ts";
import { startWorld, type World } from "../support/world/world.ts";

const inputs = { after: "release" };

async function release(world: World, tag_name: string, more: object = {}) {
  const body = { tag_name, target_commitish: "main", ...more };
  await world.github.api("/releases", { method: "POST", body });
}

async function tag(world: World, name: string, sha?: string) {
  const body = { ref: `refs/tags/${name}`, sha: sha ?? world.github.home.tip() };
  await world.github.api("/git/refs", { method: "POST", body });
}

test("only changes in the newest published release are handed over, and later ones wait", async () => {
  await using world = await startWorld();
  await world.github.land({ title: "One" });
  const before = await world.run("upkeep", { inputs });
  expect(before.outputs).toMatchObject({ result: "idle", waitingCount: "1", changeCount: "0" });
  expect(world.dashboard("upkeep").body).toMatch(
    /## Waiting\n\n- For a release, since .* UTC ← \[`One`\]/,
  );
  await release(world, "v1", { draft: true });
  await release(world, "v1-rc", { prerelease: true });
  expect(titlesIn(await world.run("upkeep", { inputs }))).toEqual([]);
  await world.passTime();
  await release(world, "v1.0");
  await world.github.land({ title: "Two" });
  const released = await world.run("upkeep", { inputs });
  expect(titlesIn(released)).toEqual(["One"]);
  expect(released.outputs.waitingCount).toBe("1");
  await world.passTime();
  const { writes } = world.ledger("upkeep").ledger;
  await world.run("upkeep", { inputs });
  expect(world.ledger("upkeep").ledger.writes).toBe(writes + 1);
  await world.run("upkeep", { inputs });
  expect(world.ledger("upkeep").ledger.writes).toBe(writes + 1);
  await release(world, "v1.1");
  expect(titlesIn(await world.run("upkeep", { inputs }))).toEqual(["Two"]);
});

test("a later release of an older line has no effect", async () => {
  await using world = await startWorld();
  const base = world.github.home.tip();
  await world.github.land({ title: "One" });
  await release(world, "v2.0");
  expect(titlesIn(await world.run("upkeep", { inputs }))).toEqual(["One"]);
  await world.passTime();
  const { home } = world.github;
  home.setRef("refs/heads/v1", home.commit(base, { message: "Backport" }));
  await world.github.land({ title: "Two" });
  await release(world, "v1.9", { target_commitish: "v1" });
  const run = await world.run("upkeep", { inputs });
  expect(run.outputs).toMatchObject({ changeCount: "0", waitingCount: "1" });
});

test("with release-tag, the newest matching tag of the branch counts as the release", async () => {
  await using world = await startWorld();
  const byTag = { ...inputs, "release-tag": "v*" };
  const base = world.github.home.tip();
  await world.github.land({ title: "One" });
  expect((await world.run("upkeep", { inputs: byTag })).outputs).toMatchObject({
    result: "idle",
    waitingCount: "1",
  });
  await tag(world, "v1.0");
  await world.github.land({ title: "Two" });
  await tag(world, "nightly-1");
  const { home } = world.github;
  home.setRef("refs/heads/v0", home.commit(base, { message: "Elsewhere" }));
  await tag(world, "v0.9", home.tip("v0"));
  const run = await world.run("upkeep", { inputs: byTag });
  expect(titlesIn(run)).toEqual(["One"]);
  expect(run.outputs.waitingCount).toBe("1");
});

test("a release-tag that matches no tag of one repository does not hold up the others", async () => {
  await using world = await startWorld();
  const code = world.github.emulated.create("acme/code");
  await world.passTime(8 * 24 * 3_600_000);
  await world.github.land({ title: "One" });
  await tag(world, "1.0");
  code.land({ title: "Two" });
  code.setRef("refs/tags/v1.0", code.tip());
  const repositories = "acme/docs\nacme/code";
  const run = await world.run("upkeep", {
    inputs: { ...inputs, repositories, since: "", "release-tag": "v*" },
  });
  expect(run.outputs).toMatchObject({ errorKind: "github-refused", result: "started" });
  expect(run.outputs.errorMessage).toContain(
    'acme/docs could not be read: none of its tags matches "v*", the `release-tag`.',
  );
  expect(titlesIn(run)).toEqual(["Two"]);
});

test("a change that waits for a release is released by its commit of a branch that was rewritten", async () => {
  await using world = await startWorld();
  const { home } = world.github;
  const base = home.tip();
  await world.github.land({ title: "One" }, "squash");
  home.push({ message: "Two" });
  await world.run("upkeep", { inputs });
  await world.passTime();
  home.rewrite(base, home.commit(base, { message: "Before all" }));
  const rewritten = await world.run("upkeep", { inputs });
  expect(rewritten.outputs).toMatchObject({ changeCount: "0", waitingCount: "3" });
  await world.passTime();
  await release(world, "v1");
  const released = await world.run("upkeep", { inputs });
  expect(titlesIn(released).toSorted()).toEqual(["Before all", "One", "Two"]);
  expect(released.outputs.waitingCount).toBe("0");
});

test("a release counts by its tag's commit, not that of a branch with its name, and also when the tag is moved", async () => {
  await using world = await startWorld();
  const { home } = world.github;
  await release(world, "v1");
  await world.github.land({ title: "One" });
  home.setRef("refs/heads/v1", home.tip());
  expect((await world.run("upkeep", { inputs })).outputs).toMatchObject({
    result: "idle",
    waitingCount: "1",
  });
  home.setRef("refs/tags/v1", home.tip());
  expect(titlesIn(await world.run("upkeep", { inputs }))).toEqual(["One"]);
});

test("a release whose tag GitHub does not find yet is compared by the next run", async () => {
  await using world = await startWorld();
  await world.github.land({ title: "One" });
  await world.run("upkeep", { inputs });
  await release(world, "v1");
  const { emulated } = world.github;
  emulated.addFault({ path: "/compare/", status: 404 });
  emulated.addFault({ path: "/commits[?]", status: 404 });
  const early = await world.run("upkeep", { inputs });
  expect(early.outputs).toMatchObject({ result: "idle", waitingCount: "1" });
  expect(titlesIn(await world.run("upkeep", { inputs }))).toEqual(["One"]);
});

test("a fix of an older version that is published later does not hide the newer release", async () => {
  await using world = await startWorld();
  const { home } = world.github;
  const base = home.tip();
  await world.github.land({ title: "One" });
  await release(world, "v2.0");
  home.setRef("refs/heads/v1", home.commit(base, { message: "Backport" }));
  await release(world, "v1.9", { target_commitish: "v1" });
  expect(titlesIn(await world.run("upkeep", { inputs }))).toEqual(["One"]);
});

test("the newest tag that matches counts, however many newer tags other packages have", async () => {
  await using world = await startWorld();
  const { home } = world.github;
  await world.github.land({ title: "One" });
  home.tag("pkg-a@1.0.0", home.tip());
  for (let nth = 1; nth <= 101; nth += 1) home.setRef(`refs/tags/pkg-b@${nth}`, home.push());
  const run = await world.run("upkeep", { inputs: { ...inputs, "release-tag": "pkg-a@*" } });
  expect(run.exitCode).toBe(0);
  expect(titlesIn(run)).toEqual(["One"]);
});

test("many fixes of older versions that are published later do not hide the newer release", async () => {
  await using world = await startWorld();
  const { home } = world.github;
  const base = home.tip();
  await world.github.land({ title: "One" });
  await release(world, "v2.0");
  await world.passTime();
  home.setRef("refs/heads/v1", base);
  for (let nth = 1; nth <= 12; nth += 1) {
    home.push({ message: `Fix ${nth}` }, "v1");
    await release(world, `v1.${nth}`, { target_commitish: "v1" });
  }
  expect(titlesIn(await world.run("upkeep", { inputs }))).toEqual(["One"]);
});

test("a waiting change that gets a label from ignore-labels is not handed over when it is released", async () => {
  await using world = await startWorld();
  const { number } = await world.github.land({ title: "One" });
  await world.github.land({ title: "Two" });
  await world.run("upkeep", { inputs });
  await world.github.label(number, "skip-docs");
  await release(world, "v1");
  expect(titlesIn(await world.run("upkeep", { inputs }))).toEqual(["Two"]);
  expect(world.dashboard("upkeep").body).toMatch(/`One`.*`label skip-docs`/);
});
