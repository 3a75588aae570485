import { expect } from "vitest";
import { type DeploySetup, setUpDeploy } from "../../support/deploy-setup.ts";
import { testKills, WAYS_WITH_POST } from "../../support/kills.ts";

const RUN_ID = "1";

/** A pull request whose preview is built, with a comment. */
async function setUp(): Promise<DeploySetup & { number: number }> {
  const setup = await setUpDeploy();
  const commits = [{ files: { "docs/a.md": "# A\n" } }];
  const number = await setup.world.github.openPull({ commits });
  return { ...setup, number };
}

await testKills({
  name: "deploy",
  promise: "nothing is left at work",
  setUp,
  start: async (setup, through) => {
    const run = await setup.onPull(setup.number, { comment: "true", ...through.inputs });
    return setup.start({ ...through, ...run, runId: RUN_ID });
  },
  outputs: { status: "success" },
  ways: WAYS_WITH_POST,
  inEveryWay: true,
  // How often a build is polled is chance.
  mayEndBefore: true,
  check: async (setup, { state }) => {
    const again = await setup.onPull(setup.number, { comment: "true" });
    if (Object.keys(state).length > 0) {
      await setup.deploy({ ...again, runId: RUN_ID, entry: "post", state });
    }
    const ends = setup.deployments().map(({ states }) => states.at(-1));
    expect(ends.length).toBeLessThanOrEqual(1);
    for (const end of ends) expect(["error", "success"]).toContain(end);
    for (const body of await setup.comments(setup.number)) expect(body).not.toContain("### ⏳");
    // A re-run ends well, with the same deployment and the same comment.
    const { outputs } = await setup.deploy({ ...again, runId: RUN_ID, attempt: 2 });
    expect(outputs).toMatchObject({ status: "success" });
    expect(setup.deployments().map(({ states }) => states.at(-1))).toEqual(["success"]);
    expect(await setup.comments(setup.number)).toHaveLength(1);
  },
});
