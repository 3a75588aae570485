import { expect } from "vitest";
import { DRAFTS, type GateSetup, setUpGate } from "../../support/gate-setup.ts";
import { testKills } from "../../support/kills.ts";

/** Past the time in which an intent may belong to a living run, in milliseconds. */
const PAST_LIFETIME = 11 * 60_000;

/** An approved pull request, which the next run asks a draft for. */
async function setUp(): Promise<GateSetup & { number: number }> {
  const scene = await setUpGate();
  const commits = [{ files: { "src/retry.ts": "1\n" } }];
  const number = await scene.history.openPull({ title: "Add retries", commits });
  await scene.review(number);
  return { ...scene, number };
}

await testKills({
  name: "the gate",
  promise: "one draft, or a decision, and the right status",
  setUp,
  start: (scene, { inputs, ...through }) =>
    scene.startGate(scene.number, { ...through, inputs: { ...DRAFTS.inputs, ...inputs } }),
  outputs: { verdict: "covered" },
  inEveryWay: true,
  check: async (scene, { state }, { post }) => {
    const { number, history } = scene;
    if (post) await scene.gate(number, { entry: "post", state });
    for (const _ of [1, 2]) {
      await history.advance(PAST_LIFETIME);
      const { outputs } = await scene.gate(number, DRAFTS);
      expect(outputs.errorKind).toBeUndefined();
      // The last run's verdict is the status, whatever the killed run has set.
      const [status] = scene.statuses(number);
      expect(status?.state).toBe(outputs.verdict === "needed" ? "failure" : "success");
    }
    await history.merge(number);
    for (const _ of [1, 2, 3]) {
      await history.advance(PAST_LIFETIME);
      expect((await scene.upkeep()).exitCode).toBe(0);
    }
    const asked = (await scene.prompts()).length;
    const { ledger } = scene.ledger() ?? {};
    expect(ledger?.drafts).toEqual([]);
    const undecided = ledger?.batches.filter((it) => it.state === "uncertain") ?? [];
    expect(ledger?.batches).toEqual(undecided);
    expect(asked).toBeLessThanOrEqual(1);
    if (asked === 0) expect(undecided).toHaveLength(1);
  },
});

/** Two open pull requests, of which one is documented. */
async function setUpOpen(): Promise<GateSetup & { numbers: number[] }> {
  const scene = await setUpGate();
  const needed = await scene.history.openPull({ commits: [{ files: { "src/a.ts": "1\n" } }] });
  const files = { "src/b.ts": "1\n", "docs/b.md": "1\n" };
  const included = await scene.history.openPull({ commits: [{ files }] });
  return { ...scene, numbers: [needed, included] };
}

const SWEEP = { eventName: "schedule", event: {} };

await testKills({
  name: "the gate on a schedule",
  promise: "the next run sets each status",
  setUp: setUpOpen,
  start: (scene, through) => scene.startGate(scene.numbers[0] ?? 0, { ...SWEEP, ...through }),
  outputs: {},
  ways: [{ signal: "SIGKILL", post: false }],
  check: async (scene) => {
    const { numbers } = scene;
    const [number = 0] = numbers;
    expect((await scene.gate(number, SWEEP)).exitCode).toBe(0);
    const states = numbers.map((open) => scene.statuses(open)[0]?.state);
    expect(states).toEqual(["failure", "success"]);
    expect(await scene.gateComments(number)).toHaveLength(1);
  },
});
