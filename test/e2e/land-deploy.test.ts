import { expect, test } from "vitest";
import { runKilled } from "../support/kills.ts";
import { UPDATE } from "../support/world/builds.ts";
import { documentChange, LAND } from "../support/world/docs-pulls.ts";
import { HOUR, startWorld, type World } from "../support/world/world.ts";

const INPUTS = { merge: "approved", deploy: "true" };

/** An approved docs pull request. */
async function approved(): Promise<World> {
  const world = await startWorld(LAND);
  const number = await documentChange(world);
  await world.github.review(number, "APPROVE");
  return world;
}

function builds(world: World): number {
  return world.asked(UPDATE).length;
}

test("with deploy, a merge starts one build of the documentation", async () => {
  await using world = await approved();
  const run = await world.run("land", { inputs: INPUTS });
  expect(run.outputs).toMatchObject({ mergedCount: "1" });
  expect(run.stdout).toMatch(/Started build \S+ of the documentation, because of a merge\./);
  expect(builds(world)).toBe(1);
  await world.run("land", { inputs: INPUTS });
  expect(builds(world)).toBe(1);
});

test("without deploy, in a dry run, and without a merge, nothing is built", async () => {
  await using world = await approved();
  await world.run("land", { inputs: { ...INPUTS, merge: "never" } });
  await world.run("land", { inputs: { ...INPUTS, "dry-run": "true" } });
  await world.run("land", { inputs: { ...INPUTS, deploy: "false" } });
  expect(builds(world)).toBe(0);
});

test("a build that the service refuses is a warning, the merge counts, and the next run tries again", async () => {
  await using world = await approved();
  await world.service.addFault({ route: "update", status: 403 });
  const run = await world.run("land", { inputs: INPUTS });
  expect(run.exitCode).toBe(0);
  expect(run.outputs).toMatchObject({ mergedCount: "1" });
  expect(run.warnings).toEqual([
    expect.stringContaining("the service has not confirmed a build of it"),
  ]);
  expect(world.ledger("land").ledger.unbuilt).toMatchObject([{ intent: null }]);
  const next = await world.run("land", { inputs: INPUTS });
  expect(next.warnings).toEqual([]);
  expect(next.stdout).toContain("Started build");
  expect(world.ledger("land").ledger.unbuilt).toEqual([]);
  const { stdout } = await world.run("land", { inputs: INPUTS });
  expect(stdout).not.toContain("Started build");
});

test("a build that the service refuses is asked for three times, and then by a run that a person starts", async () => {
  await using world = await approved();
  await world.service.addFault({ route: "update", status: 403, times: 99 });
  for (const _ of [1, 2, 3, 4, 5]) {
    await world.run("land", { inputs: INPUTS });
    await world.passTime(HOUR);
  }
  expect(builds(world)).toBe(3);
  const late = await world.run("land", { inputs: INPUTS });
  expect(late.exitCode).toBe(0);
  expect(late.warnings).toEqual([expect.stringContaining("Run this workflow by hand")]);
  await world.service.clearFaults();
  const byHand = await world.run("land", { inputs: INPUTS, eventName: "workflow_dispatch" });
  expect(byHand.warnings).toEqual([]);
  expect(builds(world)).toBe(4);
  expect((await world.run("land", { inputs: INPUTS })).warnings).toEqual([]);
});

test("a merge by a person starts a build, too", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await world.run("land", { inputs: INPUTS });
  expect(builds(world)).toBe(0);
  await world.github.merge(number);
  const run = await world.run("land", { inputs: INPUTS });
  expect(run.outputs).toMatchObject({ mergedCount: "1" });
  expect(builds(world)).toBe(1);
});

test("a merge that GitHub refuses starts no build", async () => {
  await using world = await approved();
  world.github.emulated.addFault({ method: "PUT", path: "/merge$", status: 409 });
  const run = await world.run("land", { inputs: INPUTS });
  expect(run.outputs).toMatchObject({ mergedCount: "0" });
  expect(builds(world)).toBe(0);
});

test.each([
  { when: "before", post: true, hours: 0, total: 1 },
  { when: "before", post: false, hours: 1, total: 1 },
  // What no run knows to be started is started again.
  { when: "after", post: true, hours: 0, total: 2 },
  { when: "after", post: false, hours: 1, total: 2 },
] as const)(
  "killed $when its request for a build is received (post step: $post), the next run starts one",
  async ({ when, post, hours, total }) => {
    await using world = await approved();
    const kill = { at: /^POST .*\/project\/update\//, when, signal: "SIGKILL" } as const;
    await using ended = await runKilled(world, kill, ({ inputs, ...through }) =>
      world.start("land", { ...through, inputs: { ...INPUTS, ...inputs } }),
    );
    const { state, through } = ended;
    const inputs = { ...INPUTS, ...through.inputs };
    if (post) await world.run("land", { ...through, inputs, entry: "post", state });
    await world.passTime(hours * HOUR);
    await world.run("land", { inputs: INPUTS });
    expect(builds(world)).toBe(total);
    expect(world.ledger("land").ledger.unbuilt).toEqual([]);
    await world.run("land", { inputs: INPUTS });
    expect(builds(world)).toBe(total);
  },
);
