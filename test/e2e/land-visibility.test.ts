import { expect, test } from "vitest";
import { setUpLand } from "../support/land-setup.ts";

test.each([
  ["public", "by the title of its change", true],
  ["private", "only by the number of changes", false],
] as const)(
  "a change of another repository that is %s is named on a private docs pull request %s",
  async (visibility, _, isNamed) => {
    await using scene = await setUpLand();
    const { emulated, home } = scene.world.github;
    home.visibility = "private";
    const code = emulated.create("acme/code");
    code.visibility = visibility;
    await scene.passTime(24 * 8);
    code.land({ title: "Secret plan", author: "maintainer" });
    const inputs = { repositories: "acme/code", since: "" };
    await scene.upkeep({ inputs });
    await scene.passTime();
    await scene.upkeep({ inputs });
    const run = await scene.run();
    expect(run.outputs.openCount).toBe("1");
    const [pull] = home.pulls;
    const comment = await scene.comment(pull?.number ?? 0);
    expect(comment).toContain("**Documents** 1 merged change");
    expect(comment.includes("Secret plan")).toBe(isNamed);
    expect(comment.includes("acme/code")).toBe(isNamed);
    expect(comment.includes("maintainer")).toBe(isNamed);
    expect(run.summary.includes("Secret plan")).toBe(isNamed);
    expect(run.stdout).not.toContain("Secret plan");
  },
);

test("a private docs pull request is not named in a public workflow's log, summary and digest", async () => {
  await using scene = await setUpLand();
  const { emulated, home } = scene.world.github;
  home.visibility = "private";
  const code = emulated.create("acme/code");
  code.visibility = "public";
  const inCode = {
    repository: "acme/code",
    env: { GITHUB_REPOSITORY_ID: String(code.id) },
    token: scene.world.github.tokenOf("octocat"),
  };
  await scene.passTime(24 * 8);
  code.land({ title: "Add retries", author: "maintainer" });
  const upkeep = { ...inCode, inputs: { since: "" } };
  await scene.upkeep(upkeep);
  await scene.passTime();
  await scene.upkeep(upkeep);
  const run = await scene.run({ ...inCode, inputs: { merge: "approved" } });
  expect(run.outputs.openCount).toBe("1");
  const [pull] = home.pulls;
  expect(run.summary).toContain("docs pull request in a repository that not everyone here can see");
  for (const seen of [run.summary, run.stdout, run.outputs.digest ?? ""]) {
    expect(seen).not.toContain("acme/docs");
    expect(seen).not.toContain(pull?.title);
  }
  expect(await scene.comment(pull?.number ?? 0)).toMatch(/`Add retries`.* by `maintainer`/);
});
