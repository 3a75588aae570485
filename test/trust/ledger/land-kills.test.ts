import { expect, test } from "vitest";
import { isPull } from "../../../emulator/github/state.ts";
import type { RunOptions } from "../../../emulator/runner/runner.ts";
import { GONE_AFTER } from "../../support/grace.ts";
import { type LandSetup, setUpLand } from "../../support/land-setup.ts";
import { RequestGate } from "../../support/request-gate.ts";
import { sampleOf } from "../../support/sample.ts";

const LIMIT = 10 * 60_000;
const SAMPLE = 3;

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
  labels: "documentation",
  reviewers: "maintainer",
};

/** Two docs pull requests: one that the next run tells the agent of, and one that it merges. */
async function setUp(): Promise<LandSetup & { red: number; green: number }> {
  const it = await setUpLand();
  const [red, green] = [await it.document("Add retries"), await it.document("Add limits")];
  await it.history.report(green, { conclusion: "success" });
  await it.history.report(red, { annotations: [{ path: "docs/a.md", message: "Broken." }] });
  return { ...it, red, green };
}

async function through(gate: RequestGate, { world }: LandSetup): Promise<RunOptions> {
  const inputs = { ...INPUTS, "base-url": await gate.before(world.service.url) };
  // Links lead to GitHub itself.
  return { apiUrl: await gate.before(world.github.url), inputs };
}

async function requestsOfRun(): Promise<string[]> {
  await using it = await setUp();
  await using gate = new RequestGate();
  const { outputs } = await it.run(await through(gate, it));
  expect(outputs).toMatchObject({ followUpCount: "1", mergedCount: "1" });
  return gate.requests;
}

/** Runs on, and tells what is wrong then, as sentences. */
async function settle(it: Awaited<ReturnType<typeof setUp>>): Promise<string[]> {
  const wrong: string[] = [];
  for (let run = 0; run < 4; run++) {
    await it.passTime();
    const { exitCode, stdout } = await it.run({ inputs: INPUTS });
    if (exitCode !== 0) return [`a run afterward fails:\n${stdout}`];
  }
  const told = (await it.prompts()).filter((prompt) => prompt.includes("Broken."));
  if (told.length > 1) wrong.push(`the agent was told ${told.length} times`);
  const { open } = it.landLedger();
  const isUncertain = open.some(({ followUps }) => followUps.some((one) => one.isUncertain));
  if (told.length === 0 && !isUncertain) wrong.push("the agent was not told");
  if (open.some(({ intent }) => intent !== null)) wrong.push("an intent is left");
  for (const number of [it.red, it.green]) {
    const pull = it.world.github.home.issues.get(number);
    const isSetUp = isPull(pull) && pull.labels.length === 1;
    const isMerged = isPull(pull) && pull.mergedAt !== null;
    if (!isSetUp) wrong.push(`#${number} was not set up`);
    if (!isMerged && number === it.green) wrong.push(`#${number} is not merged`);
    const comments = await it.comments(number);
    // A run that was killed between the merge and the comment leaves one that needs none any more.
    const isRight = comments.length === 1 || (isMerged && comments.length === 0);
    if (!isRight) wrong.push(`#${number} has ${comments.length} comments`);
  }
  return wrong;
}

const kills = (await requestsOfRun()).flatMap((request, at) =>
  (["before", "after"] as const).map((when, nth) => {
    const way = WAYS[(2 * at + nth + Math.floor(at / 2)) % WAYS.length] ?? WAYS[0];
    return { ...way, at, request, when };
  }),
);

for (const { at, request, when, signal, post } of sampleOf(kills, SAMPLE, "land")) {
  const after = post ? ", with its post step" : "";
  const what = request.replaceAll(/[0-9a-f-]{36,40}/g, ":id");
  test.concurrent(`land, ${signal} ${when} request ${at}, ${what}${after}: the agent is told once, what is green is merged`, {
    timeout: LIMIT,
  }, async () => {
    await using it = await setUp();
    await using gate = new RequestGate({ at, when });
    const run = it.start(await through(gate, it));
    expect(await Promise.race([gate.reached, run.result.then(() => false)])).toBe(true);
    const begun = performance.now();
    run.signal(signal);
    const ended = await run.result;
    expect(performance.now() - begun).toBeLessThan(GONE_AFTER);
    if (signal !== "SIGKILL") expect(ended.exitCode).toBe(1);
    if (post) await it.run({ entry: "post", state: ended.state });
    expect(await settle(it)).toEqual([]);
  });
}

test.concurrent("land, three times at the same moment: the agent is told once", {
  timeout: LIMIT,
}, async () => {
  await using it = await setUp();
  const ran = await Promise.all([1, 2, 3].map(() => it.run({ inputs: INPUTS })));
  expect(ran.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  expect(await settle(it)).toEqual([]);
});
