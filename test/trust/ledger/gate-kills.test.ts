import { expect } from "vitest";
import { testKills } from "../../support/kills.ts";
import { DRAFTS, gateComments } from "../../support/world/gate.ts";
import { MINUTE, startWorld } from "../../support/world/world.ts";

/** Past the time in which an intent may belong to a living run, in milliseconds. */
const PAST_LIFETIME = 11 * MINUTE;

/** An approved pull request, which the next run asks a draft for. */
async function setUp() {
  const world = await startWorld();
  const commits = [{ files: { "src/retry.ts": "1\n" } }];
  const number = await world.github.openPull({ title: "Add retries", commits });
  await world.github.review(number, "APPROVE");
  return { world, number };
}

await testKills({
  name: "the gate",
  promise: "one draft, or a decision, and the right status",
  setUp,
  start: ({ world, number }, { inputs, ...through }) =>
    world.start("gate", { pull: number, ...through, inputs: { ...DRAFTS.inputs, ...inputs } }),
  outputs: { verdict: "covered" },
  inEveryWay: true,
  check: async ({ world, number }, { state, through }, { post }) => {
    if (post) await world.run("gate", { pull: number, ...through, entry: "post", state });
    for (const _ of [1, 2]) {
      await world.passTime(PAST_LIFETIME);
      const { outputs } = await world.run("gate", { pull: number, ...DRAFTS });
      expect(outputs.errorKind).toBeUndefined();
      // The last run's verdict is the status, whatever the killed run has set.
      const [status] = world.statuses(number);
      expect(status?.state).toBe(outputs.verdict === "needed" ? "failure" : "success");
    }
    await world.github.merge(number);
    for (const _ of [1, 2, 3]) {
      await world.passTime(PAST_LIFETIME);
      expect((await world.run("upkeep")).exitCode).toBe(0);
    }
    const asked = (await world.prompts()).length;
    const { ledger } = world.ledger("upkeep");
    expect(ledger.drafts).toEqual([]);
    const undecided = ledger.batches.filter((it) => it.state === "uncertain");
    expect(ledger.batches).toEqual(undecided);
    expect(asked).toBeLessThanOrEqual(1);
    if (asked === 0) expect(undecided).toHaveLength(1);
  },
});

/** Two open pull requests, of which one is documented. */
async function setUpOpen() {
  const world = await startWorld();
  const needed = await world.github.openPull({ commits: [{ files: { "src/a.ts": "1\n" } }] });
  const files = { "src/b.ts": "1\n", "docs/b.md": "1\n" };
  const included = await world.github.openPull({ commits: [{ files }] });
  return { world, numbers: [needed, included] };
}

await testKills({
  name: "the gate on a schedule",
  promise: "the next run sets each status",
  setUp: setUpOpen,
  start: ({ world }, through) => world.start("gate", through),
  outputs: {},
  ways: [{ signal: "SIGKILL", post: false }],
  check: async ({ world, numbers }) => {
    const [number = 0] = numbers;
    expect((await world.run("gate")).exitCode).toBe(0);
    const states = numbers.map((open) => world.statuses(open)[0]?.state);
    expect(states).toEqual(["failure", "success"]);
    expect(gateComments(world, number)).toHaveLength(1);
  },
});
