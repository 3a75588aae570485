/** What a queue's run reports: the output `result`, its own outputs, and its warnings. Pure. */

import type { PastBatch } from "../batches/model/excerpts.ts";
import { nameOf } from "../batches/model/names.ts";
import { lastDelivery, type ResultWord } from "../batches/report.ts";
import type { Decided, Handed } from "../batches/run-batches.ts";
import { errorOf, SERVICE_LIMIT } from "../job/send.ts";
import type { ActionError } from "../runtime/errors.ts";
import { sentence } from "../text/sentence.ts";
import { isRefusedContent } from "./choose-tasks.ts";
import { byKey, type TaskList, type TaskState, type TaskView } from "./tasks.ts";

/** Why the step fails; null if it does not. The queue goes on after a task whose content was refused. */
export function errorIn(handed: readonly Handed[]): ActionError | null {
  const last = lastDelivery(handed);
  return last === null || isRefusedContent(last) ? null : errorOf(last);
}

/** The output `result` of a run that is not a dry run; null if nothing is known to have been started. */
export function resultOf(
  { handed, reason }: Pick<Decided<null>, "handed" | "reason">,
  { views }: Pick<TaskList, "views">,
): ResultWord | null {
  if (handed.some((entry) => entry.result.type === "accepted")) return "started";
  if (lastDelivery(handed)?.type === "limited") return "limited";
  if (errorIn(handed) !== null) return null;
  const isOver = views.every(({ state }) => state === "done" || state === "needs-decision");
  return isOver ? "finished" : reason;
}

/**
 * The outputs that are the queue's own; empty if the run ended before it decided.
 *
 * @param list of the tasks; null if the run ended before it decided
 * @param lines the history of finished tasks, as far as it was read
 */
export function outputsOf(
  handed: readonly Handed[],
  list: TaskList | null,
  lines: readonly PastBatch[],
): Record<string, string | null> {
  const count = (state: TaskState) => (list === null ? null : String(list.count(state)));
  const started = handed.filter((entry) => entry.result.type === "accepted");
  return {
    startedCount: String(started.length),
    runningCount: count("running"),
    doneCount: count("done"),
    waitingCount: count("waiting"),
    needsDecisionCount: count("needs-decision"),
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

/** The tasks that the service refused, and that it takes no more for now. */
export function deliveryWarnings(handed: readonly Handed[]): string[] {
  const refused = handed.flatMap(({ act, result: delivery }) => {
    const [task] = act.changes;
    if (!isRefusedContent(delivery) || task === undefined) return [];
    const reason = sentence(delivery.error.problem);
    return [`The service refused the task ${nameOf(task)}: ${reason} It needs a decision.`];
  });
  return lastDelivery(handed)?.type === "limited" ? [...refused, SERVICE_LIMIT] : refused;
}

/** What a dry run would start; null for nothing. */
export function promptsText(handed: readonly Handed[]): string | null {
  const prompts = handed.flatMap(({ act: { changes, prompt } }) =>
    changes.map((task) => `Would start ${nameOf(task)}:\n${prompt}`),
  );
  return prompts.length === 0 ? null : prompts.join("\n\n");
}
