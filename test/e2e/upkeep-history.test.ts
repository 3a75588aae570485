import { expect, test } from "vitest";
import { setUpUpkeep, titlesIn } from "../support/upkeep-setup.ts";

test("a commit in the name of a bot, by somebody whom GitHub does not know, is handed over", async () => {
  await using scene = await setUpUpkeep();
  const { home } = scene.world.github;
  const at = home.site.second;
  const author = { name: "renovate[bot]", email: "anybody@example.com", at };
  const changes = [{ path: "src/a.ts", sha: home.objects.blob("1\n") }];
  const { sha } = home.writeCommit([home.tip()], changes, { message: "Not by a bot", author });
  home.setRef("refs/heads/main", sha);
  const run = await scene.run();
  expect(titlesIn(run)).toEqual(["Not by a bot"]);
  expect(JSON.parse(run.outputs.changes ?? "")).toMatchObject([{ author: "" }]);
  expect((await scene.prompts()).join()).toContain(" by an unknown account");
});

test("a commit that a pull request took into another branch is handed over as a commit", async () => {
  await using scene = await setUpUpkeep();
  const { home } = scene.world.github;
  home.setRef("refs/heads/release", home.tip());
  home.push({ message: "Fix it (#12)" });
  home.merge(home.openPullOf({ title: "Release", branch: "main", base: "release" }));
  const run = await scene.run();
  expect(titlesIn(run)).toEqual(["Fix it (#12)"]);
  expect(JSON.parse(run.outputs.changes ?? "")).toMatchObject([{ number: null }]);
});
