/** What a run does after it has handed over: it comments on merged pull requests, and opens the dashboard. */

import type { Revision } from "../ledger/file.ts";
import type {
  ActKey,
  BasicResult,
  Done,
  Moment,
  Plan,
  Program,
  Progress,
  Reading,
} from "../ledger/program.ts";
import type { Head } from "../ledger/store.ts";
import { expireBatches, onTop } from "./batch-program.ts";
import { type Opened, recordOpened } from "./dashboard-issue.ts";
import { type Polled, takePoll } from "./model/batches.ts";
import {
  type CommentResult,
  claimComments,
  expireClaims,
  recordComment,
} from "./model/comments.ts";
import type { Ledger, PendingComment } from "./model/ledger.ts";
import { type BatchRules, revisionOf } from "./model/revision.ts";

/** Maximum number of comments per run. */
const MOST_COMMENTS = 20;

/** `id`: of its claim. */
interface Comment extends ActKey {
  readonly type: "comment";
  readonly pendingComment: PendingComment;
}

/** `id`: the name of the run that claimed it. */
interface OpenDashboard extends ActKey {
  readonly type: "open dashboard";
}

export type ClosingResult =
  | Opened
  | CommentResult
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
  /** Comments on a merged pull request. */
  comment(pendingComment: PendingComment): Promise<CommentResult>;
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

  decide(from: Revision<Ledger>, _facts: null, { now, name }: Moment): Plan<ClosingTerms> {
    const { runName, rules } = this.#parts;
    const begun = revisionOf(from.ledger, now, rules);
    const nameOf = (nth: number) => `${name}.comment.${nth}`;
    const { revision, claimed } = claimComments(begun, MOST_COMMENTS, nameOf);
    const comments = claimed.map(
      ({ id, ...pendingComment }): Comment => ({ type: "comment", id, pendingComment }),
    );
    const { dashboard } = from.ledger;
    const isClaimed = dashboard.type === "claimed" && dashboard.by === runName;
    const opening: OpenDashboard[] = isClaimed ? [{ type: "open dashboard", id: runName }] : [];
    return { ...onTop(from, revision), acts: [...comments, ...opening], notes: null };
  }

  async perform(
    act: Comment | OpenDashboard,
    { head }: Progress<ClosingTerms>,
  ): Promise<ClosingResult> {
    if (act.type === "open dashboard") return await this.#parts.openDashboard(head);
    return await this.#parts.comment(act.pendingComment);
  }

  record(from: Revision<Ledger>, act: ActKey, result: ClosingResult | BasicResult, now: number) {
    return recordClosing(from, act, result, now, this.#parts.rules);
  }

  expire(from: Revision<Ledger>, isDead: (writtenAt: string) => boolean): Revision<Ledger> {
    const { rules } = this.#parts;
    const expired = expireBatches(from, isDead, rules);
    return onTop(expired, expireClaims(revisionOf(expired.ledger, 0, rules), isDead));
  }

  /** The claim of the dashboard is an earlier write's. */
  holds({ pendingComments }: Ledger, { id }: ActKey): boolean {
    return pendingComments.some(({ claim }) => claim?.id === id);
  }

  /** After GitHub has set a limit, no more comments are written. */
  goesOn(act: Comment | OpenDashboard, done: readonly Done<ClosingTerms>[]): boolean {
    return act.type !== "comment" || done.every(({ result }) => result.type !== "limited");
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
    case "opened":
    case "denied":
      return onTop(from, recordOpened(revision, id, result));
    case "polled":
      return onTop(from, takePoll(revision, id, result.polled));
    case "settled":
    case "not allowed":
    case "not settled":
    case "limited":
      return onTop(from, recordComment(revision, id, result, eventAfter(from)));
    case "withdrawn":
    case "uncertain": {
      if (type === "open dashboard") return onTop(from, recordOpened(revision, id, result));
      return onTop(from, recordComment(revision, id, result, eventAfter(from)));
    }
  }
}

/** Several comments are one event. */
function eventAfter({ events }: Revision<Ledger>): string | null {
  return events.includes(COMMENTED) ? null : COMMENTED;
}

const COMMENTED = "Comment on pull requests";
