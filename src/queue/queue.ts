import type { BatchAction, BatchHandOver, Choice, HandOver } from "../batches/batch-program.ts";
import { BatchRun } from "../batches/batch-run.ts";
import { progressText } from "../batches/dashboard/progress.ts";
import { renderDashboard } from "../batches/dashboard/render.ts";
import type { Sent } from "../batches/model/batches.ts";
import type { Decision } from "../batches/model/decisions.ts";
import type { PastBatch } from "../batches/model/excerpts.ts";
import type { BatchRevision, BatchRules } from "../batches/model/revision.ts";
import { type BatchReport, DECIDE, reportBatches } from "../batches/report.ts";
import { type BatchClosing, type BatchResult, runBatches } from "../batches/run-batches.ts";
import { inRepository, type RunContext } from "../github/trigger/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { type Delivery, deliver } from "../job/send.ts";
import type { BasicResult } from "../ledger/program.ts";
import { ALL_RECORDED } from "../ledger/unavailable.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError, cancelledRun } from "../runtime/errors.ts";
import { inlineCode } from "../text/markdown.ts";
import { chooseTasks, mayStartAnother, sentTask } from "./choose-tasks.ts";
import { parseQueueInputs, type QueueInputs } from "./inputs.ts";
import { deliveryWarnings, errorIn, outputsOf, promptsText, resultOf } from "./results.ts";
import { TaskLists } from "./tasks.ts";

/**
 * Works through a list of tasks: finds the running ones that have ended, and starts as many as the limits allow.
 */
export async function queue(
  read: ReadInput,
  runContext: RunContext,
  dependencies: Dependencies,
): Promise<void> {
  const inputs = await parseQueueInputs(read, runContext);
  const context = inRepository(runContext);
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

  constructor(inputs: QueueInputs, run: BatchRun) {
    this.rules = run.address.rules;
    this.#inputs = inputs;
    this.#run = run;
    this.#lists = new TaskLists(inputs.entries);
  }

  async read(): Promise<null> {
    if (this.#run.dependencies.cancellation.stop.aborted) throw cancelledRun(ALL_RECORDED);
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
    return sentTask(delivery);
  }

  goesOn(
    { refusedBefore }: BatchHandOver,
    deliveries: readonly (Delivery | BasicResult)[],
  ): boolean {
    return mayStartAnother(deliveries, refusedBefore);
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

  async report({ decided }: BatchResult<null>): Promise<BatchReport> {
    const { dryRun, warnings } = this.#inputs;
    const handed = decided?.handed ?? [];
    const list = decided && this.#lists.of(decided.revision);
    const result = decided && list && (dryRun ? "dry-run" : resultOf(decided, list));
    const lines = decided && (await this.#readHistory(decided.revision, result === "finished"));
    return {
      noun: "task",
      verb: "started",
      warnings: dryRun ? warnings : [...warnings, ...deliveryWarnings(handed)],
      result,
      error: dryRun ? null : errorIn(handed),
      outputs: outputsOf(handed, list, lines ?? []),
      prompts: dryRun ? promptsText(handed) : null,
    };
  }

  /** Finished tasks of the newest month, or of all months when the queue is finished. */
  async #readHistory(
    { ledger: { historyFiles } }: BatchRevision,
    isFinished: boolean,
  ): Promise<readonly PastBatch[]> {
    const files = isFinished ? historyFiles : historyFiles.slice(-1);
    return await this.#run.readHistory(files).catch((error: unknown) => {
      if (!(error instanceof ActionError)) throw error;
      const text = `Jobs and pull requests of tasks that are done are left out: ${error.problem}`;
      this.#run.dependencies.log.warning(text);
      return [];
    });
  }
}
