/** What a run decided and did, for its report. */

import type { Delivery } from "../runtime/delivery.ts";
import type { ActionError } from "../runtime/errors.ts";
import type { Fact } from "../runtime/fact.ts";
import type { EndedJob } from "../service/agent.ts";
import type { OwnNotes } from "./batch-plan.ts";
import { type BatchAct, type BatchValue, type HandOver, startedIn } from "./batch-program.ts";
import type { StartedJob } from "./model/batches.ts";
import type { Halt, HistoryLine, Ledger, Reviewed } from "./model/ledger.ts";
import type { Polled } from "./model/polls.ts";
import type { BatchRevision } from "./model/revision.ts";
import type { SharedReason } from "./reasons.ts";

/** What was handed over, with what became of it. In a dry run, what would be: then null. */
export interface Handed {
  readonly act: HandOver;
  readonly delivery: Delivery<BatchValue> | null;
}

/** What a run decided, and what came of it. */
export interface DecidedRun<N extends OwnNotes = OwnNotes> {
  readonly type: "decided";
  /** Whether it only shows what it would do. */
  readonly isDryRun: boolean;
  /** Why it handed over no more. */
  readonly reason: N["reason"] | SharedReason;
  readonly own: N;
  /** The ledger at the end of the run. */
  readonly revision: BatchRevision;
  readonly handed: readonly Handed[];
  /** What came of waiting for a job; null if the run did not wait. */
  readonly waited: {
    /** At its end; null if it has not ended. */
    readonly job: EndedJob | null;
    /** Why the step fails; null if it does not. */
    readonly error: ActionError | null;
  } | null;
  /** What polls said, by batch. */
  readonly polls: ReadonlyMap<string, Fact<Polled>>;
  /** Batches whose end this run found. */
  readonly finished: readonly HistoryLine[];
  /** Docs pull requests whose end it found. */
  readonly reviewed: readonly Reviewed[];
  /** Why nothing more is handed over until a person goes on; null if nothing holds it back. */
  readonly halted: { readonly halt: Halt; readonly isNew: boolean } | null;
}

/** What a run did. `ended`: it decided nothing. */
export type BatchOutcome<N extends OwnNotes = OwnNotes> = {
  /** Number of the dashboard's issue; null for none. */
  readonly dashboard: number | null;
  readonly warnings: readonly string[];
} & (DecidedRun<N> | { readonly type: "ended"; readonly reason: SharedReason });

export function isHandOver(act: BatchAct): act is HandOver {
  return act.type === "start" || act.type === "follow-up";
}

export function handedIn(
  done: readonly { readonly act: BatchAct; readonly delivery: Delivery<BatchValue> }[],
): Handed[] {
  return done.flatMap(({ act, delivery }) => (isHandOver(act) ? [{ act, delivery }] : []));
}

/** The job that accepted a batch; null for none. */
export function acceptedIn(handed: readonly Handed[]): { batch: string; value: StartedJob } | null {
  for (const { act, delivery } of handed) {
    const value = startedIn(delivery);
    if (value !== null) return { batch: act.id, value };
  }
  return null;
}

export function isEnd({ state }: HistoryLine): boolean {
  return state === "done" || state === "failed" || state === "late";
}

export function haltedIn({ failures: { halt } }: Ledger, wasHalted: boolean): DecidedRun["halted"] {
  return halt === null ? null : { halt, isNew: !wasHalted };
}
