import { recordKilledRun } from "../../../src/batches/post-step.ts";
import type { Outgoing } from "../../../src/net/http.ts";
import type { FaultyServers } from "../../support/memory-world/faulty-servers.ts";
import type { WorldEvent } from "../../support/memory-world/ledger-world.ts";
import {
  type ActionInMemory,
  chance,
  type Ran,
  type RunOptions,
  runInMemory,
  Turns,
} from "../../support/memory-world/runs.ts";
import type { World } from "../../support/memory-world/world.ts";
import type { Event, Run } from "./events.ts";

const MINUTE = 60_000;

/** One run of a history: what it runs, and what must hold when it is over. */
export interface Step {
  /** Default of its post step: that of the actions with batches. */
  action: ActionInMemory;
  /** Called before each of its requests. @param events what happens right before it */
  onRequest?(outgoing: Outgoing, events: readonly { kind: string }[]): void;
  /** What it did, in a few words, if it succeeded. */
  resultOf(ran: Ran): string;
  /** Whether a run that nothing disturbs may fail like this. Default: never. */
  mayFail?(ran: Ran): boolean;
  /** Checks what it did. @param isDisturbed by anything of its own, by another run, or by a trouble */
  check(ran: Ran, isDisturbed: boolean): void;
}

/**
 * A world in which events happen one after the other. After each, what must hold is checked by what is known of the
 * world, and not of the action.
 *
 * @typeParam E the events of its own, beside those of every world
 */
export abstract class History<E extends { kind: string }, W extends World = World> {
  /** What happened, for people to read. */
  readonly story: string[] = [];
  runs = 0;
  last: Ran | null = null;
  protected readonly world: W;
  readonly #random: () => number;

  constructor(world: W, seed: number) {
    this.world = world;
    this.#random = chance(seed);
  }

  get servers(): FaultyServers {
    return this.world.servers;
  }

  /** Sentences: what was found wrong. */
  get wrong(): string[] {
    return this.world.wrong;
  }

  [Symbol.dispose](): void {}

  /** Called before each event, when the agent has opened its pull requests. */
  protected prepare(): void {}
  /** Lets an event happen, but no run. */
  protected abstract apply(event: E | WorldEvent): void;
  /** Begins a run. */
  protected abstract begin(run: Run<E>): Step;
  /** Checks what must hold after each event. */
  protected abstract check(): void;
  /** Lets everything come to its end, undisturbed, and checks it. */
  abstract settle(): Promise<void>;

  async happen(event: Event<E>): Promise<void> {
    this.servers.now += 1000;
    this.servers.catchUp();
    this.servers.agent.openDuePulls();
    this.prepare();
    this.story.push(JSON.stringify(event));
    if (event.kind === "run") await this.run((event as { run: Run<E> }).run);
    else if (event.kind === "runs") {
      await this.#runTogether(event as { runs: Run<E>[]; order: number[] });
    } else await this.applyAlone(event as E | WorldEvent);
    this.check();
  }

  /** Lets an event happen that is not beside a run. */
  protected async applyAlone(event: E | WorldEvent): Promise<void> {
    this.apply(event);
  }

  /** Runs until nothing is left to do, twice in a row. @param run a run after some time. @returns whether it was quiet */
  protected async runUntilQuiet(most: number, run: () => Promise<boolean>): Promise<void> {
    for (let runs = 1, quiet = 0; quiet < 2 && this.wrong.length === 0; runs++) {
      quiet = (await run()) ? quiet + 1 : 0;
      if (runs === most) this.wrong.push(`not quiet after ${runs} runs`);
    }
  }

  /** Runs that make their requests in turn. `order`: which of those that wait goes next, over and over. */
  async #runTogether({ runs, order }: { runs: Run<E>[]; order: number[] }): Promise<void> {
    let nth = 0;
    const turns = new Turns(runs.length, () => order[nth++ % order.length] ?? 0);
    await Promise.all(runs.map((run) => this.run(run, turns)));
  }

  /** @param turns with those of other runs, if it has to wait for them */
  protected async run(run: Run<E>, turns?: Turns): Promise<void> {
    await this.runStep(this.begin(run), run, turns);
  }

  protected async runStep(step: Step, run: Run<E> = {}, turns?: Turns): Promise<void> {
    this.runs += 1;
    const { meanwhile = [] } = run;
    const { action } = step;
    const context = {
      repository: this.world.home.fullName,
      runId: String(this.runs),
      ...action.context,
    };
    const ran = await runInMemory(
      this.servers,
      { post: recordKilledRun, ...action, context },
      {
        ...optionsOf(run, this.#random),
        ...(turns === undefined ? {} : { turns }),
        onRequest: (outgoing, at) => {
          const events = meanwhile.filter((it) => it.at === at).map(({ event }) => event);
          for (const event of events) this.apply(event);
          step.onRequest?.(outgoing, events);
        },
      },
    );
    this.last = ran;
    this.story.push(`  → ${ran.isKilled ? "killed" : ran.errorKind || step.resultOf(ran)}`);
    const isDisturbed = turns !== undefined || !isPlain(run) || this.world.troubles.size > 0;
    const isFailed = !isDisturbed && ran.errorKind !== "" && step.mayFail?.(ran) !== true;
    if (ran.errorKind === "internal" || isFailed) {
      this.wrong.push(`a run ends as ${ran.errorKind}:\n${ran.log.join("\n")}`);
    }
    step.check(ran, isDisturbed);
  }
}

/** How a run is disturbed, but for what happens meanwhile. @param random of the history */
function optionsOf<E>({ kill, post, faults = [], skew }: Run<E>, random: () => number): RunOptions {
  return {
    random: chance(Math.floor(random() * 2 ** 31)),
    ...(kill === undefined ? {} : { kill }),
    ...(post === undefined ? {} : { post }),
    ...(skew === undefined ? {} : { skew: skew * MINUTE }),
    faults: new Map(faults.map((it) => [it.at, it.fault])),
  };
}

/** Whether nothing happens to a run by itself. */
function isPlain<E>({ kill, faults = [], meanwhile = [] }: Run<E>): boolean {
  return kill === undefined && faults.length + meanwhile.length === 0;
}
