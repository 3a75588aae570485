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
