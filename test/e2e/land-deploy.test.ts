import { expect, test } from "vitest";
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

test("a build that the service refuses is a warning, and the merge counts", async () => {
  await using scene = await approved();
  await scene.world.service.addFault({ route: "update", status: 403 });
  const run = await scene.run({ inputs: INPUTS });
  expect(run.exitCode).toBe(0);
  expect(run.outputs).toMatchObject({ mergedCount: "1" });
  expect(run.warnings).toEqual([expect.stringContaining("its build was not started")]);
});
