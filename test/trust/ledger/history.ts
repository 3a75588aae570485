import { ancestors, mergeBase } from "../../../emulator/github/git/graph.ts";
import { WORKFLOW } from "../../../emulator/github/people.ts";
import type { Repository } from "../../../emulator/github/repository.ts";
import { type Issue, isPull } from "../../../emulator/github/state.ts";
import type { Plan } from "../../../emulator/local-world/memory-servers.ts";
import type { Turn } from "../../../emulator/service/agent/job.ts";
import { type DashboardMark, readMark } from "../../../src/ledger/dashboard/boxes.ts";
import type { Batch, Change, HistoryLine, Ledger } from "../../../src/ledger/model/ledger.ts";
import { parseHistory } from "../../../src/ledger/model/ledger.ts";
import { recordKilledRun } from "../../../src/ledger/run/post-step.ts";
import { ledgerAt, ledgersOf } from "../../support/ledgers-of.ts";
import { FaultyServers } from "../../support/memory-world/faulty-servers.ts";
import {
  type ActionInMemory,
  chance,
  type Ran,
  runInMemory,
  Turns,
} from "../../support/memory-world/runs.ts";
import type { Event, Run, WorldEvent } from "./events.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** How often a change is handed over by itself. */
const MOST_ATTEMPTS = 3;
/** After so many requests that were accepted, jobs end well at once. */
const MOST_PLANNED = 40;
/** Most runs until nothing is left to do. */
const MOST_RUNS = 60;

/** A ledger as it is, and all that ever came to an end by it. */
export interface Books {
  ledger: Ledger;
  lines: HistoryLine[];
}

/**
 * What a person did to the ref: where it is now, and the mark that tells runs of it. Undefined `guard`:
 * nothing has to tell them.
 */
interface Dropped {
  to: string | null;
  guard: string | null;
}

/**
 * A ledger, its dashboard, its runs, and what happens to all of them. Checked after each step against what is
 * known of the world, and not of the action.
 *
 * @typeParam E what happens to what is handed over
 */
export abstract class History<E extends { kind: string }> {
  readonly servers: FaultyServers;
  /** Sentences: what was found wrong. */
  readonly wrong: string[] = [];
  /** What happened, for people to read. */
  readonly story: string[] = [];
  runs = 0;
  /** Whether lists of pull requests have ever been behind. */
  protected wasBehind = false;
  last: Ran | null = null;
  readonly #random: () => number;
  #keys = 0;
  /** Troubles that somebody is in. */
  readonly #troubles = new Set<string>();
  /** Time passed while a run was between two requests. */
  #hasSlept = false;
  #head: string | null = null;
  #dropped: Dropped | null = null;
  /** Items of the batches of a ledger that a person lost, and those of them that may be sent once more for that. */
  readonly #lost: string[] = [];
  readonly #anew: string[] = [];
  /** Items of what a person decided to hand over again, by batch. */
  readonly #again = new Map<string, string[]>();

  /** @param plans what comes of each request that the service accepts, over and over */
  constructor(plans: readonly Plan[], seed: number) {
    this.#random = chance(seed);
    let nth = -1;
    this.servers = new FaultyServers(() => {
      nth += 1;
      const plan = plans[nth % plans.length];
      return nth < MOST_PLANNED && plan !== undefined ? plan : { outcome: "completed", takes: 0 };
    });
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
  protected get restarts(): number {
    return 0;
  }
  protected close(): void {}
  /** Lets the world be such that everything can come to its end. */
  protected abstract relieve(ran: Ran): void;
  /** Most requests that may be accepted in a time. */
  protected abstract readonly limit: { requests: number; within: number };

  get home(): Repository {
    return this.servers.repository;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async happen(event: Event<E>): Promise<void> {
    const { servers } = this;
    servers.now += 1000;
    servers.catchUp();
    servers.agent.openDuePulls();
    this.story.push(JSON.stringify(event));
    if (event.kind === "run") await this.#run((event as { run: Run<E> }).run);
    else if (event.kind === "runs") {
      const { runs, order } = event as { runs: Run<E>[]; order: number[] };
      let nth = 0;
      const turns = new Turns(runs.length, () => order[nth++ % order.length] ?? 0);
      await Promise.all(runs.map((run) => this.#run(run, turns)));
    } else this.#apply(event as E | WorldEvent);
    this.#check();
  }

  /** Lets everything come to its end, undisturbed: by itself, and then as people decide. */
  async settle(): Promise<void> {
    await this.#runUntilQuiet();
    for (const what of ["again", "leave"] as const) {
      const { batches = [] } = this.#books()?.ledger ?? {};
      for (const _ of batches) this.#tick(what, 0);
      if (batches.length > 0) await this.#runUntilQuiet();
    }
    const { batches = [], waiting = [] } = this.#books()?.ledger ?? {};
    if (this.wrong.length === 0 && batches.length + waiting.length > 0)
      this.wrong.push("in the end, something is left to do");
  }

  async #runUntilQuiet(): Promise<void> {
    for (let run = 1, quiet = 0; quiet < 2 && this.wrong.length === 0; run++) {
      this.#relieve();
      this.servers.now += DAY + HOUR;
      await this.happen({ kind: "run", run: {} });
      this.#restore();
      const { result = "", ...outputs } = this.last?.outputs ?? {};
      const isQuiet = ["idle", "finished"].includes(result) && !isBusy(outputs);
      quiet = isQuiet ? quiet + 1 : 0;
      if (this.last !== null) this.relieve(this.last);
      if (run === MOST_RUNS) this.wrong.push(`not quiet after ${run} runs: ${result}`);
    }
  }

  async #run(run: Run<E>, turns?: Turns): Promise<void> {
    this.runs += 1;
    const { kill, post, faults = [], meanwhile = [], skew, inputs, isByEdit } = run;
    const before = this.servers.agent.accepted.length;
    const isClosed = this.#dashboard()?.state === "closed";
    const action = this.actionOf(run);
    const context = {
      ...{ repository: this.home.fullName, runId: String(this.runs), ...action.context },
      ...(isByEdit ? this.#editEvent() : {}),
    };
    const ran = await runInMemory(
      this.servers,
      { ...action, context, post: postStep },
      {
        random: chance(Math.floor(this.#random() * 2 ** 31)),
        ...(kill === undefined ? {} : { kill }),
        ...(post === undefined ? {} : { post }),
        ...(turns === undefined ? {} : { turns }),
        ...(skew === undefined ? {} : { skew: skew * MINUTE }),
        faults: new Map(faults.map((it) => [it.at, it.fault])),
        onRequest: (_, at) => {
          for (const it of meanwhile) if (it.at === at) this.#apply(it.event);
          this.#hasSlept ||= meanwhile.some(({ event }) => event.kind === "pass");
        },
        inputs: { "api-key": `mint_test_${this.#keys}`, ...inputs },
      },
    );
    this.last = ran;
    const { result = "", dashboardUrl } = ran.outputs;
    this.story.push(`  → ${ran.isKilled ? "killed" : ran.errorKind || result}, ${dashboardUrl}`);
    if (faults.length > 0 && this.#dropped !== null) this.#dropped.guard = null;
    if (ran.errorKind === "internal") this.#wrongRun(ran);
    if (turns !== undefined || kill || faults.length + meanwhile.length > 0) return;
    if (this.#troubles.size > 0 || isByEdit) return;
    const isExplained = ran.errorKind === "invalid-input" && this.#isSetBack();
    if (ran.errorKind !== "" && !isExplained && inputs?.wait === undefined) this.#wrongRun(ran);
    const sent = this.servers.agent.accepted.length - before;
    const isIdle = inputs?.["dry-run"] === "true" || isClosed;
    if (isIdle && sent > 0) this.wrong.push(`a run that must not send anything does (${result})`);
    if (!isIdle && ran.errorKind === "") this.#checkDashboard();
  }

  /** The dashboard knows of writes that the ledger lost by what a person did. */
  #isSetBack(): boolean {
    const mark = readMark(this.#dashboard()?.body ?? "");
    const sha = ledgersOf(this.home)[0]?.sha ?? "";
    return this.#dropped !== null || !ancestors(this.home.find, sha).has(mark?.sha ?? sha);
  }

  #wrongRun({ errorKind, log }: Ran): void {
    this.wrong.push(`a run ends as ${errorKind}:\n${log.join("\n")}`);
  }

  #editEvent() {
    const issue = { number: this.#dashboard()?.number ?? 0, title: "", body: "" };
    const sender = { login: "writer", type: "User" };
    return { eventName: "issues", payload: { action: "edited", issue, sender } };
  }

  /** What all of it comes to, as far as the service knows. */
  #turns(): { job: string; nth: number; turn: Turn; items: string[] }[] {
    return this.servers.agent.service.state.jobs.flatMap(({ id, turns }) =>
      turns.map((turn, nth) => ({ job: id, nth, turn, items: this.itemsIn(turn.prompt) })),
    );
  }

  /** @param sha default: where the ref is */
  #books(sha = ledgersOf(this.home)[0]?.sha): Books | null {
    if (sha === undefined || sha === "") return null;
    const { ledger, files } = ledgerAt(this.home, "", sha);
    const paths = Object.keys(files).filter((path) => path.startsWith("history/"));
    return { ledger, lines: paths.flatMap((path) => parseHistory(files[path] ?? "")) };
  }

  #check(): void {
    for (const what of this.servers.trespasses)
      this.wrong.push(`wrote what is not its own: ${what}`);
    this.#noteHead();
    const books = this.#books();
    if (books === null) return;
    const { ledger, lines } = books;
    const held = new Set(heldIn(books).flatMap(({ items }) => items));
    const waiting = ledger.waiting.flatMap(itemsOf);
    const ended = lines.filter(({ state }) => state === "done" || state === "left");
    const places = [...waiting, ...[...ledger.batches, ...ended].flatMap(itemsOf)];
    for (const item of doublesIn(places)) this.wrong.push(`${item} is in two places of the ledger`);
    this.wrong.push(...this.checkBooks(books));
    if (this.#dropped !== null) return;
    const turns = this.#turns();
    const sent = new Set(turns.flatMap(({ items }) => items));
    for (const item of sent) {
      const times = turns.filter(({ items }) => items.includes(item));
      const back = times.filter((it) => this.#cameBack(it)).length;
      const again = [...this.#again.values()].filter((it) => it.includes(item)).length;
      const anew = this.#anew.filter((it) => it === item).length;
      const lost = this.#lost.filter((it) => it === item).length;
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
      const isKnown = held.has(item) || this.#lost.includes(item);
      if (!isKnown)
        this.wrong.push(`${item} may have been received, and the ledger does not say so`);
    }
    const { requests, within } = this.limit;
    const times =
      this.#lost.length > 0 || this.#hasSlept ? [] : turns.map(({ turn }) => turn.startedAt);
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
      ({ outcome, steering }) => outcome?.status === "failed" || steering.forget === "over",
    );
    const pull = this.servers.agent.pulls.find(({ branch }) => branch === found?.branch);
    // A follow-up for a docs pull request that was merged or closed before the agent got to it.
    const isTooLate = nth > 0 && pull?.state === "closed";
    return isFailed || isTooLate || (this.servers.denied.get(job) ?? 0) > 1;
  }

  #needsDecision({ state, acceptedAt }: Batch): boolean {
    const isOverdue = this.servers.now - Date.parse(acceptedAt ?? "") > DAY;
    return state === "uncertain" || state === "failed" || (state === "running" && isOverdue);
  }

  /** The dashboard says what the ledger holds, as far as there is room. */
  #checkDashboard(): void {
    const books = this.#books();
    const dashboard = this.#dashboard();
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
    for (const { id } of undecided) {
      const box = `<!-- again:${Buffer.from(id).toString("base64url")} -->`;
      if (!body.includes(box)) this.wrong.push(`no box for ${id}`);
    }
  }

  /** Finds out whether a ledger that a person lost was restored where that could be known. */
  #noteHead(): void {
    const sha = ledgersOf(this.home)[0]?.sha ?? null;
    const dropped = this.#dropped;
    if (sha === null || sha === dropped?.to) return;
    const line = ancestors(this.home.find, sha);
    if (this.#head !== null && !line.has(this.#head)) {
      if (dropped === null) this.wrong.push("the ledger was set back by a run");
      const guard = dropped?.guard ?? null;
      if (guard !== null && !line.has(guard)) this.wrong.push(`the ledger at ${guard} is lost`);
      const kept = heldIn(this.#books(mergeBase(this.home.find, this.#head, sha)?.sha ?? ""));
      const known = new Set(kept.map(({ id }) => id));
      const lost = heldIn(this.#books(this.#head)).filter(({ id }) => !known.has(id));
      this.#lost.push(...lost.flatMap(({ items }) => items));
      // What failed may be sent again anyway.
      this.#anew.push(...lost.flatMap(({ items, isOver }) => (isOver ? [] : items)));
    }
    this.#head = sha;
    this.#dropped = null;
  }

  /** The issue that runs take for the dashboard. */
  #dashboard(ledger = this.#books()?.ledger): Issue | undefined {
    const { issues } = this.home;
    const ref = ledgersOf(this.home)[0]?.ref;
    const isThere = (it: Issue) => it.movedTo === undefined && !isPull(it);
    const isMarked = ({ body }: Issue) =>
      readMark(body ?? "")?.ref === (ref ?? readMark(body ?? "")?.ref) &&
      readMark(body ?? "") !== null;
    const known = issues.get(ledger?.dashboard.number ?? 0);
    const hasBoth = (it: Issue) => it.labels.length > 0 || isMarked(it);
    if (known !== undefined) return isThere(known) && hasBoth(known) ? known : undefined;
    const found = [...issues.values()].filter(
      (it) => isThere(it) && it.labels.length > 0 && it.author === WORKFLOW && isMarked(it),
    );
    return found.findLast(({ state }) => state === "open") ?? found.at(-1);
  }

  #apply(event: E | WorldEvent): void {
    const it = event as WorldEvent;
    switch (it.kind) {
      case "pass":
        this.servers.now += it.minutes * MINUTE;
        return;
      case "new key":
        this.#keys += 1;
        return;
      case "tick":
        this.#tick(it.what, it.box);
        return;
      case "dashboard":
        this.#touchDashboard(it.is);
        return;
      case "ref":
        this.#dropRef(it);
        return;
      case "stranger":
        this.#meetStranger(it.does);
        return;
      case "trouble":
        this.#trouble(it.is);
        return;
      case "relief":
        this.#relieve();
        return;
      case "rename":
        this.home.rename(`acme/code-${this.home.formerNames.length + 1}`);
        for (const project of this.servers.agent.service.state.projects) {
          Object.assign(project, { repository: this.home.fullName });
        }
        return;
      default:
        this.apply(event as E);
    }
  }

  #tick(what: "again" | "leave", box: number): void {
    const dashboard = this.#dashboard();
    const books = this.#books();
    if (dashboard === undefined || books === null) return;
    let nth = -1;
    const body = (dashboard.body ?? "").replaceAll(
      /- \[ \] <!-- (\w+):(\S+) -->/g,
      (all, is, id) => {
        nth += is === what ? 1 : 0;
        if (is !== what || nth !== box) return all;
        const name = Buffer.from(id, "base64url").toString("utf8");
        for (const batch of books.ledger.batches) {
          const isMeant = name.startsWith("all ") || batch.id === name;
          if (isMeant && what === "again") this.#again.set(batch.id, itemsOf(batch));
        }
        return all.replace("[ ]", "[x]");
      },
    );
    this.home.change(dashboard, { body });
  }

  #touchDashboard(is: Extract<WorldEvent, { kind: "dashboard" }>["is"]): void {
    const { home } = this;
    const dashboard = this.#dashboard();
    if (dashboard === undefined) return;
    if (this.#dropped !== null) this.#dropped.guard = null;
    switch (is) {
      case "closed":
        return home.setState(dashboard, "closed", "writer");
      case "reopened":
        return home.setState(dashboard, "open", "writer");
      case "deleted":
        return home.moveIssue(dashboard.number);
      case "transferred":
        return home.moveIssue(dashboard.number, this.servers.github.create("acme/elsewhere"));
      case "emptied":
        return home.change(dashboard, { body: "" });
      case "edited":
        return home.change(dashboard, { body: `A note.\n\n${dashboard.body}` });
      case "unlabelled":
        return home.change(dashboard, { labels: [] });
      case "locked":
        return home.lockIssue(dashboard.number);
    }
  }

  #dropRef({ is, by }: Extract<WorldEvent, { kind: "ref" }>): void {
    const [found] = ledgersOf(this.home);
    if (found === undefined) return;
    this.#noteHead();
    let to: string | null = null;
    if (is === "set back") {
      to = found.sha;
      for (let left = by; left > 0; left--) to = this.home.find(to)?.parents[0] ?? to;
      if (to === found.sha) return;
    } else if (is === "deleted and forgotten") this.home.forget(found.sha);
    this.home.setRef(found.ref, to);
    const mark: DashboardMark | null = readMark(this.#dashboard()?.body ?? "");
    const isKept = mark !== null && !this.home.gone.has(mark.sha) && this.#troubles.size === 0;
    this.#dropped = { to, guard: isKept ? mark.sha : null };
  }

  #meetStranger(does: Extract<WorldEvent, { kind: "stranger" }>["does"]): void {
    const dashboard = this.#dashboard();
    const body = dashboard?.body ?? "";
    if (does === "comments" && dashboard !== undefined) {
      this.home.comment(dashboard, body, "outsider");
    }
    if (does === "copies the dashboard") {
      this.home.openIssue({ title: "Docs upkeep", body, author: "outsider" });
    }
    if (does === "uses the label") {
      const labels = ["docs-upkeep", "docs-queue"];
      this.home.openIssue({ title: "Docs upkeep", body: "Mine", author: "triager", labels });
    }
  }

  #trouble(is: Extract<WorldEvent, { kind: "trouble" }>["is"]): void {
    const { servers } = this;
    if (this.#dropped !== null) this.#dropped.guard = null;
    this.#troubles.add(is);
    const [, status] = /^service (\d+)$/.exec(is) ?? [];
    if (status !== undefined) servers.refusal = Number(status);
    if (is === "no Issues") this.home.hasIssues = false;
    if (is === "protected refs") this.home.protectedRefs = "^refs/docs-agent/";
    if (is === "lists of pull requests that are behind") {
      this.wasBehind = true;
      servers.github.site.pullListBehind = 3 * HOUR;
    }
    if (is === "no issues: write") servers.github.restrict(WORKFLOW, { issues: "read" });
    if (is === "no contents: write") servers.github.restrict(WORKFLOW, { contents: "read" });
  }

  #relieve(): void {
    this.#troubles.clear();
    this.servers.refusal = null;
    this.home.hasIssues = true;
    this.home.protectedRefs = "";
    this.servers.github.restrict(WORKFLOW, {});
    this.servers.github.site.pullListBehind = 0;
  }

  /** What people do in the end: reopen the dashboard, and do what a message says. */
  #restore(): void {
    const dashboard = this.#dashboard();
    if (dashboard?.state === "closed") this.home.setState(dashboard, "open", "writer");
    const told = this.last?.outputs.errorMessage ?? "";
    const [, sha, ref] = /git push --force origin ([0-9a-f]{40}):(\S+)/.exec(told) ?? [];
    if (sha === undefined || ref === undefined) return;
    this.#dropped ??= { to: null, guard: null };
    if (!this.home.gone.has(sha)) this.home.setRef(ref, sha);
    else if (dashboard !== undefined) this.home.moveIssue(dashboard.number);
  }
}

const postStep: NonNullable<ActionInMemory["post"]> = async (saved, dependencies) => {
  await recordKilledRun(saved as never, "ghs_test", dependencies);
};

/** A task for several files is named by their paths, one a line. */
export function itemsOf({ changes }: { changes: readonly Change[] }): string[] {
  return changes.flatMap(({ key }) => key.split("\n"));
}

/** Batches that were handed over, or are about to be. `isOver`: their items are given back. */
function heldIn(books: Books | null): { id: string; items: string[]; isOver: boolean }[] {
  const open = (books?.ledger.batches ?? []).map((it) => ({
    id: it.id,
    items: itemsOf(it),
    isOver: false,
  }));
  const ended = (books?.lines ?? []).map((it) => ({
    ...{ id: it.batch, items: itemsOf(it), isOver: it.state === "failed" || it.state === "again" },
  }));
  return [...open, ...ended];
}

/** Those that a dashboard names: of many changes, the first. */
function namedItems({ changes }: { changes: readonly Change[] }): string[] {
  return itemsOf({ changes: changes.slice(0, 10) });
}

function doublesIn(items: readonly string[]): string[] {
  return items.filter((item, at) => items.indexOf(item) !== at);
}

function isBusy(outputs: Record<string, string>): boolean {
  const counts = ["changeCount", "finishedCount", "startedCount", "runningCount"];
  return counts.some((name) => Number(outputs[name] ?? 0) > 0);
}
