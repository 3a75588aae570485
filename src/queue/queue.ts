import type { RunContext } from "../github/trigger/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { parseQueueInputs, type QueueInputs } from "../inputs/queue.ts";
import { type Delivery, deliver, errorOf, SERVICE_LIMIT } from "../job/send.ts";
import {
  type BatchAction,
  type Choice,
  type HandOver,
  sentOf,
} from "../ledger/batches/batch-program.ts";
import { BatchRun } from "../ledger/batches/batch-run.ts";
import { type BatchReport, DECIDE, lastDelivery, reportBatches } from "../ledger/batches/report.ts";
import { type BatchClosing, type BatchResult, runBatches } from "../ledger/batches/run-batches.ts";
import { progressText } from "../ledger/dashboard/progress.ts";
import { renderDashboard } from "../ledger/dashboard/render.ts";
import type { Sent } from "../ledger/model/batches.ts";
import type { Decision } from "../ledger/model/decisions.ts";
import type { HistoryLine } from "../ledger/model/ledger.ts";
import { nameOf } from "../ledger/model/names.ts";
import type { BatchRevision, BatchRules } from "../ledger/model/revision.ts";
import type { BasicResult } from "../ledger/program.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError, cancelledRun } from "../runtime/errors.ts";
import { inlineCode } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";
import { chooseTasks, isRefusedContent, mayStartAnother } from "./choose-tasks.ts";
import { byKey, TaskLists, type TaskState, type TaskView } from "./tasks.ts";

/**
 * Works through a list of tasks: finds the running ones that have ended, and starts as many as the limits allow.
 */
export async function queue(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<void> {
  const inputs = await parseQueueInputs(read, context);
  const run = new BatchRun("queue", inputs, context, dependencies);
  const action = new Queue(inputs, run);
  const result = await runBatches(run, action);
  reportBatches(run, result, await action.report(result));
}

/** The queue's part in a run of its ledger: the tasks of its file. */
class Queue implements BatchAction<null, null>, BatchClosing {
  readonly rules: BatchRules;
  readonly #inputs: QueueInputs;
  readonly #run: BatchRun;
  readonly #lists: TaskLists;
  /** Tasks that the service refused in a row before this run. */
  #refusedBefore = 0;

  constructor(inputs: QueueInputs, run: BatchRun) {
    this.rules = run.address.rules;
    this.#inputs = inputs;
    this.#run = run;
    this.#lists = new TaskLists(inputs.entries);
  }

  async read(settled: BatchRevision): Promise<null> {
    this.#refusedBefore = settled.ledger.failures.refusals;
    if (this.#run.dependencies.cancellation.stop.aborted) throw cancelledRun();
    this.#run.logFirst("no task has been started");
    return null;
  }

  choose(settled: BatchRevision): Choice<null> {
    return chooseTasks(settled, this.#lists.of(settled), this.#inputs);
  }

  async deliver({ prompt }: HandOver): Promise<Delivery> {
    const { agent, dependencies } = this.#run;
    return await deliver(agent, null, prompt, DECIDE, dependencies);
  }

  sent(delivery: Delivery | BasicResult): Sent {
    if (!isRefusedContent(delivery)) return sentOf(delivery);
    return { type: "rejected", reason: delivery.error.problem };
  }

  goesOn(deliveries: readonly (Delivery | BasicResult)[]): boolean {
    return mayStartAnother(deliveries, this.#refusedBefore);
  }

  render(revision: BatchRevision, ticked: readonly Decision[]): string {
    const { progress, groups } = this.#lists.of(revision);
    const name = inlineCode(this.#inputs.name, 200);
    return renderDashboard(revision, ticked, {
      introduction: `This issue shows the progress of the tasks in ${name}. [Docs Queue](${this.#inputs.pages}/queue.md) keeps it up to date. Close it to pause the queue, and reopen it to resume.`,
      headline: `${progressText(progress, "task")}.`,
      progress,
      chart: "Progress",
      waiting: groups,
    });
  }

  async report(result: BatchResult<null>): Promise<BatchReport> {
    const { dryRun, warnings } = this.#inputs;
    const last = dryRun ? null : lastDelivery(result);
    // The queue goes on after a task whose content was refused.
    const error = last === null || isRefusedContent(last) ? null : errorOf(last);
    const word = this.#resultOf(result, error);
    return {
      noun: "task",
      verb: "started",
      warnings: dryRun ? warnings : [...warnings, ...deliveryWarnings(result)],
      result: word,
      error,
      outputs: await this.#outputs(result, word),
      prompts: dryRun && result.handed.length > 0 ? promptsText(result) : null,
    };
  }

  #resultOf(result: BatchResult<null>, error: ActionError | null): string | null {
    const { revision, handed, reason } = result;
    if (this.#inputs.dryRun) return "dry-run";
    if (handed.some((entry) => entry.result.type === "accepted")) return "started";
    if (lastDelivery(result)?.type === "limited") return "limited";
    if (error !== null) return null;
    if (revision === null) return reason;
    const { views } = this.#lists.of(revision);
    const isOver = views.every(({ state }) => state === "done" || state === "needs-decision");
    return isOver ? "finished" : reason;
  }

  /**
   * The queue's own outputs; empty if the ledger could not be used. Jobs and pull requests of finished tasks come
   * from the newest month of the history, and from all months when the queue is finished.
   */
  async #outputs(result: BatchResult<null>, word: string | null): Promise<Record<string, string>> {
    const { revision, handed } = result;
    const list = revision === null ? null : this.#lists.of(revision);
    const count = (state: TaskState) => (list === null ? "" : String(list.count(state)));
    const started = handed.filter((entry) => entry.result.type === "accepted");
    const outputs = {
      startedCount: String(started.length),
      runningCount: count("running"),
      doneCount: count("done"),
      waitingCount: count("waiting"),
      needsDecisionCount: count("needs-decision"),
    };
    if (list === null || revision === null) return { ...outputs, tasks: "" };
    const { historyFiles } = revision.ledger;
    const files = word === "finished" ? historyFiles : historyFiles.slice(-1);
    const lines = await this.#run.readHistory(files).catch((error: unknown) => {
      if (!(error instanceof ActionError)) throw error;
      const text = `Jobs and pull requests of tasks that are done are left out: ${error.problem}`;
      this.#run.dependencies.log.warning(text);
      return [];
    });
    return { ...outputs, tasks: tasksOutput(list.views, lines) };
  }
}

function deliveryWarnings(result: BatchResult<null>): string[] {
  const refused = result.handed.flatMap(({ act, result: delivery }) => {
    const [task] = act.changes;
    if (!isRefusedContent(delivery) || task === undefined) return [];
    const reason = sentence(delivery.error.problem);
    return [`The service refused the task ${nameOf(task)}: ${reason} It needs a decision.`];
  });
  if (lastDelivery(result)?.type === "limited") return [...refused, SERVICE_LIMIT];
  return refused;
}

/** What a dry run would start. */
function promptsText({ handed }: BatchResult<null>): string {
  return handed
    .flatMap(({ act: { changes, prompt } }) =>
      changes.map((task) => `Would start ${nameOf(task)}:\n${prompt}`),
    )
    .join("\n\n");
}

/** Finished tasks come last: a list that is too long for an output loses its end. */
function tasksOutput(views: readonly TaskView[], lines: readonly HistoryLine[]): string {
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
