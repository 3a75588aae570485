import { expect, test } from "vitest";
import { isPull } from "../../../emulator/github/state.ts";
import type { RunOptions } from "../../../emulator/runner/runner.ts";
import { GONE_AFTER } from "../../support/grace.ts";
import { type LandSetup, setUpLand } from "../../support/land-setup.ts";
import { momentsOf, RequestGate } from "../../support/request-gate.ts";
import { sampleOf } from "../../support/sample.ts";

const LIMIT = 10 * 60_000;
const SAMPLE = 1;

/** How a run is stopped, and whether its post step follows. */
const WAYS = [
  { signal: "SIGKILL", post: false },
  { signal: "SIGKILL", post: true },
  { signal: "SIGTERM", post: true },
  { signal: "SIGINT", post: true },
] as const;

const INPUTS = {
  merge: "checks",
  "allowed-paths": "docs/**",
  "required-checks": "docs-check",
  labels: "documentation",
  reviewers: "maintainer",
  deploy: "true",
};
const BUILD = "POST /v1/project/update/";

/** Two docs pull requests: one that the next run sends to the agent, and one that it merges. */
async function setUp(): Promise<LandSetup & { red: number; green: number }> {
  const setup = await setUpLand();
  const green = await setup.document("Add limits");
  await setup.history.report(green, { conclusion: "success" });
  await setup.see({ inputs: INPUTS });
  const red = await setup.document("Add retries");
  await setup.history.report(red, { annotations: [{ path: "docs/a.md", message: "Broken." }] });
  return { ...setup, red, green };
}

async function through(gate: RequestGate, { world }: LandSetup): Promise<RunOptions> {
  const inputs = { ...INPUTS, "base-url": await gate.before(world.service.url) };
  // Links lead to GitHub itself.
  return { apiUrl: await gate.before(world.github.url), inputs };
}

async function requestsOfRun(): Promise<string[]> {
  await using setup = await setUp();
  await using gate = new RequestGate();
  const { outputs } = await setup.run(await through(gate, setup));
  expect(outputs).toMatchObject({ followUpCount: "1", mergedCount: "1" });
  return gate.requests;
}

/**
 * Runs until nothing is left to do.
 *
 * @param mostBuilds of the documentation
 * @returns what is wrong then, as sentences
 */
async function settle(setup: Awaited<ReturnType<typeof setUp>>, mostBuilds = 1): Promise<string[]> {
  const wrong: string[] = [];
  for (let run = 0; run < 4; run++) {
    await setup.passTime();
    const { exitCode, stdout } = await setup.run({ inputs: INPUTS });
    if (exitCode !== 0) return [`a run afterward fails:\n${stdout}`];
  }
  const followUps = (await setup.prompts()).filter((prompt) => prompt.includes("Broken."));
  if (followUps.length > 1) wrong.push(`the agent got ${followUps.length} follow-ups`);
  const { open } = setup.landLedger();
  const isUncertain = open.some(({ followUps }) =>
    followUps.some((followUp) => followUp.isUncertain),
  );
  if (followUps.length === 0 && !isUncertain) wrong.push("the agent got no follow-up");
  if (open.some(({ intent }) => intent !== null)) wrong.push("an intent is left");
  const requests = await setup.world.service.requests();
  const builds = requests.filter(({ method, path }) => `${method} ${path}`.startsWith(BUILD));
  const isBuilt = builds.length >= 1 && builds.length <= mostBuilds;
  if (!isBuilt) wrong.push(`the documentation was built ${builds.length} times`);
  for (const number of [setup.red, setup.green]) {
    const pull = setup.world.github.home.issues.get(number);
    const isSetUp = isPull(pull) && pull.labels.length === 1;
    const isMerged = isPull(pull) && pull.mergedAt !== null;
    if (!isSetUp) wrong.push(`#${number} was not set up`);
    if (!isMerged && number === setup.green) wrong.push(`#${number} is not merged`);
    const comments = await setup.comments(number);
    // A run that was killed between the merge and the comment leaves one that needs none any more.
    const isRight = comments.length === 1 || (isMerged && comments.length === 0);
    if (!isRight) wrong.push(`#${number} has ${comments.length} comments`);
  }
  return wrong;
}

const requests = await requestsOfRun();
const buildAt = requests.findIndex((request) => request.startsWith(BUILD));
const kills = requests.flatMap((request, at) =>
  momentsOf(request).map((when, nth) => {
    const way = WAYS[(2 * at + nth + Math.floor(at / 2)) % WAYS.length] ?? WAYS[0];
    return { ...way, at, request, when };
  }),
);

for (const { at, request, when, signal, post } of sampleOf(kills, SAMPLE, "land")) {
  const after = post ? ", with its post step" : "";
  const place = request.replaceAll(/[0-9a-f-]{36,40}/g, ":id");
  test.concurrent(`land, ${signal} ${when} request ${at}, ${place}${after}: the agent gets one follow-up, what is green is merged and built`, {
    timeout: LIMIT,
  }, async () => {
    await using setup = await setUp();
    await using gate = new RequestGate({ at, when });
    const run = setup.start(await through(gate, setup));
    expect(await Promise.race([gate.reached, run.result.then(() => false)])).toBe(true);
    const begun = performance.now();
    run.signal(signal);
    const ended = await run.result;
    expect(performance.now() - begun).toBeLessThan(GONE_AFTER);
    if (signal !== "SIGKILL") expect(ended.exitCode).toBe(1);
    if (post) await setup.run({ entry: "post", state: ended.state, inputs: INPUTS });
    // What no run knows to be started is started again: a second build replaces the first.
    const mayRepeat = at === buildAt ? when === "after" : at > buildAt && !post;
    expect(await settle(setup, mayRepeat ? 2 : 1)).toEqual([]);
  });
}

test.concurrent("land, three times at the same moment: the agent gets one follow-up", {
  timeout: LIMIT,
}, async () => {
  await using setup = await setUp();
  const ran = await Promise.all([1, 2, 3].map(() => setup.run({ inputs: INPUTS })));
  expect(ran.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  expect(await settle(setup)).toEqual([]);
});
