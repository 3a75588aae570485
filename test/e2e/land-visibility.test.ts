import { expect, test } from "vitest";
import { LAND } from "../support/world/docs-pulls.ts";
import { DAY, HOUR, startWorld } from "../support/world/world.ts";

test.each([
  ["public", "by the title of its change", true],
  ["private", "only by the number of changes", false],
] as const)(
  "a change of another repository that is %s is named on a private docs pull request %s",
  async (visibility, _, isNamed) => {
    await using world = await startWorld(LAND);
    const { emulated, home } = world.github;
    home.visibility = "private";
    const code = emulated.create("acme/code");
    code.visibility = visibility;
    await world.passTime(8 * DAY);
    code.land({ title: "Secret plan", author: "maintainer" });
    const inputs = { repositories: "acme/code", since: "" };
    await world.run("upkeep", { inputs });
    await world.passTime(HOUR);
    await world.run("upkeep", { inputs });
    const run = await world.run("land");
    expect(run.outputs.openCount).toBe("1");
    const [pull] = home.pulls;
    const comment = world.comment(pull?.number ?? 0);
    expect(comment).toContain("**Documents** 1 merged change");
    expect(comment.includes("Secret plan")).toBe(isNamed);
    expect(comment.includes("acme/code")).toBe(isNamed);
    expect(comment.includes("maintainer")).toBe(isNamed);
    expect(run.summary.includes("Secret plan")).toBe(isNamed);
    expect(run.stdout).not.toContain("Secret plan");
  },
);

test("a private docs pull request is not named in a public workflow's log, summary and digest", async () => {
  await using world = await startWorld(LAND);
  const { emulated, home } = world.github;
  home.visibility = "private";
  const code = emulated.create("acme/code");
  code.visibility = "public";
  const inCode = {
    repository: "acme/code",
    env: { GITHUB_REPOSITORY_ID: String(code.id) },
    token: world.github.tokenOf("octocat"),
  };
  await world.passTime(8 * DAY);
  code.land({ title: "Add retries", author: "maintainer" });
  const upkeep = { ...inCode, inputs: { since: "" } };
  await world.run("upkeep", upkeep);
  await world.passTime(HOUR);
  await world.run("upkeep", upkeep);
  const run = await world.run("land", { ...inCode, inputs: { merge: "approved" } });
  expect(run.outputs.openCount).toBe("1");
  const [pull] = home.pulls;
  expect(run.summary).toContain("docs pull request in a repository that not everyone here can see");
  for (const seen of [run.summary, run.stdout, run.outputs.digest ?? ""]) {
    expect(seen).not.toContain("acme/docs");
    expect(seen).not.toContain(pull?.title);
  }
  expect(world.comment(pull?.number ?? 0)).toMatch(/`Add retries`.* by `maintainer`/);
});
