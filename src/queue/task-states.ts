import type { QueueTask } from "../inputs/tasks-file.ts";
import { needsDecisionOf } from "../ledger/model/open-changes.ts";
import type { LedgerState, OpenChange } from "../ledger/model/read-ledger.ts";
import { type TaskChange, taskChange } from "./task-change.ts";

/** As the output `tasks` tells it. */
export type TaskState = "waiting" | "running" | "done" | "needs-decision";

/** A task, and how far it is. */
export interface TaskView {
  change: TaskChange;
  state: TaskState;
  /** Of the request that holds it; also of one that is done, as long as the ledger's checkpoint has it. */
  jobId: string | null;
  prLink: string | null;
  /** What became of it when it was last handed over, and it is not done; null if it never was. */
  fate: OpenChange<TaskChange> | null;
}

/**
 * How far each task is: those of the file in its order, then those that run although the file has lost
 * them.
 */
export function viewTasks(
  state: LedgerState<TaskChange>,
  tasks: readonly QueueTask[],
  maxAttempts: number,
): TaskView[] {
  const needsDecision = new Set(
    needsDecisionOf(state, maxAttempts).map(({ handed }) => handed.change.key),
  );
  const ended = endedTasks(state);
  const inFile = tasks.map((task): TaskView => {
    const change = taskChange(task);
    const fate = state.open.get(change.key) ?? null;
    if (fate !== null) return openTask(change, fate, needsDecision.has(change.key));
    const isDone = state.known.has(change.key);
    const end = isDone ? (ended.get(change.key) ?? NO_JOB) : NO_JOB;
    return { change, state: isDone ? "done" : "waiting", ...end, fate };
  });
  const keys = new Set(inFile.map(({ change }) => change.key));
  const beside = [...state.open.values()]
    .filter(({ handed }) => !keys.has(handed.change.key))
    .map((fate) => openTask(fate.handed.change, fate, true))
    .filter((view) => view.state === "running");
  return [...inFile, ...beside];
}

const NO_JOB = { jobId: null, prLink: null };

function openTask(
  change: TaskChange,
  fate: OpenChange<TaskChange>,
  needsDecision: boolean,
): TaskView {
  const { stateNow, batch } = fate.batch;
  const { jobId, prLink } = batch;
  if (stateNow === "running" || stateNow === "claimed") {
    return { change, state: "running", jobId, prLink, fate };
  }
  return { change, state: needsDecision ? "needs-decision" : "waiting", jobId, prLink, fate };
}

/** Jobs and pull requests of the tasks that are done, as far back as the checkpoint has them. */
function endedTasks({ claims }: LedgerState<TaskChange>) {
  const ended = new Map<string, Pick<TaskView, "jobId" | "prLink">>();
  for (const { batch, stateNow } of claims.flatMap(({ batches }) => batches)) {
    const { jobId, prLink, handed } = batch;
    if (stateNow === "done")
      for (const { change } of handed) ended.set(change.key, { jobId, prLink });
  }
  return ended;
}

/** How many tasks are in each state. */
export function countTasks(views: readonly TaskView[]): Record<TaskState, number> {
  const counts = { waiting: 0, running: 0, done: 0, "needs-decision": 0 };
  for (const { state } of views) counts[state] += 1;
  return counts;
}
