import { expect, test } from "vitest";
import { LAND } from "../support/world/docs-pulls.ts";
import { DAY, HOUR, startWorld, type World } from "../support/world/world.ts";

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

/** Upkeep documents a change of a private repository, and one of the public repository that has the documentation. */
async function documentBoth(world: World, authors: readonly [string, string]): Promise<number> {
  const { emulated, home } = world.github;
  home.visibility = "public";
  const code = emulated.create("acme/code");
  code.visibility = "private";
  const inCode = {
    repository: "acme/code",
    env: { GITHUB_REPOSITORY_ID: String(code.id) },
    token: world.github.tokenOf("octocat"),
    inputs: { repositories: "acme/code\nacme/docs", since: "", "open-pull-request": "new" },
  };
  await world.passTime(8 * DAY);
  code.land({ title: "Secret plan", author: authors[0] });
  home.land({ title: "Add retries", author: authors[1] });
  await world.run("upkeep", inCode);
  await world.passTime(HOUR);
  await world.run("upkeep", inCode);
  const inputs = { reviewers: "authors", "remind-after-days": "1" };
  await world.run("land", { ...inCode, inputs });
  await world.passTime(2 * DAY);
  await world.run("land", { ...inCode, inputs });
  return home.pulls.at(-1)?.number ?? 0;
}

test("whoever is known only from a private repository is neither asked nor mentioned on a public docs pull request", async () => {
  await using world = await startWorld(LAND);
  const number = await documentBoth(world, ["writer", "maintainer"]);
  expect(world.pull(number).reviewers).toEqual(["maintainer"]);
  const bodies = world.comments(number).map(({ body }) => body);
  expect(bodies.at(-1)).toContain("@maintainer: this docs pull request waits for a review.");
  expect(bodies.join("\n")).not.toMatch(/writer|Secret plan|acme\/code/);
});

test("a bot is neither asked as the author of a change nor mentioned, whatever its login; whoever merged it is", async () => {
  await using world = await startWorld(LAND);
  const { github } = world;
  github.home.land({ title: "Add retries", author: "Copilot" }, "squash");
  await world.run("upkeep");
  await world.passTime(HOUR);
  await world.run("upkeep");
  const inputs = { reviewers: "authors\nCopilot", "remind-after-days": "1" };
  await world.run("land", { inputs });
  const [pull] = github.home.pulls.slice(-1);
  const number = pull?.number ?? 0;
  expect(world.pull(number).reviewers).toContain("maintainer");
  await world.passTime(2 * DAY);
  await world.run("land", { inputs });
  const bodies = world.comments(number).map(({ body }) => body);
  expect(bodies.at(-1)).toContain("@maintainer: this docs pull request waits for a review.");
  expect(bodies.join("\n")).not.toContain("@Copilot");
});
