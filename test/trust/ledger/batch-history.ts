import type { Plan } from "../../../emulator/local-world/memory-servers.ts";
import type { Turn } from "../../../emulator/service/agent/job.ts";
import { readMark } from "../../../src/batches/dashboard/render.ts";
import { entryId } from "../../../src/batches/model/decisions.ts";
import type { Batch, Change } from "../../../src/batches/model/ledger.ts";
import { ledgersOf } from "../../support/ledgers-of.ts";
import {
  type Books,
  heldIn,
  itemsOf,
  LedgerWorld,
  type WorldEvent,
} from "../../support/memory-world/ledger-world.ts";
import type { ActionInMemory, Ran } from "../../support/memory-world/runs.ts";
import type { Run } from "./events.ts";
import { History, type Step } from "./history.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
/** How often a change is handed over by itself. */
const MOST_ATTEMPTS = 3;
/** Most runs until nothing is left to do: a job may take 60 days, and there is a run a day. */
const MOST_RUNS = 90;

/**
 * A ledger of batches, its dashboard, and the runs that hand over what they hold.
 *
 * @typeParam E what happens to what is handed over
 */
export abstract class BatchHistory<E extends { kind: string }> extends History<E, LedgerWorld> {
  /** Time passed while a run was between two requests. */
  #hasSlept = false;
  /** Jobs and links of the docs pull requests that were ever closed without merging. */
  readonly #closed = new Set<string>();

  /** @param plans what comes of each request that the service accepts, over and over */
  constructor(plans: readonly Plan[], seed: number) {
    super(new LedgerWorld(plans), seed);
  }

  protected abstract actionOf(run: Run<E>): ActionInMemory;
  /** Lets an event happen to what is handed over. */
  protected abstract applyOwn(event: E): void;
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

  /** First by itself, and then as people decide. */
  async settle(): Promise<void> {
    const { world } = this;
    const runUntilQuiet = () => this.runUntilQuiet(MOST_RUNS, () => this.#runQuietly());
    await runUntilQuiet();
    for (const what of ["again", "leave"] as const) {
      const { batches = [] } = world.books()?.ledger ?? {};
      for (const _ of batches) world.tick(what, 0);
      if (batches.length > 0) await runUntilQuiet();
    }
    const { batches = [], waiting = [] } = world.books()?.ledger ?? {};
    if (this.wrong.length === 0 && batches.length + waiting.length > 0)
      this.wrong.push("in the end, something is left to do");
  }

  protected override apply(event: E | WorldEvent): void {
    if (!this.world.apply(event)) this.applyOwn(event as E);
  }

  /** A run after a day. @returns whether nothing was left to do */
  async #runQuietly(): Promise<boolean> {
    const { world } = this;
    world.relieve();
    world.servers.now += DAY + HOUR;
    await this.happen({ kind: "run", run: {} });
    world.restore(this.last?.outputs.errorMessage ?? "");
    const { result = "", ...outputs } = this.last?.outputs ?? {};
    if (this.last !== null) this.relieve(this.last);
    // A person looks at what failed in a row, and goes on.
    if ((world.books()?.ledger.failures.halt ?? null) !== null) world.tick("go-on", 0);
    return ["idle", "finished"].includes(result) && !isBusy(outputs);
  }

  protected override begin(run: Run<E>): Step {
    const { world } = this;
    const { inputs = {}, isByEdit } = run;
    world.atWork += 1;
    const before = this.servers.agent.accepted.length;
    const isHalted = (world.books()?.ledger.failures.halt ?? null) !== null;
    const isAnswered = world.dashboard()?.body?.includes("[x] <!-- go-on") === true;
    const isHeld = isHalted && !isAnswered;
    const isIdle = isHeld || inputs["dry-run"] === "true" || world.dashboard()?.state === "closed";
    const action = this.actionOf(run);
    return {
      action: {
        ...action,
        context: { ...action.context, ...(isByEdit ? this.#editEvent() : {}) },
        inputs: { ...action.inputs, "api-key": world.key, ...inputs },
      },
      onRequest: (_, events) => {
        this.#hasSlept ||= events.some(({ kind }) => kind === "pass");
      },
      resultOf: ({ outputs: { result = "", dashboardUrl } }) => `${result}, ${dashboardUrl}`,
      mayFail: (ran) => isByEdit === true || inputs.wait !== undefined || this.#isExplained(ran),
      check: ({ errorKind, outputs: { result } }, isDisturbed) => {
        world.atWork -= 1;
        if ((run.faults ?? []).length > 0) world.loseGuard();
        if (isDisturbed || isByEdit) return;
        const sent = this.servers.agent.accepted.length - before;
        if (isIdle && sent > 0) {
          this.wrong.push(`a run that must not send anything does (${result})`);
        }
        if (!isIdle && errorKind === "") this.#checkDashboard();
      },
    };
  }

  /** Whether a run failed because the ledger was set back, or so much has failed that nothing more is handed over. */
  #isExplained(ran: Ran): boolean {
    return (ran.errorKind === "invalid-input" && this.world.isSetBack()) || hasFoundFailures(ran);
  }

  #editEvent() {
    const issue = { number: this.world.dashboard()?.number ?? 0, title: "", body: "" };
    const sender = { login: "writer", type: "User" };
    return { eventName: "issues", payload: { action: "edited", issue, sender } };
  }

  /** What all of it comes to, as far as the service knows. */
  #turns(): { job: string; nth: number; turn: Turn; items: string[] }[] {
    return this.servers.agent.service.state.jobs.flatMap(({ id, turns }) =>
      turns.map((turn, nth) => ({ job: id, nth, turn, items: this.itemsIn(turn.prompt) })),
    );
  }

  protected override check(): void {
    const { world } = this;
    world.check();
    this.#noteClosed();
    const books = world.books();
    if (books === null) return;
    const { ledger, lines } = books;
    const held = new Set(heldIn(books).flatMap(({ items }) => items));
    const waiting = ledger.waiting.flatMap(itemsOf);
    const ended = lines.filter(({ state }) => state === "done" || state === "left");
    // What was in a docs pull request that was closed may be decided once more.
    const atAnEnd = ended.filter(({ prLink, jobId }) => !this.#closed.has(prLink ?? jobId ?? ""));
    const places = [...waiting, ...[...ledger.batches, ...atAnEnd].flatMap(itemsOf)];
    for (const item of doublesIn(places)) this.wrong.push(`${item} is in two places of the ledger`);
    this.wrong.push(...this.checkBooks(books));
    if (world.isDropped) return;
    const turns = this.#turns();
    const sent = new Set(turns.flatMap(({ items }) => items));
    for (const item of sent) {
      const times = turns.filter(({ items }) => items.includes(item));
      const back = times.filter((it) => this.#cameBack(it)).length;
      const again = [...world.again.values()].filter((it) => it.includes(item)).length;
      const anew = world.anew.filter((it) => it === item).length;
      const lost = world.lost.filter((it) => it === item).length;
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
      const isKnown = held.has(item) || world.lost.includes(item);
      if (!isKnown)
        this.wrong.push(`${item} may have been received, and the ledger does not say so`);
    }
    const { requests, within } = this.limit;
    const times =
      world.lost.length > 0 || this.#hasSlept ? [] : turns.map(({ turn }) => turn.startedAt);
    for (const at of times) {
      const count = times.filter((it) => it >= at && it < at + within).length;
      if (count > requests) this.wrong.push(`${count} requests were accepted in ${within} ms`);
    }
  }

  #noteClosed(): void {
    const { pulls, service } = this.servers.agent;
    const closed = pulls.filter(({ state, mergedAt }) => state === "closed" && mergedAt === null);
    for (const { id, branch, prLink } of service.state.jobs) {
      if (!closed.some((pull) => pull.branch === branch)) continue;
      this.#closed.add(id);
      if (prLink !== null) this.#closed.add(prLink);
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

  #needsDecision(batch: Batch): boolean {
    if (batch.state !== "running") return batch.state !== "intended";
    return this.servers.now - Date.parse(batch.job.acceptedAt) > DAY;
  }

  /** The dashboard says what the ledger holds, as far as there is room. */
  #checkDashboard(): void {
    const { world } = this;
    const books = world.books();
    const dashboard = world.dashboard();
    if (books === null || dashboard === undefined) return;
    const { ledger } = books;
    const body = dashboard.body ?? "";
    const sha = ledgersOf(world.home)[0]?.sha;
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
