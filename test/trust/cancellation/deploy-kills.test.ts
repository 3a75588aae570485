import { expect } from "vitest";
import { testKills, WAYS_WITH_POST } from "../../support/kills.ts";
import { startWorld, type WorldRun } from "../../support/world/world.ts";

const INPUTS = { "poll-interval-seconds": "0.05", comment: "true" };

/** The options of a run, and of its further attempts. */
function runOn(pull: number): WorldRun {
  return { pull, runId: "1", inputs: INPUTS };
}

/** A pull request whose preview is built, with a comment. */
async function setUp() {
  const world = await startWorld({ steering: { buildMs: 300 } });
  const commits = [{ files: { "docs/a.md": "# A\n" } }];
  const number = await world.github.openPull({ commits });
  return { world, number };
}

await testKills({
  name: "deploy",
  promise: "nothing is left at work",
  setUp,
  start: ({ world, number }, { inputs, ...through }) =>
    world.start("deploy", { ...runOn(number), ...through, inputs: { ...INPUTS, ...inputs } }),
  outputs: { status: "success" },
  ways: WAYS_WITH_POST,
  inEveryWay: true,
  // How often a build is polled is chance.
  mayEndBefore: true,
  check: async ({ world, number }, { state }) => {
    if (Object.keys(state).length > 0) {
      await world.run("deploy", { ...runOn(number), entry: "post", state });
    }
    const ends = world.deployments().map(({ states }) => states.at(-1));
    expect(ends.length).toBeLessThanOrEqual(1);
    for (const end of ends) expect(["error", "success"]).toContain(end);
    for (const { body } of world.comments(number)) expect(body).not.toContain("### ⏳");
    // A re-run ends well, with the same deployment and the same comment.
    const { outputs } = await world.run("deploy", { ...runOn(number), attempt: 2 });
    expect(outputs).toMatchObject({ status: "success" });
    expect(world.deployments().map(({ states }) => states.at(-1))).toEqual(["success"]);
    expect(world.comments(number)).toHaveLength(1);
  },
});
