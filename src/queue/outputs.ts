import type { HistoryLine } from "../ledger/model/ledger.ts";
import type { RunResult } from "../ledger/protocol/run-ledger.ts";
import type { LedgerRun } from "../ledger/run/ledger-run.ts";
import type { Log } from "../runtime/log.ts";
import { fitting } from "../runtime/step-outputs.ts";
import { countOf, type TaskState, type TaskView } from "./tasks.ts";

/** What a value of the output `result` says that nothing else tells. */
export const WORDS: Readonly<Record<string, string>> = {
  busy: "As many tasks run as may, or another run is active.",
  limited: "The hourly limit is reached; tasks wait for a later run.",
  finished: "Every task is at its end.",
  "dry-run": "Dry run: nothing was written or started.",
};

/**
 * The outputs that are the queue's own; empty where the ledger could not be read. Jobs and pull requests of tasks
 * that are done come from the newest month of the history, and from all months once the queue is finished.
 */
export async function outputsOf(
  { edit, sha, handed }: RunResult,
  views: readonly TaskView[] | null,
  result: string,
  run: LedgerRun,
  log: Log,
): Promise<Record<string, string>> {
  const count = (state: TaskState) => (views === null ? "" : String(countOf(views, state)));
  const started = handed.filter(({ sent }) => sent.type === "accepted").length;
  const outputs = {
    startedCount: String(started),
    runningCount: count("running"),
    doneCount: count("done"),
    waitingCount: count("waiting"),
    needsDecisionCount: count("needs-decision"),
    tasks: "",
  };
  if (views === null || edit === null) return outputs;
  const { historyFiles } = edit.ledger;
  const files = result === "finished" ? historyFiles : historyFiles.slice(-1);
  const lines = await run.readHistory(sha, files).catch((error) => {
    log.warning(`Jobs and pull requests of tasks that are done are left out: ${error.message}`);
    return [];
  });
  return { ...outputs, tasks: tasksOutput(views, lines, log) };
}

/** Tasks at their end come last, so that these are left out where not all fit. */
function tasksOutput(views: readonly TaskView[], lines: readonly HistoryLine[], log: Log): string {
  const ended = new Map(
    lines.flatMap((line) => line.changes.map(({ key }) => [key, line] as const)),
  );
  const sorted = views.toSorted((a, b) => Number(a.state === "done") - Number(b.state === "done"));
  const all = sorted.map(({ task, state, jobId, prLink }) => {
    const line = state === "done" ? ended.get(task.key) : undefined;
    return { id: task.id, state, jobId: line?.jobId ?? jobId, prLink: line?.prLink ?? prLink };
  });
  const told = fitting(all);
  if (told.length < all.length) {
    log.warning(
      `The output \`tasks\` contains ${told.length} of ${all.length} tasks because of its size limit. Completed tasks are left out first.`,
    );
  }
  return JSON.stringify(told);
}
