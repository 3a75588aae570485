import type { Dashboard, Failed, Thread } from "../model/issue-answers.ts";
import type { LedgerState } from "../model/read-ledger.ts";
import type { Batch, Change, Checkpoint, Claim, Handed, LedgerRecord } from "../model/record.ts";

/** What the service said of a batch's job. `running` also if it could not be asked. */
export type Polled =
  | { state: "running" }
  | { state: "done"; prLink: string | null }
  | { state: "failed"; reason: string };

/** A batch to be. */
export interface Proposal<C extends Change> {
  handed: Handed<C>[];
  cursors: Record<string, string>;
}

/** What to do next, as the action decides from the ledger and what it finds in the sources. */
export type Choice<C extends Change> =
  /** Sources without a cursor begin here. Asked again afterwards. */
  | { type: "begin"; cursors: Record<string, string> }
  | { type: "hand-over"; batches: Proposal<C>[] }
  /**
   * `changed`: the dashboard has something new to show. `moved`: cursors that go on over changes which
   * do not count.
   */
  | { type: "nothing"; changed: boolean; moved: Record<string, string> };

/** What became of the request for a batch. */
export type SendResult =
  | { type: "accepted"; jobId: string }
  /** Refused for what it holds: a person decides; the next batch of the claim is sent. */
  | { type: "rejected"; why: string }
  /** Nothing was started, and the other batches of the claim are not sent either. */
  | { type: "refused"; why: string }
  /** The service may have received it. */
  | { type: "uncertain"; why: string };

/** What the post step needs to finish the claim of a run that was killed. */
export interface ClaimMemory<C extends Change> {
  claim: Claim<C>;
  commentId: number;
  /** From when on the thread is to be read. */
  since: number | null;
  /** The batch whose request is on its way or was, if its end is not in the claim. */
  sending: number | null;
}

/** Everything a run asks of GitHub, the service and the action: what it gives, and what comes back. */
export interface Exchanges<C extends Change> {
  "read-dashboard": { give: object; take: Dashboard<C> | Failed };
  /** Comments written at `since` or later, in all pages; null: all comments. */
  "read-thread": { give: { since: number | null }; take: Thread<C> | Failed };
  poll: { give: { batch: Batch<C> }; take: Polled };
  choose: { give: { state: LedgerState<C>; ticked: string[] }; take: Choice<C> };
  /** A new comment. Never sent again by itself. */
  post: { give: { record: LedgerRecord<C> }; take: { commentId: number } | Failed };
  /** `refused` also if the comment is gone. */
  edit: { give: { commentId: number; claim: Claim<C> }; take: { ok: true } | Failed };
  /** The body, derived from the ledger; boxes that are ticked stay so. */
  "write-dashboard": {
    give: { state: LedgerState<C>; checkpoint: Checkpoint<C>; ticked: string[] };
    take: { ok: true } | Failed;
  };
  /** For the post step; null: nothing is left to do for it. */
  remember: { give: { memory: ClaimMemory<C> | null }; take: { ok: true } };
  send: { give: { claim: Claim<C>; batch: Batch<C> }; take: SendResult };
}

export type EffectType = keyof Exchanges<Change>;

/** One thing to do. */
export type Effect<C extends Change, T extends EffectType = EffectType> = {
  [K in T]: { type: K } & Exchanges<C>[K]["give"];
}[T];

export type AnswerTo<C extends Change, T extends EffectType> = Exchanges<C>[T]["take"];

/** A part of a run: gives effects of some types, takes their answers, ends with a result. */
export type Steps<C extends Change, R, T extends EffectType = EffectType> = Generator<
  Effect<C, T>,
  R,
  unknown
>;

/** Gives one effect and takes its answer. */
export function* ask<C extends Change, T extends EffectType>(
  effect: Effect<C, T>,
): Steps<C, AnswerTo<C, T>, T> {
  // Whoever drives the run answers each effect by its type: see `LedgerPort`.
  return (yield effect) as AnswerTo<C, T>;
}

/** Does what a run asks for. */
export type LedgerPort<C extends Change> = {
  [T in EffectType]: (effect: Effect<C, T>) => Promise<AnswerTo<C, T>>;
};

/** Drives a run to its end, with a port that does what the run may ask for. */
export async function drive<C extends Change, R, T extends EffectType>(
  steps: Steps<C, R, T>,
  port: Pick<LedgerPort<C>, T>,
): Promise<R> {
  let step = steps.next();
  while (!step.done) {
    const perform = port[step.value.type] as (effect: Effect<C, T>) => Promise<unknown>;
    step = steps.next(await perform(step.value));
  }
  return step.value;
}
