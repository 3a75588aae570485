import { expect, test } from "vitest";
import { type DoctorSetup, setUpDoctor } from "../../support/doctor-setup.ts";
import { momentsOf, RequestGate } from "../../support/request-gate.ts";
import { sampleOf } from "../../support/sample.ts";

const SAMPLE = 1;

/** Deletes nothing that a person or another action made, and leaves no trial ref. */
function refsOf({ home }: DoctorSetup): string[] {
  return [...home.refs.keys()].sort();
}

async function through(gate: RequestGate, setup: DoctorSetup) {
  const { service, github } = setup.world;
  const inputs = { "base-url": await gate.before(service.url) };
  return setup.complete({ inputs, apiUrl: await gate.before(github.url) });
}

async function requestsOfRun(): Promise<string[]> {
  await using setup = await setUpDoctor();
  await using gate = new RequestGate();
  const { outputs } = await setup.doctor(await through(gate, setup));
  expect(outputs).toMatchObject({ verdict: "healthy" });
  return gate.requests;
}

const requests = await requestsOfRun();
const isOfTrial = (request: string) => / \/repos\/acme\/docs\/git\//.test(request);
const kills = requests.flatMap((request, at) =>
  momentsOf(request).flatMap((when) =>
    (["SIGKILL", "SIGTERM"] as const).map((signal) => ({ at, request, when, signal })),
  ),
);
/** The ref is there only around these. */
const ofTrial = kills.filter(({ request }) => isOfTrial(request));
const others = kills.filter(({ request }) => !isOfTrial(request));
const sample = [
  ...sampleOf(ofTrial, SAMPLE, "doctor's trial"),
  ...sampleOf(others, SAMPLE, "doctor"),
];

for (const { at, request, when, signal } of sample) {
  const what = request.replace(/\/docs-agent\/doctor\/.*/, "/docs-agent/doctor/:name");
  test.concurrent(`doctor, ${signal} ${when} request ${at}, ${what}: no ref is left`, async () => {
    await using setup = await setUpDoctor();
    await using gate = new RequestGate({ at, when });
    const before = refsOf(setup);
    const run = setup.start(await through(gate, setup));
    await gate.reached;
    run.signal(signal);
    const { state, outputs, exitCode } = await run.result;
    expect(exitCode).not.toBe(0);
    expect(outputs).not.toHaveProperty("verdict");
    if (Object.keys(state).length > 0) await setup.doctor({ entry: "post", state });
    expect(refsOf(setup)).toEqual(before);
    const { outputs: again } = await setup.doctor();
    expect(again).toMatchObject({ verdict: "healthy" });
    expect(refsOf(setup)).toEqual(before);
  });
}

test("where even the post step does not run, the next run deletes what was left", async () => {
  await using setup = await setUpDoctor();
  const at = requests.findIndex((request) => request.startsWith("DELETE "));
  await using gate = new RequestGate({ at, when: "before" });
  const before = refsOf(setup);
  const run = setup.start(await through(gate, setup));
  await gate.reached;
  run.signal("SIGKILL");
  await run.result;
  expect(refsOf(setup)).not.toEqual(before);
  await setup.doctor();
  expect(refsOf(setup)).toEqual(before);
});
