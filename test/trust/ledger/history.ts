import type { Plan } from "../../../emulator/local-world/memory-servers.ts";
import type { Turn } from "../../../emulator/service/agent/job.ts";
import { recordKilledRun } from "../../../src/ledger/batches/post-step.ts";
import { readMark } from "../../../src/ledger/dashboard/render.ts";
import { entryId } from "../../../src/ledger/model/decisions.ts";
import type { Change } from "../../../src/ledger/model/ledger.ts";
import type { BatchFile } from "../../../src/ledger/model/schema.ts";
import { ledgersOf } from "../../support/ledgers-of.ts";
import {
  type Books,
  heldIn,
  itemsOf,
  LedgerWorld,
  type WorldEvent,
} from "../../support/memory-world/ledger-world.ts";
import {
  type ActionInMemory,
  chance,
  type Ran,
  runInMemory,
  type Turns,
} from "../../support/memory-world/runs.ts";
import type { Event, Run } from "./events.ts";
import { isPlain, optionsOf, runTogether } from "./run-events.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** How often a change is handed over by itself. */
const MOST_ATTEMPTS = 3;
/** Most runs until nothing is left to do: a job may take 60 days, and there is a run a day. */
const MOST_RUNS = 90;

/**
 * A ledger, its dashboard, its runs, and what happens to all of them. Checked after each step against what is
 * known of the world, and not of the action.
 *
 * @typeParam E what happens to what is handed over
 */
export abstract class History<E extends { kind: string }> extends LedgerWorld {
  /** What happened, for people to read. */
  readonly story: string[] = [];
  runs = 0;
  last: Ran | null = null;
  readonly #random: () => number;
  /** Time passed while a run was between two requests. */
  #hasSlept = false;

  /** @param plans what comes of each request that the service accepts, over and over */
  constructor(plans: readonly Plan[], seed: number) {
    super(plans);
    this.#random = chance(seed);
  }

  protected abstract actionOf(run: Run<E>): ActionInMemory;
  protected abstract apply(event: E): void;
  /** Keys of the items in a prompt, or on a dashboard. */
  protected abstract itemsIn(text: string): string[];
  /** What is wrong with a ledger as far as only the action can tell. */
  protected abstract checkBooks(books: Books): string[];
  /** Items that wait, as the dashboard should show them, the first ones first. */
  protected abstract waitingIn(books: Books): string[];
  /** How often an item may have lost the count of its attempts. */
  protected restarts = 0;
  /** Lets the world be such that everything can come to its end. */
  protected abstract relieve(ran: Ran): void;
  /** Most requests that may be accepted in a time. */
  protected abstract readonly limit: { requests: number; within: number };

  [Symbol.dispose](): void {}

  async happen(event: Event<E>): Promise<void> {
    const { servers } = this;
    servers.now += 1000;
    servers.catchUp();
    servers.agent.openDuePulls();
    this.story.push(JSON.stringify(event));
    if (event.kind === "run") await this.#run((event as { run: Run<E> }).run);
    else if (event.kind === "runs") {
      const together = event as { runs: Run<E>[]; order: number[] };
      await runTogether(together, (run, turns) => this.#run(run, turns));
    } else this.#apply(event as E | WorldEvent);
    this.#check();
  }

  /** Lets everything come to its end, undisturbed: by itself, and then as people decide. */
  async settle(): Promise<void> {
    await this.#runUntilQuiet();
    for (const what of ["again", "leave"] as const) {
      const { batches = [] } = this.books()?.ledger ?? {};
      for (const _ of batches) this.tick(what, 0);
      if (batches.length > 0) await this.#runUntilQuiet();
    }
    const { batches = [], waiting = [] } = this.books()?.ledger ?? {};
    if (this.wrong.length === 0 && batches.length + waiting.length > 0)
      this.wrong.push("in the end, something is left to do");
  }

  #apply(event: E | WorldEvent): void {
    if (!this.applyToWorld(event)) this.apply(event as E);
  }

  async #runUntilQuiet(): Promise<void> {
    for (let run = 1, quiet = 0; quiet < 2 && this.wrong.length === 0; run++) {
      this.relieveAll();
      this.servers.now += DAY + HOUR;
      await this.happen({ kind: "run", run: {} });
      this.restore(this.last?.outputs.errorMessage ?? "");
      const { result = "", ...outputs } = this.last?.outputs ?? {};
      const isQuiet = ["idle", "finished"].includes(result) && !isBusy(outputs);
      quiet = isQuiet ? quiet + 1 : 0;
      if (this.last !== null) this.relieve(this.last);
      // A person looks at what failed in a row, and goes on.
      if (this.books()?.ledger.failures?.halt !== undefined) this.tick("go-on", 0);
      if (run === MOST_RUNS) this.wrong.push(`not quiet after ${run} runs: ${result}`);
    }
  }

  async #run(run: Run<E>, turns?: Turns): Promise<void> {
    this.runs += 1;
    this.atWork += 1;
    const { faults = [], meanwhile = [], inputs, isByEdit } = run;
    const before = this.servers.agent.accepted.length;
    const isClosed = this.dashboard()?.state === "closed";
    const action = this.actionOf(run);
    const context = {
      repository: this.home.fullName,
      runId: String(this.runs),
      ...action.context,
      ...(isByEdit ? this.#editEvent() : {}),
    };
    const ran = await runInMemory(
      this.servers,
      { ...action, context, post: recordKilledRun },
      {
        ...optionsOf(run, this.#random, turns),
        onRequest: (_, at) => {
          for (const it of meanwhile) if (it.at === at) this.#apply(it.event);
          this.#hasSlept ||= meanwhile.some(({ event }) => event.kind === "pass");
        },
        inputs: { "api-key": `mint_test_${this.keys}`, ...inputs },
      },
    );
    this.atWork -= 1;
    this.last = ran;
    const { result = "", dashboardUrl } = ran.outputs;
    this.story.push(`  → ${ran.isKilled ? "killed" : ran.errorKind || result}, ${dashboardUrl}`);
    if (faults.length > 0 && this.dropped !== null) this.dropped.guard = null;
    if (ran.errorKind === "internal") this.#wrongRun(ran);
    if (turns !== undefined || !isPlain(run)) return;
    if (this.troubles.size > 0 || isByEdit) return;
    const isSetBack = ran.errorKind === "invalid-input" && this.isSetBack();
    const isExplained = isSetBack || hasFoundFailures(ran);
    if (ran.errorKind !== "" && !isExplained && inputs?.wait === undefined) this.#wrongRun(ran);
    const sent = this.servers.agent.accepted.length - before;
    const isIdle = inputs?.["dry-run"] === "true" || isClosed;
    if (isIdle && sent > 0) this.wrong.push(`a run that must not send anything does (${result})`);
    if (!isIdle && ran.errorKind === "") this.#checkDashboard();
  }

  #wrongRun({ errorKind, log }: Ran): void {
    this.wrong.push(`a run ends as ${errorKind}:\n${log.join("\n")}`);
  }

  #editEvent() {
    const issue = { number: this.dashboard()?.number ?? 0, title: "", body: "" };
    const sender = { login: "writer", type: "User" };
    return { eventName: "issues", payload: { action: "edited", issue, sender } };
  }

  /** What all of it comes to, as far as the service knows. */
  #turns(): { job: string; nth: number; turn: Turn; items: string[] }[] {
    return this.servers.agent.service.state.jobs.flatMap(({ id, turns }) =>
      turns.map((turn, nth) => ({ job: id, nth, turn, items: this.itemsIn(turn.prompt) })),
    );
  }

  #check(): void {
    for (const what of this.servers.trespasses)
      this.wrong.push(`wrote what is not its own: ${what}`);
    this.noteHead();
    const books = this.books();
    if (books === null) return;
    const { ledger, lines } = books;
    const held = new Set(heldIn(books).flatMap(({ items }) => items));
    const waiting = ledger.waiting.flatMap(itemsOf);
    const ended = lines.filter(({ state }) => state === "done" || state === "left");
    const places = [...waiting, ...[...ledger.batches, ...ended].flatMap(itemsOf)];
    for (const item of doublesIn(places)) this.wrong.push(`${item} is in two places of the ledger`);
    this.wrong.push(...this.checkBooks(books));
    if (this.dropped !== null) return;
    const turns = this.#turns();
    const sent = new Set(turns.flatMap(({ items }) => items));
    for (const item of sent) {
      const times = turns.filter(({ items }) => items.includes(item));
      const back = times.filter((it) => this.#cameBack(it)).length;
      const again = [...this.again.values()].filter((it) => it.includes(item)).length;
      const anew = this.anew.filter((it) => it === item).length;
      const lost = this.lost.filter((it) => it === item).length;
      const isWaiting = waiting.includes(item) ? 1 : 0;
      const where = times.map(({ job, nth }) => `${job}.${nth}`).join(", ");
      if (times.length + isWaiting > 1 + back + again + anew) {
        this.wrong.push(`${item} is sent, or about to be, more often than may be: ${where}`);
      }
      if (times.length > MOST_ATTEMPTS * (1 + lost + this.restarts) + again) {
        this.wrong.push(`${item} was sent ${times.length} times: ${where}`);
      }
    }
    for (const item of [...sent, ...this.servers.received.flatMap((it) => this.itemsIn(it))]) {
      const isKnown = held.has(item) || this.lost.includes(item);
      if (!isKnown)
        this.wrong.push(`${item} may have been received, and the ledger does not say so`);
    }
    const { requests, within } = this.limit;
    const times =
      this.lost.length > 0 || this.#hasSlept ? [] : turns.map(({ turn }) => turn.startedAt);
    for (const at of times) {
      const count = times.filter((it) => it >= at && it < at + within).length;
      if (count > requests) this.wrong.push(`${count} requests were accepted in ${within} ms`);
    }
  }

  /** Whether the changes of a request may be handed over again, because nothing can come of it any more. */
  #cameBack({ job, nth }: { job: string; nth: number }): boolean {
    const found = this.servers.agent.service.state.jobs.find(({ id }) => id === job);
    const later = (found?.turns ?? []).slice(nth);
    const isFailed = later.some(
      ({ outcome, steering }) => outcome?.status === "failed" || steering.isForgotten,
    );
    const pull = this.servers.agent.pulls.find(({ branch }) => branch === found?.branch);
    // A follow-up for a docs pull request that was merged or closed before the agent got to it.
    const isTooLate = nth > 0 && pull?.state === "closed";
    return isFailed || isTooLate || (this.servers.denied.get(job) ?? 0) > 1;
  }

  #needsDecision({ state, acceptedAt }: BatchFile): boolean {
    const isOverdue = this.servers.now - Date.parse(acceptedAt ?? "") > DAY;
    return state === "uncertain" || state === "failed" || (state === "running" && isOverdue);
  }

  /** The dashboard says what the ledger holds, as far as there is room. */
  #checkDashboard(): void {
    const books = this.books();
    const dashboard = this.dashboard();
    if (books === null || dashboard === undefined) return;
    const { ledger } = books;
    const body = dashboard.body ?? "";
    const sha = ledgersOf(this.home)[0]?.sha;
    if (readMark(body)?.sha !== sha) this.wrong.push("the dashboard shows an older ledger");
    const sections = new Map(
      body.split(/^## /m).map((it) => [it.split("\n", 1)[0] ?? "", this.itemsIn(it)]),
    );
    const undecided = ledger.batches.filter((it) => this.#needsDecision(it));
    const running = ledger.batches.filter((it) => !this.#needsDecision(it));
    const shown: [string, string[]][] = [
      ["Needs a decision", undecided.flatMap(namedItems)],
      ["In progress", running.flatMap(namedItems)],
      ["In review", ledger.reviews.flatMap(namedItems)],
      ["Waiting", this.waitingIn(books).slice(0, 50)],
    ];
    for (const [title, items] of shown) {
      const missing = items.filter((it) => sections.get(title)?.includes(it) !== true);
      if (missing.length > 0) this.wrong.push(`not shown under ${title}: ${missing.join(", ")}`);
    }
    for (const entry of undecided) {
      const id = entryId(entry);
      const box = `<!-- again:${Buffer.from(id).toString("base64url")} -->`;
      if (!body.includes(box)) this.wrong.push(`no box for ${id}`);
    }
  }
}

/** Those that a dashboard names: of many changes, the first. */
function namedItems({ changes }: { changes: readonly Change[] }): string[] {
  return itemsOf({ changes: changes.slice(0, 10) });
}

/** Whether a run fails because so much has failed in a row that nothing more is handed over. */
function hasFoundFailures({ errorKind, outputs }: Ran): boolean {
  const isKind = errorKind === "job-failed" || errorKind === "bad-request";
  return isKind && (outputs.errorMessage ?? "").includes("so nothing more is handed over");
}

function doublesIn(items: readonly string[]): string[] {
  return items.filter((item, at) => items.indexOf(item) !== at);
}

function isBusy(outputs: Record<string, string>): boolean {
  const counts = ["changeCount", "finishedCount", "startedCount", "runningCount"];
  return counts.some((name) => Number(outputs[name] ?? 0) > 0);
}
