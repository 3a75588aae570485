import { expect, test } from "vitest";
import { runKilled, testKills, WAYS_WITH_POST } from "../../support/kills.ts";
import { sampleOf } from "../../support/sample.ts";
import { WITH_WORKFLOW } from "../../support/world/workflows.ts";
import { startWorld, type World } from "../../support/world/world.ts";

/** Deletes nothing that a person or another action made, and leaves no trial ref. */
function refsOf({ github }: World): string[] {
  return [...github.home.refs.keys()].sort();
}

async function setUp() {
  const world = await startWorld(WITH_WORKFLOW);
  return { world, before: refsOf(world) };
}

const isOfTrial = (request: string) => / \/repos\/acme\/docs\/git\//.test(request);

const requests = await testKills({
  name: "doctor",
  promise: "no ref is left",
  setUp,
  start: ({ world }, through) => world.start("doctor", through),
  outputs: { verdict: "healthy" },
  ways: WAYS_WITH_POST,
  inEveryWay: true,
  // The ref is there only around the requests of the trial.
  sample: (kills) => [
    ...sampleOf(
      kills.filter(({ request }) => isOfTrial(request)),
      1,
      "doctor's trial",
    ),
    ...sampleOf(
      kills.filter(({ request }) => !isOfTrial(request)),
      1,
      "doctor",
    ),
  ],
  check: async ({ world, before }, { state, through, outputs, exitCode }) => {
    expect(exitCode).not.toBe(0);
    expect(outputs).not.toHaveProperty("verdict");
    if (Object.keys(state).length > 0) {
      await world.run("doctor", { ...through, entry: "post", state });
    }
    expect(refsOf(world)).toEqual(before);
    const { outputs: again } = await world.run("doctor");
    expect(again).toMatchObject({ verdict: "healthy" });
    expect(refsOf(world)).toEqual(before);
  },
});

test("where even the post step does not run, the next run deletes what was left", async () => {
  const { world, before } = await setUp();
  await using _ = world;
  const at = requests.findIndex((request) => request.startsWith("DELETE "));
  const kill = { at, when: "before", signal: "SIGKILL" } as const;
  await using __ = await runKilled(world, kill, (through) => world.start("doctor", through));
  expect(refsOf(world)).not.toEqual(before);
  await world.run("doctor");
  expect(refsOf(world)).toEqual(before);
});
