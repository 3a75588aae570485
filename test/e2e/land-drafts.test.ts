import { expect, test } from "vitest";
import { DRAFTS } from "../support/world/gate.ts";
import { DAY, type Run, startWorld } from "../support/world/world.ts";

const CODE = [{ files: { "src/retry.ts": "export const retries = 3;\n" } }];

/** Why the only docs pull request is not merged. */
function reasonIn({ outputs }: Run) {
  const [pull] = JSON.parse(outputs.pullRequests ?? "");
  return pull.reason;
}

test.each([
  ["merged", { mergedCount: "1", closedCount: "0" }],
  ["closed", { mergedCount: "0", closedCount: "1" }],
])(
  "the docs pull request of a draft stays open until the code is %s, and then ends the same way",
  async (end, outputs) => {
    await using world = await startWorld({ steering: { durationMs: 0, checks: "green" } });
    const { github } = world;
    const inputs = { merge: "checks", "allowed-paths": "docs/**", "required-checks": "docs-check" };
    const number = await github.openPull({ title: "Add retries", commits: CODE });
    await world.github.review(number, "APPROVE");
    await world.run("gate", { pull: number, ...DRAFTS });
    await github.advance(60_000);
    await world.run("upkeep");
    const waiting = await world.run("land", { inputs });
    expect(waiting.outputs).toMatchObject({ openCount: "1", mergedCount: "0", closedCount: "0" });
    expect(waiting.summary).toContain("merged after the code pull request");
    await github.advance(5 * 60_000);
    if (end === "closed") await github.close(number);
    else await github.merge(number);
    await world.run("upkeep");
    expect((await world.run("land", { inputs })).outputs).toMatchObject({
      openCount: "0",
      ...outputs,
    });
  },
);

test("the docs pull request of a draft waits while its code was merged into another branch, until it has landed", async () => {
  await using world = await startWorld({ steering: { durationMs: 0, checks: "green" } });
  const { github } = world;
  const { home } = github;
  const inputs = { merge: "checks", "allowed-paths": "docs/**", "required-checks": "docs-check" };
  const number = await github.openPull({ title: "Add retries", commits: CODE });
  await github.review(number, "APPROVE");
  await world.run("gate", { pull: number, ...DRAFTS });
  await github.advance(60_000);
  await world.run("upkeep");
  await world.run("land", { inputs });
  home.setRef("refs/heads/stack", home.tip());
  home.change(world.pull(number), { base: "stack" });
  await github.merge(number, "merge");
  await github.advance(10 * 60_000);
  await world.run("upkeep");
  const waiting = await world.run("land", { inputs });
  expect(waiting.outputs).toMatchObject({ openCount: "1", mergedCount: "0" });
  expect(reasonIn(waiting)).toMatchObject({ code: "code-elsewhere", waitsFor: "code" });
  await github.advance(14 * DAY);
  const late = await world.run("land", { inputs: { ...inputs, "close-after-days": "7" } });
  expect(late.outputs).toMatchObject({ openCount: "1", needsPersonCount: "1" });
  expect(reasonIn(late)).toMatchObject({ code: "code-elsewhere", waitsFor: "person" });
});
