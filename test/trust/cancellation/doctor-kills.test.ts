import { expect, test } from "vitest";
import { type DoctorSetup, setUpDoctor } from "../../support/doctor-setup.ts";
import { runKilled, testKills, WAYS_WITH_POST } from "../../support/kills.ts";
import { sampleOf } from "../../support/sample.ts";

/** Deletes nothing that a person or another action made, and leaves no trial ref. */
function refsOf({ home }: DoctorSetup): string[] {
  return [...home.refs.keys()].sort();
}

async function setUp() {
  const setup = await setUpDoctor();
  return { ...setup, before: refsOf(setup) };
}

const isOfTrial = (request: string) => / \/repos\/acme\/docs\/git\//.test(request);

const requests = await testKills({
  name: "doctor",
  promise: "no ref is left",
  setUp,
  start: (setup, through) => setup.start(through),
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
  check: async ({ before, ...setup }, { state, outputs, exitCode }) => {
    expect(exitCode).not.toBe(0);
    expect(outputs).not.toHaveProperty("verdict");
    if (Object.keys(state).length > 0) await setup.doctor({ entry: "post", state });
    expect(refsOf(setup)).toEqual(before);
    const { outputs: again } = await setup.doctor();
    expect(again).toMatchObject({ verdict: "healthy" });
    expect(refsOf(setup)).toEqual(before);
  },
});

test("where even the post step does not run, the next run deletes what was left", async () => {
  await using setup = await setUp();
  const { before } = setup;
  const at = requests.findIndex((request) => request.startsWith("DELETE "));
  await using _ = await runKilled(
    setup.world,
    { at, when: "before", signal: "SIGKILL" },
    setup.start,
  );
  expect(refsOf(setup)).not.toEqual(before);
  await setup.doctor();
  expect(refsOf(setup)).toEqual(before);
});
