import { GITHUB, REPOSITORY, SERVICE } from "../../../emulator/local-world/memory-servers.ts";
import type { Action } from "../../../src/entrypoints/run-entrypoint.ts";
import type { RunContext } from "../../../src/github/run-context.ts";
import type { ReadInput } from "../../../src/inputs/checks.ts";
import type { Http, HttpAnswer, Outgoing } from "../../../src/net/http.ts";
import type { Dependencies } from "../../../src/runtime/dependencies.ts";
import { asActionError } from "../../../src/runtime/errors.ts";
import { recoverUpkeep } from "../../../src/upkeep/recover.ts";
import { upkeep } from "../../../src/upkeep/upkeep.ts";
import { dependenciesOf } from "../dependencies.ts";
import { contextOf } from "../run-context.ts";
import type { Fault, FaultyServers } from "./faulty-servers.ts";

/** How one run is disturbed. Its requests are counted from 0. */
export interface Disturbance {
  /** The run is killed at this request: before it is done, or after. */
  kill?: { at: number; when: "before" | "after" };
  /** Whether the post step follows a kill. */
  post?: boolean;
  /** What goes wrong, by request. */
  faults?: ReadonlyMap<number, Fault>;
}

export interface Ran {
  /** `METHOD host/path`, in order. */
  requests: string[];
  isKilled: boolean;
  outputs: Record<string, string>;
  /** Empty: the run succeeded. */
  errorKind: string;
  log: string[];
}

/** Lets several runs make their requests in turn. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  readonly #order: () => number;
  #running: number;

  /** @param order tells which of those that wait goes next; any whole number */
  constructor(running: number, order: () => number) {
    this.#running = running;
    this.#order = order;
  }

  async take(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#go();
    });
  }

  leave(): void {
    this.#running -= 1;
    this.#go();
  }

  #go(): void {
    if (this.#waiting.length === 0 || this.#waiting.length < this.#running) return;
    const [next] = this.#waiting.splice(this.#order() % this.#waiting.length, 1);
    next?.();
  }
}

const NEVER = new Promise<never>(() => {});

/** Draws numbers from 0 to 1, the same for the same seed. */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface RunOptions extends Disturbance {
  inputs?: Record<string, string>;
  random: () => number;
  turns?: Turns;
  /** Told of each request before it is done. */
  onRequest?: (outgoing: Outgoing) => void;
}

/** An action and its post step, as they are in the source. */
export interface ActionInMemory {
  main: Action;
  /** @param saved what the main step left */
  post?(saved: unknown, read: ReadInput, dependencies: Dependencies): Promise<unknown>;
  /** On top of those that say where the servers are. */
  inputs: Record<string, string>;
  /** Of its run, other than those of a schedule. */
  context?: Partial<RunContext>;
}

const UPKEEP: ActionInMemory = {
  main: upkeep,
  post: (saved, read, dependencies) => recoverUpkeep(saved, read, dependencies),
  inputs: {
    "ignore-labels": "skip-docs",
    "ignore-authors": "dependabot[bot]\nrenovate[bot]",
  },
};

/** One run of upkeep from its source, as it would go in a process of its own. */
export function runUpkeep(servers: FaultyServers, options: RunOptions): Promise<Ran> {
  return runInMemory(servers, UPKEEP, options);
}

/** One run of an action from its source, as it would go in a process of its own. */
export async function runInMemory(
  servers: FaultyServers,
  action: ActionInMemory,
  options: RunOptions,
): Promise<Ran> {
  const { inputs = {}, random, turns, kill, faults, onRequest } = options;
  const requests: string[] = [];
  const killed = Promise.withResolvers<"killed">();
  let isKilled = false;
  const die = (): Promise<never> => {
    isKilled = true;
    killed.resolve("killed");
    return NEVER;
  };
  const exchange = async (outgoing: Outgoing): Promise<HttpAnswer> => {
    if (isKilled) return await NEVER;
    await turns?.take();
    const at = requests.push(`${outgoing.method} ${outgoing.url.host}${outgoing.url.pathname}`) - 1;
    if (kill?.at === at && kill.when === "before") return await die();
    onRequest?.(outgoing);
    const answered = servers.exchange(outgoing, faults?.get(at));
    return kill?.at === at ? await die() : answered;
  };
  const dependencies = dependenciesOf({
    random,
    http: { checkProxy() {}, exchange } as unknown as Http,
    clock: {
      now: () => servers.now,
      // A runner's clock is never quite GitHub's.
      timeOfDay: () => servers.now - 7_000,
      sleep: async (milliseconds) => {
        servers.now += milliseconds;
      },
    },
  });
  const given: Record<string, string> = {
    "api-key": "mint_test",
    "project-id": "docs",
    "base-url": SERVICE,
    "github-token": "ghs_test",
    "github-api-url": GITHUB,
    ...action.inputs,
    ...inputs,
  };
  const read = (name: string) => given[name] ?? "";
  const context = { ...contextOf("schedule"), repository: REPOSITORY, ...action.context };
  const { outputs, lines } = dependencies;
  let errorKind = "";
  const main = action.main(read, context, dependencies).catch((thrown: unknown) => {
    errorKind = asActionError(thrown).kind;
    lines.push(`thrown: ${thrown instanceof Error ? thrown.stack : String(thrown)}`);
  });
  await Promise.race([main, killed.promise]);
  turns?.leave();
  const ran = { requests, isKilled, outputs: outputs.values, log: lines };
  if (!isKilled) return { ...ran, errorKind: errorKind || (outputs.values.errorKind ?? "") };
  if (options.post === true) {
    const saved = outputs.states.at(-1) ?? null;
    const http = { checkProxy() {}, exchange: async (it: Outgoing) => servers.exchange(it) };
    const after = { ...dependencies, http: http as unknown as Http };
    if (saved !== null) await action.post?.(saved, read, after);
  }
  return { ...ran, errorKind: "" };
}
