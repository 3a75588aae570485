import { expect, test } from "vitest";
import { runKilled } from "../support/kills.ts";
import { documentChange, LAND } from "../support/world/docs-pulls.ts";
import { DAY, HOUR, MINUTE, startWorld, type World } from "../support/world/world.ts";

const CLOSING = { "close-after-days": "7" };

/** What land's comments say about how to continue after it has closed a docs pull request. */
function explanations(world: World, number: number): string[] {
  const bodies = world.comments(number).map(({ body }) => body);
  return bodies.filter((body) => body.includes("It was therefore closed"));
}

test.each([
  ["and its post step runs", true, 0],
  ["and nothing else runs", false, HOUR],
])(
  "killed between closing and the comment about it, %s: a later run says once how to continue",
  async (_, post, later) => {
    await using world = await startWorld(LAND);
    const number = await documentChange(world);
    await world.run("land");
    await world.passTime(8 * DAY);
    const kill = { at: /^PATCH .*\/pulls\/\d+$/, when: "after", signal: "SIGKILL" } as const;
    await using ended = await runKilled(world, kill, ({ inputs, ...through }) =>
      world.start("land", { ...through, inputs: { ...CLOSING, ...inputs } }),
    );
    expect(world.pull(number).state).toBe("closed");
    expect(explanations(world, number)).toEqual([]);
    const { state, through } = ended;
    const inputs = { ...CLOSING, ...through.inputs };
    if (post) await world.run("land", { ...through, inputs, entry: "post", state });
    await world.passTime(later);
    const next = await world.run("land", { inputs: CLOSING });
    expect(explanations(world, number)).toHaveLength(1);
    expect(next.outputs).toMatchObject({ openCount: "0", closedCount: "1" });
    expect(next.warnings).toEqual([]);
    expect((await world.run("land", { inputs: CLOSING })).outputs.closedCount).toBe("0");
    expect(explanations(world, number)).toHaveLength(1);
  },
);

test("a comment about the closing that GitHub does not take is written by the next run", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await world.run("land");
  await world.passTime(8 * DAY);
  const { emulated } = world.github;
  emulated.addFault({ method: "POST", path: `/issues/${number}/comments$`, status: 502, times: 9 });
  const run = await world.run("land", { inputs: CLOSING });
  expect(run.outputs).toMatchObject({ closedCount: "1", openCount: "0" });
  emulated.clearFaults();
  await world.run("land", { inputs: CLOSING });
  expect(explanations(world, number)).toHaveLength(1);
});

test("one that somebody reopens is looked after again, and not closed again at once", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await world.run("land");
  await world.passTime(8 * DAY);
  expect((await world.run("land", { inputs: CLOSING })).outputs.closedCount).toBe("1");
  expect((await world.run("land", { inputs: CLOSING })).outputs.openCount).toBe("0");
  await world.github.api(`/pulls/${number}`, { method: "PATCH", body: { state: "open" } });
  const again = await world.run("land", { inputs: CLOSING });
  expect(again.outputs).toMatchObject({ openCount: "1", closedCount: "0" });
  await world.github.report(number);
  expect((await world.run("land", { inputs: CLOSING })).outputs.followUpCount).toBe("1");
  await world.passTime(HOUR);
  await world.run("land", { inputs: CLOSING });
  await world.passTime(8 * DAY);
  const closed = await world.run("land", { inputs: { ...CLOSING, checks: "ignore" } });
  expect(closed.outputs).toMatchObject({ openCount: "0", closedCount: "1" });
});

/** Reports a failure on a docs pull request's head. */
type Fail = (world: World, number: number) => Promise<unknown>;

const failCheck: Fail = ({ github }, number) => github.report(number);
const failStatus: Fail = (world, number) => {
  const { api, tokenOf } = world.github;
  const { head } = world.pull(number);
  const body = { state: "failure", context: "docs-check" };
  return api(`/statuses/${head}`, { method: "POST", token: tokenOf("writer"), body });
};

test.each([
  ["check that is run", failCheck],
  ["status that is posted", failStatus],
])("a %s again on the same head is sent once", async (_, fail) => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  world.service.steer({ outcome: "no-changes" });
  await fail(world, number);
  expect((await world.run("land")).outputs.followUpCount).toBe("1");
  for (const _ of [1, 2, 3]) {
    await world.passTime(HOUR);
    await fail(world, number);
    const run = await world.run("land");
    expect(run.outputs).toMatchObject({ followUpCount: "0", needsPersonCount: "1" });
  }
  expect(world.comment(number)).toContain("has not fixed it");
});

test("a check that is red on the base, too, is not sent until it is green there", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  const { home } = world.github;
  home.report({ name: "docs-check", head_sha: home.tip(), conclusion: "failure" });
  // GitHub lists the newest first, 100 at once.
  for (let nth = 0; nth < 100; nth += 1) {
    home.report({ name: `job ${nth}`, head_sha: home.tip(), conclusion: "success" });
  }
  await world.github.report(number);
  const run = await world.run("land");
  expect(run.outputs).toMatchObject({ followUpCount: "0", openCount: "1" });
  expect(world.comment(number)).toContain("`docs-check` also red on `main`");
  expect((await world.run("land")).requests.filter((name) => name.startsWith("POST"))).toEqual([
    "POST /graphql",
  ]);
  await world.passTime(MINUTE);
  home.report({ name: "docs-check", head_sha: home.tip(), conclusion: "success" });
  expect((await world.run("land")).outputs.followUpCount).toBe("1");
});
