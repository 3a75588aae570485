import { expect, test } from "vitest";
import type { RunningAction, RunResult } from "../../emulator/runner/runner.ts";
import { momentsOf, RequestGate, type When } from "./request-gate.ts";
import { sampleOf } from "./sample.ts";
import { misfits } from "./sentences.ts";
import type { World, WorldRun } from "./world/world.ts";

/** How a run is stopped, and whether its post step follows. */
export interface Way {
  signal: NodeJS.Signals;
  post: boolean;
}

export const WAYS: readonly Way[] = [
  { signal: "SIGKILL", post: false },
  { signal: "SIGKILL", post: true },
  { signal: "SIGTERM", post: true },
];

export const WAYS_WITH_POST: readonly Way[] = WAYS.filter(({ post }) => post);

/** A run that is stopped at one of its requests. */
export interface Kill extends Way {
  at: number;
  /** `METHOD /path` */
  request: string;
  when: When;
}

type Scene = { world: World };
type Started = RunningAction | Promise<RunningAction>;

/** How a stopped run ended. Until it is disposed of, its post step finds the servers where the run knew them. */
interface Ended extends RunResult, AsyncDisposable {
  /** Time from the signal to its end, in milliseconds. */
  tookMs: number;
  /** Options that lead the requests of its post step to the same servers. */
  through: WorldRun;
}

/** The tests of a run that is stopped before and after each of its requests, or at a sample of them. */
export interface KillTests<Setup extends Scene> {
  /** What runs. */
  name: string;
  /** What holds afterward. */
  promise: string;
  setUp(): Promise<Setup>;
  /** @param through options that lead its requests through a gate */
  start(setup: Setup, through: WorldRun): Started;
  /** What the run ends with that nobody stops. */
  outputs: Record<string, string>;
  /** Default: `WAYS`. */
  ways?: readonly Way[];
  /** Whether it is stopped in every way at each moment. Default: in one way after the other. */
  inEveryWay?: true;
  /** Default: one of them, unless all tests run. */
  sample?(kills: readonly Kill[]): readonly Kill[];
  /** Whether its number of requests is chance: a run that makes fewer is not stopped. */
  mayEndBefore?: true;
  check(setup: Setup, ended: Ended, kill: Kill): Promise<void>;
}

/** Runs once undisturbed, and declares the tests. @returns the run's requests */
export async function testKills<Setup extends Scene>(
  tests: KillTests<Setup>,
): Promise<readonly string[]> {
  const { name, promise } = tests;
  const { sample = (all) => sampleOf(all, 1, name) } = tests;
  const requests = await requestsOf(tests);
  for (const kill of sample(killsAt(requests, tests))) {
    test.concurrent(`${name}, ${nameOf(kill)}: ${promise}`, { timeout: 10 * 60_000 }, async () => {
      const setup = await tests.setUp();
      await using _ = setup.world;
      const start = (through: WorldRun) => tests.start(setup, through);
      await using ended = await runKilled(setup.world, kill, start, tests.mayEndBefore);
      await tests.check(setup, ended, kill);
    });
  }
  return requests;
}

async function requestsOf<Setup extends Scene>({
  setUp,
  start,
  outputs,
}: KillTests<Setup>): Promise<readonly string[]> {
  const setup = await setUp();
  await using _ = setup.world;
  await using gate = new RequestGate();
  const run = await start(setup, await through(gate, setup.world));
  const result = await run.result;
  expect(result.outputs).toMatchObject(outputs);
  expect(misfits(result)).toEqual([]);
  return gate.requests;
}

/** Options that lead a run's requests through a gate. */
export async function through(gate: RequestGate, { github, service }: World): Promise<WorldRun> {
  const inputs = { "base-url": await gate.before(service.url) };
  return { apiUrl: await gate.before(github.url), inputs };
}

function killsAt(
  requests: readonly string[],
  { ways = WAYS, inEveryWay = false }: { ways?: readonly Way[]; inEveryWay?: boolean },
): Kill[] {
  return requests.flatMap((request, at) =>
    momentsOf(request).flatMap((when, moment) => {
      const turn = (2 * at + moment + Math.floor(at / 2)) % ways.length;
      const own = ways.filter((_, nth) => inEveryWay || nth === turn);
      return own.map((way) => ({ ...way, at, request, when }));
    }),
  );
}

/** Such as `SIGKILL before request 3, PATCH /repos/acme/docs/issues/4, with its post step`. */
function nameOf({ signal, when, at, request, post }: Kill): string {
  const what = request
    .replaceAll(/[0-9a-f-]{36,40}/g, ":id")
    .replaceAll(/(?<=\/docs-agent\/doctor\/)\S+/g, ":name");
  return `${signal} ${when} request ${at}, ${what}${post ? ", with its post step" : ""}`;
}

/** Starts a run, and stops it at one of its requests: by number, or the first that a pattern matches. */
export async function runKilled(
  world: World,
  { at, when, signal }: { at: number | RegExp } & Pick<Kill, "when" | "signal">,
  start: (through: WorldRun) => Started,
  mayEndBefore = false,
): Promise<Ended> {
  const gate = new RequestGate({ at, when });
  const led = await through(gate, world);
  const run = await start(led);
  const isReached = await Promise.race([gate.reached, run.result.then(() => false)]);
  expect(isReached || mayEndBefore).toBe(true);
  const begun = performance.now();
  run.signal(signal);
  const result = await run.result;
  const tookMs = performance.now() - begun;
  const dispose = () => gate[Symbol.asyncDispose]();
  return { ...result, tookMs, through: led, [Symbol.asyncDispose]: dispose };
}
