import type { RunOptions, RunResult } from "../../emulator/runner/runner.ts";
import type { LedgerSetup } from "../support/ledger-setup.ts";
import { RequestGate, type When } from "../support/request-gate.ts";

/** Where a run is killed, and whether its post step follows. */
export interface Kill {
  at: number;
  when: When;
  post: boolean;
}

/** A world with something to send: a few changes, or a few tasks. */
export interface Story {
  set(): Promise<LedgerSetup & { items: readonly string[] }>;
  /** Which items a text is about. */
  itemsIn(text: string, items: readonly string[]): string[];
  /** Whether a run that nobody kills has sent them all. */
  isStarted(run: RunResult): boolean;
  /** Whether nothing is left to do. */
  isQuiet(run: RunResult): boolean;
}

/** Past the time in which a claim may belong to a living run, in milliseconds. */
const PAST_LIFETIME = 11 * 60_000;
/** Most runs until a world is quiet. */
const MOST_RUNS = 8;

/** A story's runs, killed or beside each other, and what is wrong when all is quiet, as sentences. */
export class LedgerKills {
  readonly #story: Story;

  constructor(story: Story) {
    this.#story = story;
  }

  /**
   * Every kill: before and after each request of a run that nobody kills, with its post step and without.
   */
  async list(): Promise<(Kill & { name: string })[]> {
    await using it = await this.#story.set();
    await using gate = new RequestGate();
    const ran = await it.run(await through(gate, it));
    if (!this.#story.isStarted(ran)) throw new Error(`it sends nothing:\n${ran.stdout}`);
    return gate.requests.flatMap((request, at) =>
      (["before", "after"] as const).flatMap((when) =>
        [false, true].map((post) => {
          const name = `killed ${when} request ${at}, ${request}${post ? ", with its post step" : ""}`;
          return { at, when, post, name };
        }),
      ),
    );
  }

  /** Kills a run, and runs until all is quiet. */
  async runKilled({ at, when, post }: Kill): Promise<string[]> {
    await using it = await this.#story.set();
    await using gate = new RequestGate({ at, when });
    const run = it.start(await through(gate, it));
    const isReached = await Promise.race([gate.reached, run.result.then(() => false)]);
    run.signal("SIGKILL");
    const { state } = await run.result;
    if (!isReached) return ["the run ended without this request"];
    if (post) await it.run({ entry: "post", state });
    return await this.#whatIsWrong(it);
  }

  /** Starts so many runs at the same moment, and runs until all is quiet. */
  async runAtOnce(count: number): Promise<string[]> {
    await using it = await this.#story.set();
    const ran = await Promise.all(Array.from({ length: count }, () => it.run()));
    const wrong = ran.flatMap((one) => (one.exitCode === 0 ? [] : [`a run fails:\n${one.stdout}`]));
    return [...wrong, ...(await this.#whatIsWrong(it))];
  }

  async #whatIsWrong(it: LedgerSetup & { items: readonly string[] }): Promise<string[]> {
    const { itemsIn, isQuiet } = this.#story;
    const wrong: string[] = [];
    let ran: RunResult | undefined;
    for (let run = 1; ran === undefined || !isQuiet(ran); run++) {
      await it.history.advance(PAST_LIFETIME);
      ran = await it.run();
      if (ran.exitCode !== 0) return [`a run afterwards fails:\n${ran.stdout}`];
      if (run === MOST_RUNS) return [`not quiet after ${run} runs:\n${ran.stdout}`];
    }
    const sent = (await it.prompts()).flatMap((prompt) => itemsIn(prompt, it.items));
    const open = (await it.dashboards()).filter(({ state }) => state === "open");
    if (open.length !== 1) wrong.push(`${open.length} open dashboards`);
    const visible = (open[0]?.body ?? "")
      .split(/^## /m)
      .filter((section) => /^(Waiting|Needs a decision)/.test(section))
      .flatMap((section) => itemsIn(section, it.items));
    for (const item of it.items) {
      const times = sent.filter((other) => other === item).length;
      if (times > 1) wrong.push(`${item} is in ${times} accepted requests`);
      if (times === 0 && !visible.includes(item)) wrong.push(`${item} is lost:\n${open[0]?.body}`);
    }
    return wrong;
  }
}

/** Lets a gate stand before both servers. */
async function through(gate: RequestGate, { world }: LedgerSetup): Promise<RunOptions> {
  return {
    apiUrl: await gate.before(world.github.url),
    inputs: { "base-url": await gate.before(world.service.url) },
  };
}
