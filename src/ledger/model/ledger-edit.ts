import { DAY, MINUTE } from "../../runtime/clock.ts";
import { FileEdit } from "./file.ts";
import type { Batch, Change, Done, Group, HistoryLine, Ledger } from "./ledger.ts";
import { BY_AGENT, endedMark, MOST_NAMED, without } from "./names.ts";

/**
 * How long an intent may belong to an active run, in milliseconds of GitHub's clock. A run sends nothing after half of
 * this time.
 */
export const INTENT_LIFETIME = 10 * MINUTE;

/** How many entries the ledger keeps for the dashboard; `history/` has all of them. */
const MOST_DONE = 50;
const MOST_PASSED_OVER = 20;
/** Pull requests and branches of the agent: far more than are open at any time. */
const MOST_AGENT = 200;
/** How many days of counts are kept for the coverage of 30 days. */
const COUNTED_DAYS = 31;

/** The inputs that decide about a batch. */
export interface BatchRules {
  maxAttempts: number;
  /** How long a running batch holds others up, in milliseconds. */
  deadline: number;
  /** Whether merged pull requests get a comment about their docs pull request. */
  comments: boolean;
}

/** A ledger of batches, and what a run changes in it. */
export class LedgerEdit extends FileEdit<Ledger, HistoryLine> {
  readonly rules: BatchRules;
  /** What this run adds to the finished batches. */
  readonly newlyDone: Done[] = [];

  /** Applies the passing of time. To drop old entries alone needs no write. */
  constructor(ledger: Ledger, now: number, rules: BatchRules) {
    const first = new Date(now - COUNTED_DAYS * DAY).toISOString().slice(0, 10);
    const days = Object.entries(ledger.days).filter(([day]) => day >= first);
    const starts = ledger.starts.filter(({ at }) => now - Date.parse(at) < DAY);
    super({ ...ledger, starts, days: Object.fromEntries(days) }, now);
    this.rules = rules;
    const why = "The run ended before it could record the service's answer";
    for (const batch of [...this.ledger.batches, ...this.ledger.drafts]) {
      const isDead = batch.state === "intended" && this.age(batch.at) >= INTENT_LIFETIME;
      if (isDead) Object.assign(batch, { state: "uncertain", why });
    }
  }

  /** Milliseconds since a time in the ledger. */
  age(time: string): number {
    return this.now - (Date.parse(time) || 0);
  }

  /** A batch or a draft. */
  batch(id: string): Batch | undefined {
    const { batches, drafts } = this.ledger;
    return [...batches, ...drafts].find((batch) => batch.id === id);
  }

  /** Removes a batch or a draft. */
  remove(id: string): void {
    const { batches, drafts } = this.ledger;
    this.ledger.batches = batches.filter((batch) => batch.id !== id);
    this.ledger.drafts = drafts.filter((draft) => draft.id !== id);
  }

  isDraft(batch: Batch): boolean {
    return this.ledger.drafts.includes(batch);
  }

  /** Batches that other changes have to wait for. */
  get active(): Batch[] {
    return this.ledger.batches.filter((batch) => !this.needsDecision(batch));
  }

  /** Batches that wait for a person. */
  get undecided(): Batch[] {
    return this.ledger.batches.filter((batch) => this.needsDecision(batch));
  }

  /** Whether a person has to decide on a batch. */
  needsDecision({ state, acceptedAt }: Batch): boolean {
    const isOverdue = state === "running" && this.age(acceptedAt ?? "") > this.rules.deadline;
    return isOverdue || state === "uncertain" || state === "failed";
  }

  /** The number of requests that were, or may have been, sent in the last milliseconds. */
  startsWithin(milliseconds: number): number {
    return this.ledger.starts.filter(({ at }) => this.age(at) < milliseconds).length;
  }

  /** Removes a finished batch from the open ones. */
  endBatch(batch: Batch, state: HistoryLine["state"]): void {
    const { id, jobId, prLink, attempt, changes } = batch;
    this.remove(id);
    this.history.push({ batch: id, at: this.time, state, jobId, prLink, attempt, changes });
    if (this.ledger.action !== "queue" || (state !== "done" && state !== "left")) return;
    // The key of a task for several files is their paths. Each file is finished, however the files are grouped later.
    const marks = changes.flatMap(({ key }) => key.split("\n").map(endedMark));
    this.ledger.ended = [...new Set([...this.ledger.ended, ...marks])];
  }

  /** Marks waiting changes as released. */
  release(isMeant: (group: Group) => boolean): void {
    for (const group of this.ledger.waiting) group.isReleased ||= isMeant(group);
  }

  /** Puts changes back into the queue, ahead of those that were never handed over. */
  putBack(groups: readonly Pick<Group, "changes" | "attempts" | "followUp">[]): void {
    const back = groups.map((group) => ({ ...group, source: "", isReleased: true }));
    this.ledger.waiting.unshift(...back);
  }

  /** Records changes that are finished. */
  addDone(result: Done["result"], prLink: string | null, changes: readonly Change[]): void {
    const { days, done } = this.ledger;
    const field = result === "merged" || result === "none" ? "documented" : "not";
    for (const change of changes) {
      if (change.kind !== "change") continue;
      const day = change.landedAt.slice(0, 10);
      days[day] ??= { documented: 0, not: 0 };
      days[day][field] += 1;
    }
    const more = Math.max(0, changes.length - MOST_NAMED);
    const entry = { result, prLink, changes: changes.slice(0, MOST_NAMED), more };
    this.newlyDone.push(entry);
    this.ledger.done = [entry, ...done].slice(0, MOST_DONE);
  }

  /** Records a pull request and a branch as the agent's. If it was merged and waits as a change, it is passed over. */
  noteAgent(prLink: string | null, branch: string | null): void {
    const { waiting, agent } = this.ledger;
    const changes = waiting.flatMap((group) => group.changes);
    const merged = changes.filter((change) => change.kind === "change");
    const own = merged.filter(({ url }) => url === prLink);
    this.passOver(own.map((change) => ({ change, why: BY_AGENT })));
    const add = (list: string[], item: string | null) =>
      item === null || list.includes(item) ? list : [...list, item].slice(-MOST_AGENT);
    agent.links = add(agent.links, prLink);
    agent.branches = add(agent.branches, branch);
  }

  /** Records changes that a filter excludes. */
  passOver(items: Ledger["passedOver"]): void {
    const keys = new Set(items.map(({ change }) => change.key));
    const older = this.ledger.passedOver.filter(({ change }) => !keys.has(change.key));
    this.ledger.waiting = without(this.ledger.waiting, keys);
    this.ledger.passedOver = [...items.toReversed(), ...older].slice(0, MOST_PASSED_OVER);
  }
}
