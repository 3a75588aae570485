import { expect, test } from "vitest";
import { DRAFTS, type GateSetup, setUpGate } from "../../support/gate-setup.ts";
import { momentsOf, RequestGate } from "../../support/request-gate.ts";
import { sampleOf } from "../../support/sample.ts";

const LIMIT = 10 * 60_000;
/** Past the time in which an intent may belong to a living run, in milliseconds. */
const PAST_LIFETIME = 11 * 60_000;
const SAMPLE = 1;

const WAYS = [
  { signal: "SIGKILL", post: false },
  { signal: "SIGKILL", post: true },
  { signal: "SIGTERM", post: true },
] as const;

/** An approved pull request, which the next run asks a draft for. */
async function setUp(): Promise<GateSetup & { number: number }> {
  const scene = await setUpGate();
  const commits = [{ files: { "src/retry.ts": "1\n" } }];
  const number = await scene.history.openPull({ title: "Add retries", commits });
  await scene.review(number);
  return { ...scene, number };
}

async function through(gate: RequestGate, { world }: GateSetup) {
  const inputs = { ...DRAFTS.inputs, "base-url": await gate.before(world.service.url) };
  return { apiUrl: await gate.before(world.github.url), inputs };
}

async function requestsOfRun(): Promise<string[]> {
  await using scene = await setUp();
  await using gate = new RequestGate();
  const { outputs } = await scene.gate(scene.number, await through(gate, scene));
  expect(outputs).toMatchObject({ verdict: "covered" });
  return gate.requests;
}

const kills = (await requestsOfRun()).flatMap((request, at) =>
  momentsOf(request).flatMap((when) => WAYS.map((way) => ({ ...way, at, request, when }))),
);

for (const { at, request, when, signal, post } of sampleOf(kills, SAMPLE, "gate")) {
  const after = post ? ", with its post step" : "";
  const what = request.replaceAll(/[0-9a-f-]{36,40}/g, ":id");
  test.concurrent(`the gate, ${signal} ${when} request ${at}, ${what}${after}: one draft, or a decision, and the right status`, {
    timeout: LIMIT,
  }, async () => {
    await using scene = await setUp();
    const { number, history } = scene;
    await using gate = new RequestGate({ at, when });
    const run = await scene.startGate(number, await through(gate, scene));
    expect(await Promise.race([gate.reached, run.result.then(() => false)])).toBe(true);
    run.signal(signal);
    const { state } = await run.result;
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
  });
}

/** Two open pull requests, of which one is documented. */
async function setUpOpen(): Promise<GateSetup & { numbers: number[] }> {
  const scene = await setUpGate();
  const needed = await scene.history.openPull({ commits: [{ files: { "src/a.ts": "1\n" } }] });
  const files = { "src/b.ts": "1\n", "docs/b.md": "1\n" };
  const included = await scene.history.openPull({ commits: [{ files }] });
  return { ...scene, numbers: [needed, included] };
}

const SWEEP = { eventName: "schedule", event: {} };

async function requestsOfSweep(): Promise<string[]> {
  await using scene = await setUpOpen();
  await using gate = new RequestGate();
  const apiUrl = await gate.before(scene.world.github.url);
  await scene.gate(scene.numbers[0] ?? 0, { ...SWEEP, apiUrl });
  return gate.requests;
}

const killedSweeps = (await requestsOfSweep()).flatMap((request, at) =>
  momentsOf(request).map((when) => ({ at, request, when })),
);

for (const { at, request, when } of sampleOf(killedSweeps, SAMPLE, "gate's schedule")) {
  const what = request.replaceAll(/[0-9a-f-]{36,40}/g, ":id");
  test.concurrent(`the gate on a schedule, killed ${when} request ${at}, ${what}: the next run sets each status`, {
    timeout: LIMIT,
  }, async () => {
    await using scene = await setUpOpen();
    const { numbers } = scene;
    const [number = 0] = numbers;
    await using gate = new RequestGate({ at, when });
    const apiUrl = await gate.before(scene.world.github.url);
    const run = await scene.startGate(number, { ...SWEEP, apiUrl });
    expect(await Promise.race([gate.reached, run.result.then(() => false)])).toBe(true);
    run.signal("SIGKILL");
    await run.result;
    expect((await scene.gate(number, SWEEP)).exitCode).toBe(0);
    const states = numbers.map((open) => scene.statuses(open)[0]?.state);
    expect(states).toEqual(["failure", "success"]);
    expect(await scene.gateComments(number)).toHaveLength(1);
  });
}
