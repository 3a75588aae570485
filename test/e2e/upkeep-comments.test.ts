import { expect, test } from "vitest";
import { startWorld, type World } from "../support/world/world.ts";

const INPUTS = { comment: "true" };

/** Sets up merged pull requests whose batch has ended, so that the next run comments on them. */
async function setUpEnded(count: number): Promise<{ world: World; numbers: number[] }> {
  const world = await startWorld();
  const numbers: number[] = [];
  for (let nth = 1; nth <= count; nth++) {
    numbers.push((await world.github.land({ title: `Change ${nth}` })).number);
  }
  await world.run("upkeep", { inputs: INPUTS });
  await world.passTime();
  return { world, numbers };
}

function upkeepComments(world: World, number: number): string[] {
  const bodies = world.comments(number).map(({ body }) => body);
  return bodies.filter((body) => body.includes("docs-agent-upkeep"));
}

test("runs at the same time comment once", async () => {
  const { world, numbers } = await setUpEnded(3);
  await using _ = world;
  await Promise.all([1, 2, 3].map(() => world.run("upkeep", { inputs: INPUTS })));
  for (const number of numbers) expect(upkeepComments(world, number)).toHaveLength(1);
  expect(world.ledger("upkeep").ledger.pendingComments).toEqual([]);
});

test("a pull request that takes no more comments is a warning once, and keeps no other from its comment", async () => {
  const { world, numbers } = await setUpEnded(2);
  await using _ = world;
  const [full = 0, other = 0] = numbers;
  for (let nth = 0; nth < 2_500; nth++)
    world.github.home.comment({ number: full }, "…", "outsider");
  const run = await world.run("upkeep", { inputs: INPUTS });
  expect(run.warnings.join()).toMatch(
    new RegExp(
      `#${full} could not be commented on: GitHub says .Commenting is disabled.*not tried`,
    ),
  );
  expect(upkeepComments(world, other)).toHaveLength(1);
  expect((await world.run("upkeep", { inputs: INPUTS })).warnings).toEqual([]);
});

test("a comment that the token may not write is tried in three runs", async () => {
  const { world, numbers } = await setUpEnded(1);
  await using _ = world;
  const path = `/issues/${numbers[0]}/comments$`;
  const message = "Resource not accessible by integration";
  world.github.emulated.addFault({ method: "POST", path, status: 403, message, times: 100 });
  for (let nth = 1; nth <= 3; nth++) {
    expect((await world.run("upkeep", { inputs: INPUTS })).warnings.join()).toContain(
      "pull-requests: write",
    );
  }
  expect((await world.run("upkeep", { inputs: INPUTS })).warnings).toEqual([]);
});

test("a merged change of a repository that was renamed and transferred is commented on there, once", async () => {
  await using world = await startWorld();
  const code = world.github.emulated.create("acme/code");
  code.roles.set("github-actions[bot]", "write");
  const { number } = code.land({ title: "Add retries" });
  const inputs = { ...INPUTS, repositories: "acme/code", since: "" };
  await world.run("upkeep", { inputs });
  await world.passTime();
  code.rename("other/renamed");
  const { warnings } = await world.run("upkeep", { inputs });
  expect(warnings).toEqual([]);
  expect(code.commentsOn(number)).toHaveLength(1);
  expect(world.ledger("upkeep").ledger.pendingComments).toEqual([]);
  await world.run("upkeep", { inputs });
  expect(code.commentsOn(number)).toHaveLength(1);
});

test("comments wait for as long as GitHub's limit lasts, and are written once it is over", async () => {
  const { world, numbers } = await setUpEnded(3);
  await using _ = world;
  const path = "/issues/\\d+/comments$";
  const headers = { "retry-after": "600" };
  world.github.emulated.addFault({ method: "POST", path, status: 429, headers, times: 100 });
  for (let nth = 1; nth <= 4; nth++) {
    const { warnings } = await world.run("upkeep", { inputs: INPUTS });
    expect(warnings.filter((text) => text.includes("could not be commented on"))).toHaveLength(1);
  }
  world.github.emulated.clearFaults();
  await world.run("upkeep", { inputs: INPUTS });
  for (const number of numbers) expect(upkeepComments(world, number)).toHaveLength(1);
});

test("of many warnings, eight are annotations, of which the last counts the others in the log", async () => {
  const { world } = await setUpEnded(12);
  await using _ = world;
  const path = "/issues/\\d+/comments$";
  world.github.emulated.addFault({ method: "POST", path, status: 410, times: 100 });
  const { warnings, visible } = await world.run("upkeep", { inputs: INPUTS });
  expect(warnings).toHaveLength(8);
  expect(warnings.at(-1)).toContain("5 more warnings are only in the log of this step.");
  const all = visible.filter((line) => line.includes("could not be commented on"));
  expect(all).toHaveLength(12);
});

test.each([
  ["public", true],
  ["private", false],
] as const)(
  "a docs pull request in a %s repository is linked from another: %s",
  async (visibility, isLinked) => {
    await using world = await startWorld();
    world.github.home.visibility = visibility;
    const code = world.github.emulated.create("acme/code");
    const { number } = code.land({ title: "Add it" }, "squash");
    const inputs = { ...INPUTS, repositories: "acme/code", since: "2020-01-01" };
    for (let run = 0; run < 3; run++) {
      await world.run("upkeep", { inputs });
      await world.passTime();
    }
    const [comment, ...others] = code.commentsOn(number);
    expect(others).toEqual([]);
    expect(comment?.body).toContain("The documentation of this change is in ");
    expect(comment?.body.includes("/acme/docs/pull/")).toBe(isLinked);
  },
);
