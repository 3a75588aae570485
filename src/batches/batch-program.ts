/**
 * The program of upkeep and the queue: what a run of either does, and what the ledger records of it. What is planned is
 * each action's own; see src/upkeep/plan.ts and src/queue/plan.ts.
 */

import type { Revision } from "../ledger/file.ts";
import type { ActKey, Done, Program } from "../ledger/program.ts";
import type { Head } from "../ledger/store.ts";
import { type Delivery, type NotSent, notSent } from "../runtime/delivery.ts";
import { ActionError, valueOrError } from "../runtime/errors.ts";
import type { AnyReason } from "../runtime/reason.ts";
import type { Job } from "../service/agent.ts";
import type { BatchReads } from "./batch-reads.ts";
import { giveClaimBack, recordOpened } from "./dashboard-issue.ts";
import { expireIntended, recordRequest, type StartedJob } from "./model/batches.ts";
import { expireClaims, recordComment } from "./model/comments.ts";
import type { Change, Draft, Ledger, PendingComment } from "./model/ledger.ts";
import { type BatchRevision, type BatchRules, revisionOf } from "./model/revision.ts";
import type { LedgerAddress } from "./settings.ts";

/** Hands changes or tasks to a job. `id`: of the batch. */
export type HandOver = {
  readonly id: string;
  readonly changes: readonly Change[];
  readonly prompt: string;
} & (
  | { readonly type: "start" }
  /** To a job that exists. If it accepts none, nothing was started, and the prompt starts a new one. */
  | { readonly type: "follow-up"; readonly jobId: string }
);

export type BatchAct =
  | HandOver
  /** Comments on a merged pull request. `id`: of its claim. */
  | { readonly type: "comment"; readonly id: string; readonly pending: PendingComment }
  /** `id`: the name of the run that claimed it. */
  | { readonly type: "open-dashboard"; readonly id: string };

/** What an accepted delivery says; null of a comment. Plain data, without secrets. */
export type BatchValue = StartedJob | { readonly number: number } | null;

/** A request that started or continued a job. */
export function startedBy(delivery: Delivery<Job>, isFollowUp: boolean): Delivery<StartedJob> {
  if (delivery.type !== "accepted") return delivery;
  return { type: "accepted", value: { job: delivery.value, isFollowUp } };
}

/** The job that a request started or continued; null for none. */
export function startedIn(delivery: Delivery<BatchValue> | null): StartedJob | null {
  if (delivery?.type !== "accepted" || delivery.value === null) return null;
  return "job" in delivery.value ? delivery.value : null;
}

/** Whether the service refused what was handed over, and would take something else. */
export function isRefusedContent(
  delivery: Delivery<BatchValue>,
): delivery is Extract<Delivery<never>, { readonly type: "refused" }> {
  return delivery.type === "refused" && delivery.by === "content";
}

/** The types of the program. `R`: what a plan may ask. */
export interface BatchTerms<R = BatchReads> {
  ledger: Ledger;
  reads: R;
  act: BatchAct;
  value: BatchValue;
}

/** What an action does. */
export interface BatchPerformer<R> {
  reads(): R;
  /**
   * Decides on a hand-over again.
   *
   * @param reads fresh ones
   * @returns what has changed; null if it is still to be sent
   */
  confirm(act: HandOver, head: Head<Ledger>, reads: R): Promise<AnyReason | null>;
  deliver(act: HandOver): Promise<Delivery<StartedJob>>;
  /** Whether a hand-over is still begun after those before it. */
  shouldHandOver(act: HandOver, deliveries: readonly Delivery<BatchValue>[]): boolean;
  comment(pending: PendingComment): Promise<Delivery<null>>;
  openDashboard(head: Head<Ledger>): Promise<Delivery<{ readonly number: number }>>;
}

/** The advice of a run that could not decide again right before a request. Others may have been sent before. */
const UNSENT = "What was not sent waits for the next run.";

export class BatchProgram<R extends BatchReads> implements Program<BatchTerms<R>> {
  readonly #address: LedgerAddress;
  readonly #performer: BatchPerformer<R>;

  constructor(address: LedgerAddress, performer: BatchPerformer<R>) {
    this.#address = address;
    this.#performer = performer;
  }

  reads(): R {
    return this.#performer.reads();
  }

  async confirm(act: HandOver, head: Head<Ledger>, reads: R): Promise<NotSent | null> {
    const changed = await valueOrError(this.#performer.confirm(act, head, reads), ActionError);
    if (changed instanceof ActionError) {
      const { kind, problem } = changed;
      return notSent("unreached", { kind, problem, advice: UNSENT });
    }
    return changed === null ? null : notSent("changed");
  }

  async perform(
    act: BatchAct,
    { head }: { readonly head: Head<Ledger> },
  ): Promise<Delivery<BatchValue>> {
    switch (act.type) {
      case "start":
      case "follow-up":
        return await this.#performer.deliver(act);
      case "comment":
        return await this.#performer.comment(act.pending);
      case "open-dashboard":
        return await this.#performer.openDashboard(head);
    }
  }

  record(from: Revision<Ledger>, act: ActKey, delivery: Delivery<BatchValue>, now: number) {
    return recordBatchAct(from, act, delivery, now, this.#address);
  }

  expire(from: Revision<Ledger>, isDead: (writtenAt: string) => boolean): Revision<Ledger> {
    const { rules } = this.#address;
    const expired = expireBatches(from, isDead, rules);
    return onTop(expired, expireClaims(revisionOf(expired.ledger, 0, rules), isDead));
  }

  /** The claim of the dashboard is an earlier write's. */
  hasIntent({ batches, pendingComments }: Ledger, act: ActKey): boolean {
    return isIntended(batches, act) || pendingComments.some(({ claim }) => claim?.id === act.id);
  }

  /** After GitHub has set a limit, no more comments are written. */
  shouldRun(act: BatchAct, done: readonly Done<BatchTerms<R>>[]): boolean {
    const deliveries = done.map(({ delivery }) => delivery);
    switch (act.type) {
      case "start":
      case "follow-up":
        return this.#performer.shouldHandOver(act, deliveries);
      case "comment":
        return deliveries.every(({ type }) => type !== "limited");
      case "open-dashboard":
        return true;
    }
  }
}

/** Records what became of an act, in the main step and in the post step. */
export function recordBatchAct(
  from: Revision<Ledger>,
  { type, id }: ActKey,
  delivery: Delivery<BatchValue>,
  now: number,
  { rules, runName }: LedgerAddress,
): Revision<Ledger> {
  const revision = revisionOf(from.ledger, now, rules);
  if (type === "comment") {
    return onTop(from, recordComment(revision, id, delivery, eventAfter(from)));
  }
  if (delivery.type === "accepted") {
    const { value } = delivery;
    if (value === null) return from;
    const recorded =
      "job" in value
        ? recordRequest(revision, id, { type: "accepted", value })
        : recordOpened(revision, id, { type: "accepted", value });
    return onTop(from, recorded);
  }
  if (type === "open-dashboard") return onTop(from, recordOpened(revision, id, delivery));
  const recorded = recordRequest(revision, id, delivery);
  const isKeyRefused = delivery.type === "refused" && delivery.by === "key";
  // No dashboard is opened for a key or a project that may be wrong.
  return onTop(from, isKeyRefused ? giveClaimBack(recorded, runName) : recorded);
}

/** Several comments are one event. */
function eventAfter({ events }: Revision<Ledger>): string | null {
  return events.includes(COMMENTED) ? null : COMMENTED;
}

const COMMENTED = "Comment on pull requests";

/** What a later revision adds, on top of an earlier one. */
export function onTop(earlier: Revision<Ledger>, later: BatchRevision): Revision<Ledger> {
  return {
    ledger: later.ledger,
    events: [...earlier.events, ...later.events],
    history: [...earlier.history, ...later.history],
  };
}

export function expireBatches(
  from: Revision<Ledger>,
  isDead: (writtenAt: string) => boolean,
  rules: BatchRules,
): Revision<Ledger> {
  return onTop(from, expireIntended(revisionOf(from.ledger, 0, rules), isDead));
}

/** Whether the request of a batch or draft is about to be sent. */
export function isIntended(batches: readonly Draft[], { id }: ActKey): boolean {
  return batches.some((batch) => batch.id === id && batch.state === "intended");
}
