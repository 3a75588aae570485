import { expect, test } from "vitest";
import { isPull } from "../../../emulator/github/state.ts";
import { GONE_AFTER } from "../../support/grace.ts";
import { testKills, WAYS } from "../../support/kills.ts";
import { type LandSetup, setUpLand } from "../../support/land-setup.ts";

const LIMIT = 10 * 60_000;

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

const requests = await testKills({
  name: "land",
  promise: "the agent gets one follow-up, what is green is merged and built",
  setUp,
  // Links lead to GitHub itself.
  start: (setup, { inputs, ...through }) =>
    setup.start({ ...through, inputs: { ...INPUTS, ...inputs } }),
  outputs: { followUpCount: "1", mergedCount: "1" },
  ways: [...WAYS, { signal: "SIGINT", post: true }],
  check: async (setup, ended, { at, when, signal, post }) => {
    expect(ended.tookMs).toBeLessThan(GONE_AFTER);
    if (signal !== "SIGKILL") expect(ended.exitCode).toBe(1);
    if (post) await setup.run({ entry: "post", state: ended.state, inputs: INPUTS });
    // What no run knows to be started is started again: a second build replaces the first.
    const buildAt = requests.findIndex((request) => request.startsWith(BUILD));
    const mayRepeat = at === buildAt ? when === "after" : at > buildAt && !post;
    expect(await settle(setup, mayRepeat ? 2 : 1)).toEqual([]);
  },
});

test.concurrent("land, three times at the same moment: the agent gets one follow-up", {
  timeout: LIMIT,
}, async () => {
  await using setup = await setUp();
  const ran = await Promise.all([1, 2, 3].map(() => setup.run({ inputs: INPUTS })));
  expect(ran.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  expect(await settle(setup)).toEqual([]);
});
