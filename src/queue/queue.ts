import type { RunContext } from "../github/trigger/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { parseQueueInputs, type QueueInputs } from "../inputs/queue.ts";
import type { QueueTask } from "../inputs/tasks-file.ts";
import { type Delivered, deliver, SERVICE_LIMIT } from "../job/send.ts";
import { progressText } from "../ledger/dashboard/progress.ts";
import { renderDashboard } from "../ledger/dashboard/render.ts";
import type { Decision } from "../ledger/model/batches.ts";
import type { Batch, HistoryLine } from "../ledger/model/ledger.ts";
import type { LedgerEdit } from "../ledger/model/ledger-edit.ts";
import { nameOf } from "../ledger/model/names.ts";
import type { Choice, Delivery, LedgerAction } from "../ledger/protocol/port.ts";
import type { RunResult } from "../ledger/protocol/run-ledger.ts";
import { LedgerRun } from "../ledger/run/ledger-run.ts";
import { DECIDE, type LedgerReport, reportLedgerRun } from "../ledger/run/report.ts";
import { HOUR } from "../runtime/clock.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { type ActionError, cancelledRun } from "../runtime/errors.ts";
import { inlineCode } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";
import { byKey, TaskList, type TaskState, type TaskView, taskOf } from "./tasks.ts";

const DOCS_URL = "https://github.com/OWNER/docs-agent-action/blob/main/docs/queue.md";
/** After this many consecutive refusals, something may be wrong for all tasks. */
const MOST_REFUSALS = 3;

/**
 * Works through a list of tasks: finds the running ones that have ended, and starts as many as the limits allow.
 */
export async function queue(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<void> {
  const inputs = await parseQueueInputs(read, context);
  const run = new LedgerRun("queue", inputs, context, dependencies);
  const action = new Queue(inputs, run);
  const ran = await run.perform(action);
  reportLedgerRun(run, ran, await action.report(ran));
}

/** The queue's part in a run of its ledger: the tasks of its file. */
class Queue implements LedgerAction {
  readonly #inputs: QueueInputs;
  readonly #run: LedgerRun;
  /** By the part of the ledger that it depends on. A file may have 20,000 tasks, so it is not made twice. */
  #list: { key: string; list: TaskList } | null = null;
  #refusals = 0;
  /** The result of the last request. */
  #delivered: Delivered | null = null;
  readonly #warnings: string[];

  constructor(inputs: QueueInputs, run: LedgerRun) {
    this.#inputs = inputs;
    this.#run = run;
    this.#warnings = [...inputs.warnings];
  }

  /** Chooses what to start: tasks that are started again first, then new ones in the order of the file. */
  async choose(edit: LedgerEdit): Promise<Choice> {
    const { maxRunning, perHour } = this.#inputs;
    if (this.#run.dependencies.cancellation.stop.aborted) throw cancelledRun();
    this.#run.logFirst("no task has been started");
    const { waiting } = edit.ledger;
    const list = this.#listOf(edit);
    // A task that was removed from the file is no longer started.
    const kept = waiting.filter(({ changes: [task] }) => list.tasks.has(task?.key ?? ""));
    if (kept.length < waiting.length)
      edit.change({ waiting: kept }, "Drop tasks that left the file");
    const groups = list.waiting;
    const places = maxRunning - edit.active.length;
    const requests = perHour - edit.startsWithin(HOUR);
    if (groups.length === 0) return { batches: [], reason: "idle" };
    if (places <= 0) return { batches: [], reason: "busy" };
    if (requests <= 0) return { batches: [], reason: "limited" };
    const chosen = groups.slice(0, Math.min(places, requests));
    const planned = chosen.map(({ changes, attempts }) => ({ changes, attempt: attempts + 1 }));
    return { batches: planned, reason: "idle" };
  }

  async send({ changes }: Pick<Batch, "changes">): Promise<Delivery> {
    const [task] = this.#tasksOf(changes);
    if (task === undefined) throw new Error("a task that is handed over is in the file");
    const { agent, dependencies } = this.#run;
    const delivered = await deliver(agent, null, task.prompt, DECIDE, dependencies);
    this.#delivered = delivered;
    const { sent, refusal, error, isKeyRefused } = delivered;
    if (delivered.reason === "limited") this.#warnings.push(SERVICE_LIMIT);
    if (refusal !== "content") {
      this.#refusals = 0;
      return { sent, isLast: sent.type !== "accepted", isKeyRefused };
    }
    this.#refusals += 1;
    const why = error?.problem ?? "";
    this.#warnings.push(
      `The service refused the task ${nameOf(taskOf(task))}: ${sentence(why)} It needs a decision.`,
    );
    const isLast = this.#refusals >= MOST_REFUSALS;
    if (isLast) {
      this.#warnings.push(
        `The service refused ${MOST_REFUSALS} tasks in a row, so no other was started: something may be wrong for all of them.`,
      );
    }
    return { sent: { type: "rejected", why }, isLast, isKeyRefused };
  }

  render(edit: LedgerEdit, ticked: readonly Decision[]): string {
    const { progress, waiting } = this.#listOf(edit);
    const name = inlineCode(this.#inputs.name, 200);
    return renderDashboard(edit, ticked, {
      introduction: `This issue shows the progress of the tasks in ${name}. [Docs Queue](${DOCS_URL}) keeps it up to date. Close it to pause the queue, and reopen it to resume.`,
      headline: `${progressText(progress, "task")}.`,
      progress,
      chart: "Progress",
      waiting,
    });
  }

  async report(ran: RunResult): Promise<LedgerReport> {
    const { dryRun } = this.#inputs;
    const error = this.#delivered?.refusal === null ? this.#delivered.error : null;
    const result = this.#resultOf(ran, error);
    return {
      what: "task",
      handed: "started",
      warnings: this.#warnings,
      result,
      error,
      outputs: await this.#outputs(ran, result),
      prompts: dryRun ? this.#prompts(ran) : "",
    };
  }

  #resultOf({ edit, handed, reason }: RunResult, error: ActionError | null): string {
    if (this.#inputs.dryRun) return "dry-run";
    if (handed.some(({ sent }) => sent.type === "accepted")) return "started";
    if (this.#delivered?.reason === "limited") return "limited";
    if (error !== null) return "";
    const views = edit === null ? [] : this.#listOf(edit).views;
    const isOver = views.every(({ state }) => state === "done" || state === "needs-decision");
    return reason === "idle" && isOver ? "finished" : reason;
  }

  /**
   * The queue's own outputs; empty if the ledger could not be used. Jobs and pull requests of finished tasks come from the
   * newest month of the history, and from all months when the queue is finished.
   */
  async #outputs({ edit, handed }: RunResult, result: string): Promise<Record<string, string>> {
    const list = edit === null ? null : this.#listOf(edit);
    const count = (state: TaskState) => (list === null ? "" : String(list.count(state)));
    const outputs = {
      startedCount: String(handed.filter(({ sent }) => sent.type === "accepted").length),
      runningCount: count("running"),
      doneCount: count("done"),
      waitingCount: count("waiting"),
      needsDecisionCount: count("needs-decision"),
    };
    if (list === null || edit === null) return { ...outputs, tasks: "" };
    const { historyFiles } = edit.ledger;
    const files = result === "finished" ? historyFiles : historyFiles.slice(-1);
    const lines = await this.#run.readHistory(files).catch((error: ActionError) => {
      const what = `Jobs and pull requests of tasks that are done are left out: ${error.problem}`;
      this.#run.dependencies.log.warning(what);
      return [];
    });
    return { ...outputs, tasks: this.#tasksOutput(list.views, lines) };
  }

  /** Finished tasks come last: a list that is too long for an output loses its end. */
  #tasksOutput(views: readonly TaskView[], lines: readonly HistoryLine[]): string {
    const ended = byKey(lines);
    const sorted = views.toSorted(
      (a, b) => Number(a.state === "done") - Number(b.state === "done"),
    );
    const tasks = sorted.map(({ task: { key: id }, state, jobId }) => {
      const line = state === "done" ? ended.get(id) : undefined;
      return { id, state, jobId: line?.jobId ?? jobId, prLink: line?.prLink ?? null };
    });
    return JSON.stringify(tasks);
  }

  #listOf(edit: LedgerEdit): TaskList {
    const { batches, waiting, ended } = edit.ledger;
    const key = JSON.stringify([edit.now, batches, waiting, ended]);
    if (this.#list?.key === key) return this.#list.list;
    const list = new TaskList(edit, this.#inputs.entries);
    this.#list = { key, list };
    return list;
  }

  /** The tasks of the file that are handed over. */
  #tasksOf(changes: Batch["changes"]): QueueTask[] {
    return changes.flatMap(({ key }) => this.#list?.list.tasks.get(key) ?? []);
  }

  /** What a dry run would start. */
  #prompts({ handed }: RunResult): string {
    const tasks = handed.flatMap(({ changes }) => this.#tasksOf(changes));
    return tasks.map((task) => `Would start ${nameOf(taskOf(task))}:\n${task.prompt}`).join("\n\n");
  }
}
