import type { BatchNotes, DecidedNotes } from "../batches/batch-plan.ts";
import {
  type BatchTerms,
  type BatchValue,
  type HandOver,
  startedBy,
} from "../batches/batch-program.ts";
import { type BatchReads, batchReads } from "../batches/batch-reads.ts";
import { BatchRun } from "../batches/batch-run.ts";
import { pauseNow } from "../batches/confirm.ts";
import { progressText } from "../batches/dashboard/progress.ts";
import { renderDashboard } from "../batches/dashboard/render.ts";
import type { StartedJob } from "../batches/model/batches.ts";
import type { Tick } from "../batches/model/decisions.ts";
import type { PastBatch } from "../batches/model/excerpts.ts";
import type { Ledger } from "../batches/model/ledger.ts";
import type { BatchRevision } from "../batches/model/revision.ts";
import type { BatchOutcome, Handed } from "../batches/outcome.ts";
import type { SharedReason } from "../batches/reasons.ts";
import { reportBatches } from "../batches/report.ts";
import { type BatchAction, runBatches } from "../batches/run-batches.ts";
import { inRepository, type RunContext } from "../github/trigger/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { deliver } from "../job/send.ts";
import type { Revision } from "../ledger/file.ts";
import type { Moment, Planned } from "../ledger/program.ts";
import type { Head } from "../ledger/store.ts";
import type { Delivery } from "../runtime/delivery.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError, valueOrError } from "../runtime/errors.ts";
import { inlineCode } from "../text/markdown.ts";
import { capitalized } from "../text/sentence.ts";
import { parseQueueInputs, type QueueInputs } from "./inputs.ts";
import { planMoreTasks, planQueue, type QueueNotes, type QueueSettings, taskHold } from "./plan.ts";
import { queueReport, resultOf } from "./results.ts";
import { mayStartAnother } from "./start-tasks.ts";
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
  const outcome = await runBatches(run, action);
  const lines = await action.readHistory(outcome);
  reportBatches(run, outcome, queueReport(outcome, action.lists, action.changed, lines, inputs));
}

/** The queue's part in a run of its ledger: the tasks of its file. */
class Queue implements BatchAction<BatchReads, QueueNotes> {
  readonly beginning = "no task has been started";
  readonly lists: TaskLists;
  /** Why a task was not started, although it was planned; null for no such reason. */
  changed: SharedReason | null = null;
  readonly #inputs: QueueInputs;
  readonly #run: BatchRun;
  readonly #settings: QueueSettings;

  constructor(inputs: QueueInputs, run: BatchRun) {
    const { maxRunning, maxJobsPerHour } = inputs;
    this.lists = new TaskLists(inputs.entries);
    this.#inputs = inputs;
    this.#run = run;
    this.#settings = { ...run.settings, lists: this.lists, maxRunning, maxJobsPerHour };
  }

  reads(): BatchReads {
    return batchReads(this.#run);
  }

  plan(
    from: Revision<Ledger>,
    reads: BatchReads,
    moment: Moment,
  ): Promise<Planned<BatchTerms, BatchNotes<QueueNotes>>> {
    return planQueue(from, reads, moment, this.#settings);
  }

  planMore(
    from: Revision<Ledger>,
    _reads: BatchReads,
    moment: Moment,
    notes: DecidedNotes<QueueNotes>,
  ): Promise<Planned<BatchTerms, DecidedNotes<QueueNotes>>> {
    return planMoreTasks(from, moment, notes, this.#settings);
  }

  mayHandOverMore(last: readonly Handed[]): boolean {
    return mayStartAnother(last.flatMap(({ delivery }) => delivery ?? []));
  }

  async confirm(
    _act: HandOver,
    { ledger }: Head<Ledger>,
    reads: BatchReads,
  ): Promise<SharedReason | null> {
    this.changed = await pauseNow(ledger, reads, this.#settings.place);
    return this.changed;
  }

  async deliver({ prompt }: HandOver): Promise<Delivery<StartedJob>> {
    const { agent, dependencies } = this.#run;
    return startedBy(await deliver(agent, null, prompt, "", dependencies), false);
  }

  shouldHandOver(_act: HandOver, deliveries: readonly Delivery<BatchValue>[]): boolean {
    return mayStartAnother(deliveries);
  }

  /** A queue waits for no task. */
  async wait(): Promise<null> {
    return null;
  }

  /** Tasks have no pull requests to comment on. */
  async comment(): Promise<Delivery<null>> {
    return { type: "accepted", value: null };
  }

  render(revision: BatchRevision, ticked: readonly Tick[]): string {
    const { progress, groups } = this.lists.of(revision);
    const name = inlineCode(this.#inputs.name, 200);
    return renderDashboard(revision, ticked, {
      introduction:
        `This issue shows the progress of the tasks in ${name}. [Docs ` +
        `Queue](${this.#inputs.pages}/queue.md) keeps it up to date. Close it to pause the ` +
        "queue, and reopen it to resume.",
      headline: capitalized(`${progressText(progress, "task")}.`),
      progress,
      chart: "Progress",
      waiting: groups,
      hold: taskHold(revision, this.#settings),
    });
  }

  /** Finished tasks of the newest month, or of all months when the queue is finished. */
  async readHistory(outcome: BatchOutcome<QueueNotes>): Promise<readonly PastBatch[]> {
    if (outcome.type !== "decided") return [];
    const { result } = resultOf(outcome, this.lists, this.changed);
    const { historyFiles } = outcome.revision.ledger;
    const files = result === "finished" ? historyFiles : historyFiles.slice(-1);
    const lines = await valueOrError(this.#run.readHistory(files), ActionError);
    if (!(lines instanceof ActionError)) return lines;
    const text = `Jobs and pull requests of tasks that are done are left out: ${lines.problem}`;
    this.#run.dependencies.log.warning(text);
    return [];
  }
}
