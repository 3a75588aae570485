import type { QueueInputs } from "../inputs/queue.ts";
import type { Batch } from "../ledger/model/record.ts";
import type { RunEnd, RunResult } from "../ledger/protocol/run-ledger.ts";
import { cancelledRun } from "../ledger/run/cancelled.ts";
import type { LedgerStepResult } from "../ledger/run/step-result.ts";
import { unusableLedger } from "../ledger/run/unusable-ledger.ts";
import type { ActionError } from "../runtime/errors.ts";
import type { QueueRun } from "./queue-run.ts";
import type { TaskChange } from "./task-change.ts";
import { viewTasks } from "./task-states.ts";

/** As the output `result` tells it. */
export type QueueResult =
  | "started"
  | "idle"
  | "busy"
  | "limited"
  | "finished"
  | "paused"
  | "dry-run";

/** How a run of the queue came out. */
export interface QueueOutcome {
  result: Pick<RunResult<TaskChange>, "end" | "state">;
  queueRun: Pick<QueueRun, "reason" | "failure" | "stopped" | "uncertain">;
  inputs: Pick<QueueInputs, "tasks" | "dryRun" | "maxAttempts">;
  /** By a signal: the step fails whatever it came to. */
  isCancelled: boolean;
}

/** What the outcome of a run means for the step. */
export function queueResultOf(outcome: QueueOutcome): LedgerStepResult<QueueResult> {
  const unusable = unusableLedger(outcome.result.end, "tasks");
  if (unusable !== null) return { result: "", error: null, unusable };
  const error = errorOf(outcome);
  return { result: resultOf(outcome, error), error, unusable };
}

/** How many tasks a run has started. */
export function startedCount(end: RunEnd<TaskChange>): number {
  return end.type === "handed-over" ? end.batches.filter(isStarted).length : 0;
}

function isStarted({ state }: Batch<TaskChange>): boolean {
  return state === "running" || state === "done";
}

function errorOf({ queueRun, isCancelled }: QueueOutcome): ActionError | null {
  const error = queueRun.failure ?? queueRun.stopped?.error ?? queueRun.uncertain;
  return error ?? (isCancelled ? cancelledRun() : null);
}

function resultOf(
  { result: { end, state }, queueRun, inputs }: QueueOutcome,
  error: ActionError | null,
): QueueResult | "" {
  if (end.type === "paused") return "paused";
  if (inputs.dryRun) return "dry-run";
  if (end.type === "busy") return "busy";
  if (startedCount(end) > 0) return "started";
  const { stopped, reason } = queueRun;
  if (stopped?.reason === "limited") return "limited";
  if (error !== null) return "";
  if (reason === "busy" || reason === "limited") return reason;
  if (state === null) return "idle";
  const views = viewTasks(state, inputs.tasks, inputs.maxAttempts);
  return views.every((view) => view.state === "done") ? "finished" : "idle";
}
