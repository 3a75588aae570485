/** What a queue's run reports: the output `result`, its own outputs, and its warnings. Pure. */

import type { PastBatch } from "../batches/model/excerpts.ts";
import { nameOf } from "../batches/model/names.ts";
import type { BatchOutcome, Handed } from "../batches/outcome.ts";
import { needsDecisionOutput } from "../batches/outputs.ts";
import { type SharedReason, WARNINGS } from "../batches/reasons.ts";
import {
  type BatchReport,
  hadNoCredits,
  lastDelivery,
  requestError,
  requestWarnings,
} from "../batches/report.ts";
import { textOfReason } from "../runtime/reason.ts";
import type { QueueInputs } from "./inputs.ts";
import type { QueueNotes } from "./plan.ts";
import { QUEUE_REASONS, type QueueReason } from "./reasons.ts";
import { byKey, type TaskList, type TaskLists, type TaskView } from "./tasks.ts";

/**
 * What a run reports.
 *
 * @param changed why a task was not started, although it was planned; null for no such reason
 * @param lines the history of finished tasks, as far as it was read
 */
export function queueReport(
  outcome: BatchOutcome<QueueNotes>,
  lists: TaskLists,
  changed: SharedReason | null,
  lines: readonly PastBatch[],
  { dryRun, warnings }: QueueInputs,
): BatchReport {
  const decided = outcome.type === "decided" ? outcome : null;
  const handed = decided?.handed ?? [];
  const list = decided && lists.of(decided.revision);
  return {
    noun: "task",
    verb: "started",
    warnings: [
      ...warnings,
      ...requestWarnings(handed),
      ...(list?.views.length === 0 ? [NO_TASKS] : []),
    ],
    error: decided && requestError(handed, decided.revision, outcome.dashboard),
    ...resultOf(outcome, lists, changed),
    dryRun,
    outputs: {
      ...queueOutputs(handed, list, lines),
      needsDecision: decided && needsDecisionOutput(decided.revision),
    },
    prompts: decided?.isDryRun === true ? promptsText(handed) : null,
  };
}

const NO_TASKS = textOfReason(QUEUE_REASONS, { code: "no-tasks" });

/** The output `result`, and why no more was started. */
export function resultOf(
  outcome: BatchOutcome<QueueNotes>,
  lists: TaskLists,
  changed: SharedReason | null,
): { result: BatchReport["result"]; explanation: string | null } {
  const { reason } = outcome;
  if (outcome.type === "ended") return waiting(reason);
  if (outcome.isDryRun) return { result: "dry-run", explanation: waiting(reason).explanation };
  const { handed } = outcome;
  if (handed.some(({ delivery }) => delivery?.type === "accepted")) {
    return { result: "started", explanation: changed && textOfReason(QUEUE_REASONS, changed) };
  }
  if (lastDelivery(handed)?.type === "limited") {
    return { result: "limited", explanation: textOfReason(WARNINGS, { code: "service-limit" }) };
  }
  if (hadNoCredits(lastDelivery(handed))) return { result: "limited", explanation: null };
  const isFailed = requestError(handed, outcome.revision, outcome.dashboard) !== null;
  if (isFailed) return { result: null, explanation: null };
  if (changed !== null) return waiting(changed);
  const end = endOf(lists.of(outcome.revision));
  return waiting(
    end === null || (end.code !== "finished" && reason.code === "halted") ? reason : end,
  );
}

/** Why a queue of which no task runs or waits starts none; null for any other. */
function endOf(list: TaskList): QueueReason | null {
  if (list.views.length === 0) return { code: "no-tasks" };
  if (list.count("running") + list.count("waiting") > 0) return null;
  const { undecided: count } = list;
  return count === 0 ? { code: "finished" } : { code: "decisions-open", count };
}

function waiting(reason: QueueReason) {
  const { result, waitsFor } = QUEUE_REASONS[reason.code];
  const isSaid = result !== "idle" || waitsFor === "person";
  return { result, explanation: isSaid ? textOfReason(QUEUE_REASONS, reason) : null };
}

/**
 * The outputs that are the queue's own; empty if the run ended before it decided.
 *
 * @param list of the tasks; null if the run ended before it decided
 * @param lines the history of finished tasks, as far as it was read
 */
export function queueOutputs(
  handed: readonly Handed[],
  list: TaskList | null,
  lines: readonly PastBatch[],
): Record<string, string | null> {
  const count = (state: TaskView["state"]) => (list === null ? null : String(list.count(state)));
  const started = handed.filter((entry) => entry.delivery?.type === "accepted");
  return {
    startedCount: String(started.length),
    runningCount: count("running"),
    doneCount: count("done"),
    waitingCount: count("waiting"),
    needsDecisionCount: list && String(list.undecided),
    tasks: list && tasksOutput(list.views, lines),
  };
}

/** Finished tasks come last: a list that is too long for an output loses its end. */
function tasksOutput(views: readonly TaskView[], lines: readonly PastBatch[]): string {
  const ended = byKey(lines);
  const sorted = views.toSorted(
    (view, other) => Number(view.state === "done") - Number(other.state === "done"),
  );
  const tasks = sorted.map(({ task: { key: id }, state, jobId }) => {
    const line = state === "done" ? ended.get(id) : undefined;
    return { id, state, jobId: line?.jobId ?? jobId, prLink: line?.prLink ?? null };
  });
  return JSON.stringify(tasks);
}

/** What a dry run would start; null for nothing. */
export function promptsText(handed: readonly Handed[]): string | null {
  const prompts = handed.flatMap(({ act: { changes, prompt } }) =>
    changes.map((task) => `Would start ${nameOf(task)}:\n${prompt}`),
  );
  return prompts.length === 0 ? null : prompts.join("\n\n");
}
