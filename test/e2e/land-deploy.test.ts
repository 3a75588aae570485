import { expect, test } from "vitest";
import { runKilled } from "../support/kills.ts";
import { type LandSetup, setUpLand } from "../support/land-setup.ts";

const INPUTS = { merge: "approved", deploy: "true" };

/** An approved docs pull request. */
async function approved(): Promise<LandSetup> {
  const scene = await setUpLand();
  const number = await scene.document();
  await scene.history.review(number, "APPROVE");
  return scene;
}

async function builds({ world }: LandSetup): Promise<number> {
  const requests = await world.service.requests();
  return requests.filter(({ path }) => path.startsWith("/v1/project/update/")).length;
}

test("with deploy, a merge starts one build of the documentation", async () => {
  await using scene = await approved();
  const run = await scene.run({ inputs: INPUTS });
  expect(run.outputs).toMatchObject({ mergedCount: "1" });
  expect(run.stdout).toMatch(/Started build \S+ of the documentation, because of a merge\./);
  expect(await builds(scene)).toBe(1);
  await scene.run({ inputs: INPUTS });
  expect(await builds(scene)).toBe(1);
});

test("without deploy, in a dry run, and without a merge, nothing is built", async () => {
  await using scene = await approved();
  await scene.run({ inputs: { ...INPUTS, merge: "never" } });
  await scene.run({ inputs: { ...INPUTS, "dry-run": "true" } });
  await scene.run({ inputs: { ...INPUTS, deploy: "false" } });
  expect(await builds(scene)).toBe(0);
});

test("a build that the service refuses is a warning, the merge counts, and the next run tries again", async () => {
  await using scene = await approved();
  await scene.world.service.addFault({ route: "update", status: 403 });
  const run = await scene.run({ inputs: INPUTS });
  expect(run.exitCode).toBe(0);
  expect(run.outputs).toMatchObject({ mergedCount: "1" });
  expect(run.warnings).toEqual([
    expect.stringContaining("the service has not confirmed a build of it"),
  ]);
  expect(scene.landLedger().unbuilt).toMatchObject([{ intent: null }]);
  const next = await scene.run({ inputs: INPUTS });
  expect(next.warnings).toEqual([]);
  expect(next.stdout).toContain("Started build");
  expect(scene.landLedger().unbuilt).toEqual([]);
  const { stdout } = await scene.run({ inputs: INPUTS });
  expect(stdout).not.toContain("Started build");
});

test("a merge by a person starts a build, too", async () => {
  await using scene = await setUpLand();
  const number = await scene.document();
  await scene.run({ inputs: INPUTS });
  expect(await builds(scene)).toBe(0);
  await scene.history.merge(number);
  const run = await scene.run({ inputs: INPUTS });
  expect(run.outputs).toMatchObject({ mergedCount: "1" });
  expect(await builds(scene)).toBe(1);
});

test("a merge that GitHub refuses starts no build", async () => {
  await using scene = await approved();
  scene.world.github.emulated.addFault({ method: "PUT", path: "/merge$", status: 409 });
  const run = await scene.run({ inputs: INPUTS });
  expect(run.outputs).toMatchObject({ mergedCount: "0" });
  expect(await builds(scene)).toBe(0);
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
    await using scene = await approved();
    const kill = { at: /^POST .*\/project\/update\//, when, signal: "SIGKILL" } as const;
    await using ended = await runKilled(scene.world, kill, ({ inputs, ...through }) =>
      scene.start({ ...through, inputs: { ...INPUTS, ...inputs } }),
    );
    if (post) await scene.run({ entry: "post", state: ended.state, inputs: INPUTS });
    await scene.passTime(hours);
    await scene.run({ inputs: INPUTS });
    expect(await builds(scene)).toBe(total);
    expect(scene.landLedger().unbuilt).toEqual([]);
    await scene.run({ inputs: INPUTS });
    expect(await builds(scene)).toBe(total);
  },
);
