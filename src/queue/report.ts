import type { QueueInputs } from "../inputs/queue.ts";
import type { RunResult } from "../ledger/protocol/run-ledger.ts";
import {
  promptsBlock,
  renderLedgerSummary,
  reportNothingToDo,
  reportStepError,
  resultSentence,
  serviceLimitSentence,
  warnUnwritten,
} from "../ledger/run/report-lines.ts";
import type { LedgerStepResult } from "../ledger/run/step-result.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { tryWriteSummary } from "../runtime/step-outputs.ts";
import { safeLink } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";
import { progressOf } from "./dashboard.ts";
import type { QueueRun } from "./queue-run.ts";
import { type QueueResult, startedCount } from "./step-result.ts";
import type { TaskChange } from "./task-change.ts";
import { countTasks, type TaskView, viewTasks } from "./task-states.ts";

export interface QueueReport {
  result: RunResult<TaskChange>;
  queueRun: Pick<QueueRun, "chosen" | "stopped" | "rejected">;
  inputs: Pick<QueueInputs, "tasks" | "dryRun" | "maxAttempts" | "perHour" | "name">;
  dashboardUrl: string;
  /** Requests to GitHub. */
  requests: number;
}

const WORDS: Record<QueueResult, string> = {
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

/** Reports an event that asks for nothing. */
export function reportQueueSkipped(why: string, dependencies: Dependencies): void {
  reportNothingToDo(why, { result: "idle", startedCount: "0" }, dependencies);
}

/** Reports a run: outputs, log, summary; of one that could not work with its ledger only the outputs. */
export function reportQueue(
  report: QueueReport,
  step: LedgerStepResult<QueueResult>,
  dependencies: Dependencies,
): void {
  const { outputs, log } = dependencies;
  const { queueRun, inputs } = report;
  const { end, state, unwritten } = report.result;
  const views = state === null ? null : viewTasks(state, inputs.tasks, inputs.maxAttempts);
  outputs.setOutput("result", step.result);
  outputs.setOutput("startedCount", String(startedCount(end)));
  setCounts(views, dependencies);
  if (step.unusable !== null) return;
  log.info(resultSentence(step.result, WORDS, "task"));
  if (views !== null) log.info(`${progressOf(countTasks(views))}.`);
  if (inputs.dryRun)
    for (const { id, prompt } of queueRun.chosen) log.info(`Would start ${id}:\n${prompt}`);
  warn(report, step.result, log);
  warnUnwritten(unwritten, log);
  tryWriteSummary(outputs, log, renderSummary(report, step, views));
  reportStepError(step, dependencies);
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
  { queueRun, inputs }: QueueReport,
  result: QueueResult | "",
  log: Dependencies["log"],
): void {
  for (const { task, why } of queueRun.rejected) {
    log.warning(`The service refused task ${task.id}: ${sentence(why)} The task needs a decision.`);
  }
  if (queueRun.stopped?.reason === "limited") {
    log.warning(serviceLimitSentence("tasks"));
  } else if (result === "limited") {
    log.info(
      `${inputs.perHour} tasks were started in the last hour, the limit set by \`per-hour\`.`,
    );
  }
}

function renderSummary(
  { queueRun, dashboardUrl, requests, inputs }: QueueReport,
  step: LedgerStepResult<QueueResult>,
  views: readonly TaskView[] | null,
): string {
  const chosen = queueRun.chosen.map(({ id }) => `- ${inlineCode(id, 100)}`);
  const prompts = queueRun.chosen.map(({ id, prompt }) => `${id}:\n${prompt}`).join("\n\n");
  const progress =
    views === null ? "" : `${inlineCode(inputs.name, 200)}: ${progressOf(countTasks(views))}.`;
  return renderLedgerSummary({
    ...{ title: "Docs queue", step, words: WORDS, dashboardUrl, requests },
    parts: [progress, chosen.join("\n"), promptsBlock(inputs.dryRun, prompts)],
    facts: "",
  });
}
