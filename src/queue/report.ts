import type { QueueInputs } from "../inputs/queue.ts";
import { cancelled } from "../ledger/cancelled.ts";
import type { Batch } from "../ledger/record.ts";
import type { RunResult } from "../ledger/run-ledger.ts";
import { unusableLedger } from "../ledger/unusable-ledger.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { ActionError } from "../runtime/errors.ts";
import { tryWriteSummary } from "../runtime/step-outputs.ts";
import { safeLink } from "../text/link.ts";
import { codeBlock, inlineCode } from "../text/markdown.ts";
import { progressOf } from "./dashboard.ts";
import type { QueueSession } from "./session.ts";
import type { TaskChange } from "./task-change.ts";
import { countTasks, type TaskView, viewTasks } from "./task-states.ts";

/** As the output `result` tells it. */
export type Result = "started" | "idle" | "busy" | "limited" | "finished" | "paused" | "dry-run";

export interface QueueReport {
  result: RunResult<TaskChange>;
  session: Pick<
    QueueSession,
    "reason" | "chosen" | "failure" | "stopped" | "uncertain" | "rejected"
  >;
  inputs: Pick<QueueInputs, "tasks" | "dryRun" | "maxAttempts" | "perHour" | "maxRunning" | "name">;
  dashboardUrl: string;
  /** Requests to GitHub. */
  requests: number;
  isCancelled: boolean;
}

const WORDS: Record<Result, string> = {
  started: "Tasks were started",
  idle: "Nothing to start",
  busy: "The maximum number of tasks is running, or another run is active",
  limited: "The hourly limit is reached; tasks are waiting",
  finished: "Every task is done",
  paused: "The dashboard is closed: the queue is paused",
  "dry-run": "Dry run: nothing was written or started",
};

/** Most bytes of the output `tasks`. Longer outputs are cut, and JSON that is cut is none. */
const MAX_TASKS_OUTPUT = 500 * 1024;

/** An event that asks for nothing: green. */
export function reportSkipped(why: string, { outputs, log }: Dependencies): boolean {
  log.info(`Nothing to do: ${why}.`);
  outputs.setOutput("result", "idle");
  outputs.setOutput("startedCount", "0");
  return false;
}

/**
 * Reports a run: outputs, log, summary.
 *
 * @returns whether the step fails
 * @throws ActionError when the ledger could not be worked with; nothing was sent
 */
export function reportQueue(report: QueueReport, dependencies: Dependencies): boolean {
  const { outputs, log } = dependencies;
  const { session, inputs } = report;
  const { end, state, unwritten } = report.result;
  const unusable = unusableLedger(end, "tasks");
  const views = state === null ? null : viewTasks(state, inputs.tasks, inputs.maxAttempts);
  const started = end.type === "handed-over" ? end.batches.filter(isStarted).length : 0;
  const error = stepErrorOf(report);
  const result = unusable === null ? resultOf(report, views, started) : "";
  outputs.setOutput("result", result);
  outputs.setOutput("startedCount", String(started));
  setCounts(views, dependencies);
  if (unusable !== null) throw unusable;
  log.info(result === "" ? "No task is known to have been started." : `${WORDS[result]}.`);
  if (views !== null) log.info(`${progressOf(countTasks(views))}.`);
  if (inputs.dryRun)
    for (const { id, prompt } of session.chosen) log.info(`Would start ${id}:\n${prompt}`);
  warn(report, result, unwritten, log);
  tryWriteSummary(outputs, log, renderSummary(report, result, views, error));
  if (error === null) return false;
  log.error(error.message);
  outputs.setOutput("errorKind", error.kind);
  outputs.setOutput("errorMessage", error.message);
  return true;
}

function stepErrorOf({ session, isCancelled }: QueueReport): ActionError | null {
  const error = session.failure ?? session.stopped?.error ?? session.uncertain;
  return error ?? (isCancelled ? cancelled() : null);
}

function isStarted({ state }: Batch<TaskChange>): boolean {
  return state === "running" || state === "done";
}

/** Empty: nothing is known to have been started, and the step fails. */
export function resultOf(
  report: QueueReport,
  views: readonly TaskView[] | null,
  started: number,
): Result | "" {
  const {
    result: { end },
    session,
    inputs,
  } = report;
  if (end.type === "paused") return "paused";
  if (inputs.dryRun) return "dry-run";
  if (end.type === "busy") return "busy";
  if (started > 0) return "started";
  const { stopped, reason } = session;
  if (stopped?.reason === "limited") return "limited";
  if (stepErrorOf(report) !== null) return "";
  if (reason === "busy" || reason === "limited") return reason;
  const isFinished = views?.every(({ state }) => state === "done") ?? false;
  return isFinished ? "finished" : "idle";
}

/** Nothing is told of tasks when the ledger was not read. */
function setCounts(views: readonly TaskView[] | null, { outputs, log }: Dependencies): void {
  const counts = views === null ? null : countTasks(views);
  const told = (count: number | undefined): string => (count === undefined ? "" : String(count));
  outputs.setOutput("runningCount", told(counts?.running));
  outputs.setOutput("doneCount", told(counts?.done));
  outputs.setOutput("waitingCount", told(counts?.waiting));
  outputs.setOutput("needsDecisionCount", told(counts?.["needs-decision"]));
  outputs.setOutput("tasks", views === null ? "" : tasksOutput(views, log));
}

/** All tasks; beyond what fits, those that are done are left out, and then those at the end. */
export function tasksOutput(views: readonly TaskView[], log: Pick<Dependencies["log"], "warning">) {
  const told = (some: readonly TaskView[]): string =>
    JSON.stringify(
      some.map(({ change, state, jobId, prLink }) => ({
        id: change.id,
        state,
        jobId,
        prLink: prLink === null ? null : safeLink(prLink),
      })),
    );
  const fits = (some: readonly TaskView[]): boolean =>
    Buffer.byteLength(told(some)) <= MAX_TASKS_OUTPUT;
  if (fits(views)) return told(views);
  let left = views.filter(({ state }) => state !== "done");
  while (!fits(left)) left = left.slice(0, Math.floor(left.length * 0.9));
  log.warning(
    `The output \`tasks\` contains ${left.length} of ${views.length} tasks because of its size limit. Completed tasks are left out first.`,
  );
  return told(left);
}

function warn(
  { session, inputs }: QueueReport,
  result: Result | "",
  unwritten: string,
  log: Dependencies["log"],
): void {
  for (const { task, why } of session.rejected) {
    log.warning(`The service refused task ${task.id}: ${why}. The task needs a decision.`);
  }
  if (session.stopped?.reason === "limited") {
    log.warning(
      "The service's limit of 100 uses per project per hour is reached. The tasks wait for a later run.",
    );
  } else if (result === "limited") {
    log.info(
      `${inputs.perHour} tasks were started in the last hour, the limit set by \`per-hour\`.`,
    );
  }
  if (unwritten !== "") {
    log.warning(
      `The dashboard could not be written: ${unwritten}. Nothing is lost: the next run writes it.`,
    );
  }
}

function renderSummary(
  { session, dashboardUrl, requests, inputs }: QueueReport,
  result: Result | "",
  views: readonly TaskView[] | null,
  error: ActionError | null,
): string {
  const chosen = session.chosen.map(({ id }) => `- ${inlineCode(id, 100)}`);
  const prompts = session.chosen.map(({ id, prompt }) => `${id}:\n${prompt}`).join("\n\n");
  const parts = [
    `### Docs queue: ${error === null ? result : error.kind}`,
    error === null ? (result === "" ? "" : `${WORDS[result]}.`) : codeBlock(error.message),
    views === null ? "" : `${inlineCode(inputs.name, 200)}: ${progressOf(countTasks(views))}.`,
    chosen.join("\n"),
    inputs.dryRun && prompts !== "" ? codeBlock(prompts, 40_000) : "",
    [dashboardUrl === "" ? "" : `[Dashboard](${dashboardUrl})`, `${requests} requests to GitHub`]
      .filter((part) => part !== "")
      .join(" · "),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}
