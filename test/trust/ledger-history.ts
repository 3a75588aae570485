import type { Issue } from "../../emulator/github/state.ts";
import type { Plan, Turn } from "../../emulator/local-world/memory-servers.ts";
import { tickedBoxes } from "../../src/ledger/dashboard/boxes.ts";
import { type Fault, FaultyServers } from "../support/memory-world/faulty-servers.ts";
import { issuesOf } from "../support/memory-world/open-dashboards.ts";
import { chance, type Ran, type RunOptions, Turns } from "../support/memory-world/runs.ts";

const MINUTE = 60_000;

/** Errors that nothing which happens in a history explains. */
const UNEXPECTED = ["internal", "timeout"];

/** How a run of a history is disturbed. */
export interface LedgerRunEvent {
  kill: { at: number; when: "before" | "after" } | null;
  post: boolean;
  faults: { at: number; fault: Fault }[];
}

/** What people do with a dashboard. */
export type DashboardEvent =
  | { kind: "tick"; box: number }
  | { kind: "take the label off" | "close dashboard" | "empty body" }
  | { kind: "say something" | "quote a marker" };

/** What happens in a history of any action with a ledger. */
export type LedgerEvent<R> =
  | { kind: "pass"; minutes: number }
  | { kind: "rotate the key" }
  | { kind: "run"; run: R }
  | { kind: "runs"; runs: R[]; order: number[] }
  | DashboardEvent;

/** What is the same for a whole history. */
export interface LedgerSetting {
  /** What comes of each request that the service accepts, over and over. */
  plans: Plan[];
  seed: number;
}

/** A request that the service accepted. */
export interface Accepted extends Turn {
  job: string;
}

/** How a history comes to its end. */
export interface QuietRules<R> {
  run: R;
  /** Minutes between two runs. */
  apart: number;
  /** Most runs that may pass until then. */
  mostRuns: number;
}

/**
 * A dashboard and the runs of an action that keeps its ledger there, and what is wrong with them.
 *
 * @typeParam R one run, and how it is disturbed
 * @typeParam O what happens, other than to the dashboard and by the runs
 */
export abstract class LedgerHistory<R extends LedgerRunEvent, O extends { kind: string }> {
  readonly servers: FaultyServers;
  /** Sentences: what was found wrong. */
  readonly wrong: string[] = [];
  runs = 0;
  /** The newest run. */
  last: Ran | null = null;
  /** Keys of what a person decided to hand over again, as often as that. */
  readonly #again: string[] = [];
  readonly #random: () => number;
  /** How often the key was rotated; only after a run that did its work with the key of then. */
  #rotations = 0;
  #mayRotate = false;

  /** @param planned how many requests go as planned; those after them end well at once */
  constructor({ plans, seed }: LedgerSetting, planned: number) {
    this.#random = chance(seed);
    let nth = -1;
    this.servers = new FaultyServers(() => {
      nth += 1;
      const plan = plans[nth % plans.length];
      // Whatever the agent does for long, it comes to an end at some time.
      return nth < planned && plan !== undefined ? plan : { outcome: "completed", takes: 0 };
    });
  }

  /** One run, with the options that every run has. */
  protected abstract perform(run: R, options: RunOptions, turns?: Turns): Promise<Ran>;
  /** What is none of a {@link LedgerEvent}. */
  protected abstract performOther(event: O): void;
  /** Keys of what a box hands over again. @param line the box's line */
  protected abstract keysOfBox(id: string, line: string): string[];
  protected abstract isQuiet(ran: Ran): boolean;

  async happen(event: LedgerEvent<R> | O): Promise<void> {
    this.servers.now += 1000;
    this.servers.agent.openDuePulls();
    this.servers.catchUp();
    await this.#do(event);
  }

  /** Lets everything come to its end, undisturbed. */
  protected async runUntil({ run: undisturbed, apart, mostRuns }: QuietRules<R>): Promise<void> {
    const { servers } = this;
    for (let run = 1, quiet = 0; quiet < 2; run++) {
      servers.catchUp();
      this.#setDashboards("open");
      servers.now += apart * MINUTE;
      servers.agent.openDuePulls();
      const ran = await this.run(undisturbed);
      if (ran.errorKind !== "") {
        this.wrong.push(`an undisturbed run fails: ${ran.errorKind}\n${ran.log.join("\n")}`);
        return;
      }
      quiet = this.isQuiet(ran) ? quiet + 1 : 0;
      if (run === mostRuns) {
        this.wrong.push(`not quiet after ${run} runs: ${JSON.stringify(ran.outputs)}`);
        return;
      }
    }
  }

  /** Every request that was accepted, in order. */
  protected get accepted(): Accepted[] {
    const { jobs } = this.servers.agent;
    return jobs
      .flatMap(({ id, turns }) => turns.map((turn) => ({ ...turn, job: id })))
      .sort((one, other) => one.at - other.at);
  }

  /**
   * Nothing is in two accepted requests, but for what came back from the first of them, and what a person
   * decided to hand over again.
   *
   * @param times the requests that this key is in, in order
   */
  protected checkTimes(key: string, times: readonly Accepted[]): void {
    const again = this.#again.filter((it) => it === key).length;
    const given = times.slice(0, -1).filter(({ outcome, endsAt, job }, at) => {
      const next = times[at + 1];
      const isBack = outcome === "failed" || outcome === "unknown";
      const isOver = next !== undefined && endsAt <= next.at;
      return this.servers.denied.has(job) || (isBack && isOver);
    }).length;
    if (times.length - 1 > given + again) {
      const where = times.map(({ job, at, outcome }) => `${job} at ${at} (${outcome})`).join(", ");
      this.wrong.push(`${key} is in ${times.length} accepted requests: ${where}`);
    }
    if (times.length > 3 + again) this.wrong.push(`${key} was sent ${times.length} times`);
  }

  /** One run. @param turns when it goes beside others */
  async run(run: R, turns?: Turns): Promise<Ran> {
    this.runs += 1;
    const { kill, post, faults } = run;
    const options: RunOptions = {
      ...(kill === null ? {} : { kill }),
      ...(turns === undefined ? {} : { turns }),
      ...{ post, random: chance(Math.floor(this.#random() * 2 ** 31)) },
      faults: new Map(faults.map((it) => [it.at, it.fault])),
      inputs: {
        "api-key": keyOf(this.#rotations),
        "previous-api-key": this.#rotations === 0 ? "" : keyOf(this.#rotations - 1),
      },
    };
    const ran = await this.perform(run, options, turns);
    this.last = ran;
    return ran;
  }

  /** Whether a run ended as it may. @param inputs what it was given on top of every run's */
  protected checkRun(
    ran: Ran,
    { faults }: LedgerRunEvent,
    inputs: { wait?: string; "dry-run"?: string },
  ): void {
    // GitHub says 404 of what a workflow names and GitHub does not know.
    const isMissing = faults.some(({ fault }) => "status" in fault && fault.status === 404);
    const isInput = ran.errorKind === "invalid-input" && !isMissing;
    const isWaited = ran.errorKind === "timeout" && inputs.wait === "true";
    if ((UNEXPECTED.includes(ran.errorKind) && !isWaited) || isInput) {
      this.wrong.push(`a run ends as ${ran.errorKind}:\n${ran.log.join("\n")}`);
    }
    const { result = "" } = ran.outputs;
    const isDone = !ran.isKilled && ran.errorKind === "" && !["busy", "paused"].includes(result);
    this.#mayRotate ||= isDone && inputs["dry-run"] !== "true";
  }

  async #do(event: LedgerEvent<R> | O): Promise<void> {
    const { kind } = event;
    const own = event as LedgerEvent<R>;
    switch (own.kind) {
      case "pass":
        this.servers.now += own.minutes * MINUTE;
        return;
      case "rotate the key":
        if (this.#mayRotate) this.#rotations += 1;
        this.#mayRotate = false;
        return;
      case "run":
        await this.run(own.run);
        return;
      case "runs": {
        let nth = 0;
        const { runs, order } = own;
        const turns = new Turns(runs.length, () => order[nth++ % order.length] ?? 0);
        await Promise.all(runs.map((run) => this.run(run, turns)));
        return;
      }
    }
    if (DASHBOARD_EVENTS.has(kind)) this.#touchDashboard(own);
    else this.performOther(event as O);
  }

  #touchDashboard(event: DashboardEvent): void {
    const { repository } = this.servers;
    const dashboard = issuesOf(repository).find(({ state }) => state === "open");
    if (dashboard === undefined) return;
    switch (event.kind) {
      case "tick":
        this.#tick(dashboard, event.box);
        return;
      case "close dashboard":
        this.#setDashboards("closed");
        return;
      case "empty body":
        repository.change(dashboard, { body: "" });
        return;
      case "take the label off":
        repository.change(dashboard, { labels: [] });
        return;
      case "say something":
        repository.comment(dashboard, "What is this?", "writer");
        return;
      case "quote a marker": {
        const last = repository.commentsOn(dashboard.number).at(-1);
        repository.comment(dashboard, last?.body ?? "", "writer");
      }
    }
  }

  #tick(dashboard: Issue, box: number): void {
    let nth = -1;
    const old = dashboard.body ?? "";
    const before = tickedBoxes(old);
    const body = old.replaceAll(/^- \[ \] <!-- again=/gm, (found) => {
      nth += 1;
      return nth === box ? found.replace("[ ]", "[x]") : found;
    });
    this.servers.repository.change(dashboard, { body });
    const lines = body.match(/^- \[x\] .*$/gm) ?? [];
    for (const [at, id] of tickedBoxes(body).entries()) {
      if (!before.includes(id)) this.#again.push(...this.keysOfBox(id, lines[at] ?? ""));
    }
  }

  /** A dashboard that lost against another stays closed. */
  #setDashboards(state: "open" | "closed"): void {
    const { repository } = this.servers;
    const [first] = issuesOf(repository);
    if (first !== undefined) repository.setState(first, state, "writer");
  }
}

const DASHBOARD_EVENTS: ReadonlySet<string> = new Set<DashboardEvent["kind"]>([
  ...(["tick", "take the label off", "close dashboard", "empty body"] as const),
  ...(["say something", "quote a marker"] as const),
]);

function keyOf(rotation: number): string {
  return `mint_test_${rotation}`;
}
