/** What a run does after it has handed over: it comments on merged pull requests, and opens the dashboard. */

import { type Polled, takePoll } from "../model/batches.ts";
import type { Revision } from "../model/file.ts";
import { withFields } from "../model/file.ts";
import type { Ledger, PendingComment } from "../model/ledger.ts";
import { type BatchRules, revisionOf } from "../model/revision.ts";
import type { ActKey, BasicResult, Plan, Program, Progress, Reading } from "../program.ts";
import type { Head } from "../store.ts";
import { expireBatches, onTop } from "./batch-program.ts";
import { type Opened, recordOpened } from "./dashboard-issue.ts";

/** Maximum number of comments per run. */
const MOST_COMMENTS = 20;

/** `id`: the key of the change. */
interface Comment extends ActKey {
  readonly type: "comment";
  readonly untold: PendingComment;
}

/** `id`: the name of the run that claimed it. */
interface OpenDashboard extends ActKey {
  readonly type: "open dashboard";
}

export type ClosingResult =
  | Opened
  /** The pull request needs no further attempt. */
  | { readonly type: "settled" }
  /** A later run tries again. */
  | { readonly type: "not settled" }
  /** What a run that waited found out. */
  | { readonly type: "polled"; readonly polled: Polled };

export interface ClosingTerms {
  ledger: Ledger;
  facts: null;
  stop: never;
  act: Comment | OpenDashboard;
  result: ClosingResult;
  notes: null;
}

interface ClosingParts {
  rules: BatchRules;
  runName: string;
  /** Comments on a merged pull request. @returns whether it needs no further attempt */
  comment(untold: PendingComment): Promise<boolean>;
  openDashboard(head: Head<Ledger>): Promise<Opened>;
}

export class ClosingProgram implements Program<ClosingTerms> {
  readonly #parts: ClosingParts;

  constructor(parts: ClosingParts) {
    this.#parts = parts;
  }

  async read(): Promise<Reading<ClosingTerms>> {
    return { type: "facts", facts: null };
  }

  decide(from: Revision<Ledger>): Plan<ClosingTerms> {
    const { dashboard, untold } = from.ledger;
    const { runName } = this.#parts;
    const comments = untold
      .slice(0, MOST_COMMENTS)
      .map((entry): Comment => ({ type: "comment", id: entry.change.key, untold: entry }));
    const isClaimed = dashboard.type === "claimed" && dashboard.by === runName;
    const opening: OpenDashboard[] = isClaimed ? [{ type: "open dashboard", id: runName }] : [];
    return { ...from, acts: [...comments, ...opening], notes: null };
  }

  async perform(
    act: Comment | OpenDashboard,
    { head }: Progress<ClosingTerms>,
  ): Promise<ClosingResult> {
    if (act.type === "open dashboard") return await this.#parts.openDashboard(head);
    const isSettled = await this.#parts.comment(act.untold);
    return { type: isSettled ? "settled" : "not settled" };
  }

  record(from: Revision<Ledger>, act: ActKey, result: ClosingResult | BasicResult, now: number) {
    return recordClosing(from, act, result, now, this.#parts.rules);
  }

  expire(from: Revision<Ledger>, isDead: (writtenAt: string) => boolean): Revision<Ledger> {
    return expireBatches(from, isDead, this.#parts.rules);
  }

  /** Its acts have no intents in the ledger: they find what they did before, and the claim is an earlier write's. */
  holds(): boolean {
    return false;
  }

  goesOn(): boolean {
    return true;
  }
}

export function recordClosing(
  from: Revision<Ledger>,
  { type, id }: ActKey,
  result: ClosingResult | BasicResult,
  now: number,
  rules: BatchRules,
): Revision<Ledger> {
  const revision = revisionOf(from.ledger, now, rules);
  switch (result.type) {
    case "settled": {
      const untold = revision.ledger.untold.filter(({ change }) => change.key !== id);
      if (untold.length === revision.ledger.untold.length) return from;
      const event = from.events.includes(COMMENTED) ? null : COMMENTED;
      return onTop(from, withFields(revision, { untold }, event));
    }
    case "not settled":
      return from;
    case "polled":
      return onTop(from, takePoll(revision, id, result.polled));
    default:
      return type === "open dashboard" ? onTop(from, recordOpened(revision, id, result)) : from;
  }
}

const COMMENTED = "Comment on pull requests";
