import { expect, test } from "vitest";
import { type DeploySetup, setUpDeploy } from "../../support/deploy-setup.ts";
import { momentsOf, RequestGate } from "../../support/request-gate.ts";
import { sampleOf } from "../../support/sample.ts";

const SAMPLE = 1;

/** A pull request whose preview is built, with a comment. */
async function setUp(): Promise<DeploySetup & { number: number }> {
  const setup = await setUpDeploy();
  const commits = [{ files: { "docs/a.md": "# A\n" } }];
  const number = await setup.world.github.openPull({ commits });
  return { ...setup, number };
}

async function through(gate: RequestGate, setup: DeploySetup & { number: number }) {
  const { service, github } = setup.world;
  const inputs = { comment: "true", "base-url": await gate.before(service.url) };
  const run = await setup.onPull(setup.number, inputs);
  return { ...run, apiUrl: await gate.before(github.url) };
}

async function requestsOfRun(): Promise<string[]> {
  await using setup = await setUp();
  await using gate = new RequestGate();
  const { outputs } = await setup.deploy(await through(gate, setup));
  expect(outputs).toMatchObject({ status: "success" });
  return gate.requests;
}

const kills = (await requestsOfRun()).flatMap((request, at) =>
  momentsOf(request).flatMap((when) =>
    (["SIGKILL", "SIGTERM"] as const).map((signal) => ({ at, request, when, signal })),
  ),
);

for (const { at, request, when, signal } of sampleOf(kills, SAMPLE, "deploy")) {
  const what = request.replaceAll(/[0-9a-f-]{36,40}/g, ":id");
  test.concurrent(`deploy, ${signal} ${when} request ${at}, ${what}: nothing is left at work`, async () => {
    await using setup = await setUp();
    await using gate = new RequestGate({ at, when });
    const options = await through(gate, setup);
    const runId = "1";
    const run = setup.start({ ...options, runId });
    // How often a build is polled is chance: a run that makes fewer requests is not stopped.
    await Promise.race([gate.reached, run.result]);
    run.signal(signal);
    const { state } = await run.result;
    const again = await setup.onPull(setup.number, { comment: "true" });
    if (Object.keys(state).length > 0) {
      await setup.deploy({ ...again, runId, entry: "post", state });
    }
    const ends = setup.deployments().map(({ states }) => states.at(-1));
    expect(ends.length).toBeLessThanOrEqual(1);
    for (const end of ends) expect(["error", "success"]).toContain(end);
    for (const body of await setup.comments(setup.number)) expect(body).not.toContain("### ⏳");
    // A re-run ends well, with the same deployment and the same comment.
    const { outputs } = await setup.deploy({ ...again, runId, attempt: 2 });
    expect(outputs).toMatchObject({ status: "success" });
    expect(setup.deployments().map(({ states }) => states.at(-1))).toEqual(["success"]);
    expect(await setup.comments(setup.number)).toHaveLength(1);
  });
}
