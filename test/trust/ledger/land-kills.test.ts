import { expect, test } from "vitest";
import { GONE_AFTER } from "../../support/grace.ts";
import { testKills, WAYS } from "../../support/kills.ts";
import { UPDATE } from "../../support/world/builds.ts";
import { documentChange, LAND, seeHeads } from "../../support/world/docs-pulls.ts";
import { HOUR, MINUTE, startWorld, type World } from "../../support/world/world.ts";

const LIMIT = 10 * MINUTE;

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
interface Scene {
  world: World;
  red: number;
  green: number;
}

async function setUp(): Promise<Scene> {
  const world = await startWorld(LAND);
  const green = await documentChange(world, "Add limits");
  await world.github.report(green, { conclusion: "success" });
  await seeHeads(world, { inputs: INPUTS });
  const red = await documentChange(world, "Add retries");
  await world.github.report(red, { annotations: [{ path: "docs/a.md", message: "Broken." }] });
  return { world, red, green };
}

/**
 * Runs until nothing is left to do.
 *
 * @param mostBuilds of the documentation
 * @returns what is wrong then, as sentences
 */
async function settle({ world, red, green }: Scene, mostBuilds = 1): Promise<string[]> {
  const wrong: string[] = [];
  for (let run = 0; run < 4; run++) {
    await world.passTime(HOUR);
    const { exitCode, stdout } = await world.run("land", { inputs: INPUTS });
    if (exitCode !== 0) return [`a run afterward fails:\n${stdout}`];
  }
  const followUps = (await world.prompts()).filter((prompt) => prompt.includes("Broken."));
  if (followUps.length > 1) wrong.push(`the agent got ${followUps.length} follow-ups`);
  const { open } = world.ledger("land").ledger;
  const isUncertain = open.some(({ followUps }) =>
    followUps.some((followUp) => followUp.isUncertain),
  );
  if (followUps.length === 0 && !isUncertain) wrong.push("the agent got no follow-up");
  if (open.some(({ intent }) => intent !== null)) wrong.push("an intent is left");
  const builds = world.asked(UPDATE);
  const isBuilt = builds.length >= 1 && builds.length <= mostBuilds;
  if (!isBuilt) wrong.push(`the documentation was built ${builds.length} times`);
  for (const number of [red, green]) {
    const pull = world.pull(number);
    const isMerged = pull.mergedAt !== null;
    if (pull.labels.length !== 1) wrong.push(`#${number} was not set up`);
    if (!isMerged && number === green) wrong.push(`#${number} is not merged`);
    const comments = world.comments(number);
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
  start: ({ world }, { inputs, ...through }) =>
    world.start("land", { ...through, inputs: { ...INPUTS, ...inputs } }),
  outputs: { followUpCount: "1", mergedCount: "1" },
  ways: [...WAYS, { signal: "SIGINT", post: true }],
  check: async (setup, ended, { at, when, signal, post }) => {
    expect(ended.tookMs).toBeLessThan(GONE_AFTER);
    if (signal !== "SIGKILL") expect(ended.exitCode).toBe(1);
    const { state, through } = ended;
    const inputs = { ...INPUTS, ...through.inputs };
    if (post) await setup.world.run("land", { ...through, inputs, entry: "post", state });
    // What no run knows to be started is started again: a second build replaces the first.
    const buildAt = requests.findIndex((request) => request.startsWith(BUILD));
    const mayRepeat = at === buildAt ? when === "after" : at > buildAt && !post;
    expect(await settle(setup, mayRepeat ? 2 : 1)).toEqual([]);
  },
});

test.concurrent("land, three times at the same moment: the agent gets one follow-up", {
  timeout: LIMIT,
}, async () => {
  const setup = await setUp();
  await using world = setup.world;
  const ran = await Promise.all([1, 2, 3].map(() => world.run("land", { inputs: INPUTS })));
  expect(ran.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  expect(await settle(setup)).toEqual([]);
});
