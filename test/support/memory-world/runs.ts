import { REPOSITORY } from "../../../emulator/local-world/memory-servers.ts";
import type { Action } from "../../../src/entrypoints/run-entrypoint.ts";
import type { RunContext } from "../../../src/github/trigger/run-context.ts";
import type { HttpAnswer, Outgoing } from "../../../src/net/http.ts";
import type { Clock } from "../../../src/runtime/clock.ts";
import { asActionError } from "../../../src/runtime/errors.ts";
import { dependenciesOf } from "../dependencies.ts";
import { HttpInProcess, INPUTS_IN_PROCESS } from "../http-in-process.ts";
import { contextOf } from "../run-context.ts";
import type { Fault, FaultyServers } from "./faulty-servers.ts";

/** How one run is disturbed. Its requests are counted from 0. */
export interface Disturbance {
  /** The run is killed at this request: before it is done, or after. */
  kill?: { at: number; when: "before" | "after" };
  /** Whether the post step follows. Default: after every run but one that is killed. */
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

  /** @param order which of those that wait goes next; any whole number */
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
  /** How far the runner's clock is from GitHub's, in milliseconds. Default: never quite the same. */
  skew?: number;
  /** Told of each request before it is done. */
  onRequest?: (outgoing: Outgoing, at: number) => void;
}

/** An action and its post step, as they are in the source. */
export interface ActionInMemory {
  main: Action;
  /** @param saved what the main step left, unless that is nothing */
  post?(saved: unknown, ...args: Parameters<Action>): Promise<unknown>;
  /** On top of those that say where the servers are. */
  inputs: Record<string, string>;
  /** Of its run, other than those of a schedule. */
  context?: Partial<RunContext>;
}

/** One run of an action from its source, as it would go in a process of its own. */
export async function runInMemory(
  servers: FaultyServers,
  action: ActionInMemory,
  options: RunOptions,
): Promise<Ran> {
  const { inputs = {}, random, turns, kill, faults, onRequest, skew = -7_000 } = options;
  const requests: string[] = [];
  const killed = Promise.withResolvers<"killed">();
  let isKilled = false;
  const die = (): Promise<never> => {
    isKilled = true;
    killed.resolve("killed");
    return NEVER;
  };
  const perform = (outgoing: Outgoing): HttpAnswer => {
    const at = requests.push(nameOf(outgoing)) - 1;
    onRequest?.(outgoing, at);
    return servers.exchange(outgoing, faults?.get(at));
  };
  const exchange = async (outgoing: Outgoing): Promise<HttpAnswer> => {
    if (isKilled) return await NEVER;
    await turns?.take();
    const isLast = kill?.at === requests.length;
    if (isLast && kill.when === "before") {
      requests.push(nameOf(outgoing));
      return await die();
    }
    try {
      return perform(outgoing);
    } finally {
      if (isLast) await die();
    }
  };
  const clock: Clock = {
    now: () => servers.now,
    timeOfDay: () => servers.now + skew,
    sleep: async (milliseconds) => {
      servers.now += milliseconds;
    },
  };
  const dependencies = dependenciesOf({ random, http: new HttpInProcess(exchange), clock });
  const values: Record<string, string> = {
    ...INPUTS_IN_PROCESS,
    ...action.inputs,
    ...inputs,
  };
  const context = { ...contextOf("schedule"), repository: REPOSITORY, ...action.context };
  const { outputs, lines } = dependencies;
  let errorKind = "";
  const read = (name: string) => values[name] ?? "";
  const main = action.main(read, context, dependencies).catch((thrown: unknown) => {
    const { kind, message } = asActionError(thrown);
    errorKind = kind;
    outputs.setOutput("errorMessage", message);
    lines.push(`thrown: ${thrown instanceof Error ? thrown.stack : String(thrown)}`);
  });
  await Promise.race([main, killed.promise]);
  turns?.leave();
  const saved = outputs.states.at(-1) ?? null;
  if ((options.post ?? !isKilled) && saved !== null) {
    const http = new HttpInProcess(async (outgoing) => perform(outgoing));
    await action.post?.(saved, read, context, { ...dependencies, http });
  }
  errorKind = isKilled ? "" : errorKind || (outputs.values.errorKind ?? "");
  return { requests, isKilled, outputs: outputs.values, log: lines, errorKind };
}

function nameOf({ method, url }: Outgoing): string {
  return `${method} ${url.host}${url.pathname}`;
}
