import type { RunContext } from "../github/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { parseQueueInputs, type QueueInputs } from "../inputs/queue.ts";
import type { QueueTask } from "../inputs/tasks-file.ts";
import { type Delivered, deliver, SERVICE_LIMIT } from "../job/start.ts";
import type { Batch } from "../ledger/model/ledger.ts";
import type { LedgerEdit } from "../ledger/model/ledger-edit.ts";
import { nameOf } from "../ledger/model/names.ts";
import type { Choice, Delivery } from "../ledger/protocol/port.ts";
import type { RunResult } from "../ledger/protocol/run-steps.ts";
import type { LedgerAction } from "../ledger/run/ledger-port.ts";
import { LedgerRun, shortHash } from "../ledger/run/ledger-run.ts";
import { DECIDE, noLedgerText, reportLedgerRun } from "../ledger/run/report.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { type ActionError, cancelledRun } from "../runtime/errors.ts";
import { inlineCode } from "../text/markdown.ts";
import { progressText } from "../text/pie.ts";
import { sentence } from "../text/sentence.ts";
import { outputsOf, WORDS } from "./outputs.ts";
import { progressOf, type TaskView, taskOf, tasksOf, viewTasks, waitingGroups } from "./tasks.ts";

const DOCS_URL = "https://github.com/OWNER/docs-agent-action/blob/main/docs/queue.md";
/** The hour that `per-hour` counts, in milliseconds. */
const HOUR = 60 * 60_000;
/** After so many refusals, one after the other, something is wrong for all tasks. */
const MOST_REFUSALS = 3;

/**
 * Works through a list of tasks: finds out which of the running ones have ended, starts as many as the
 * limits allow, and leaves.
 *
 * @returns whether the step fails
 */
export async function queue(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<boolean> {
  const inputs = await parseQueueInputs(read, context);
  const { name, projectId } = inputs;
  const kind = {
    ...{ action: "queue", key: shortHash(`${projectId}\n${name}`), tells: false },
    ...{ title: `Docs queue: ${name}`, label: "docs-queue" },
  };
  const run = new LedgerRun(kind, inputs, context, dependencies);
  const action = new Queue({ inputs, run, dependencies });
  const ran = await run.perform(action);
  const views = ran.edit === null ? null : action.views(ran.edit);
  const result = action.resultOf(ran, views);
  const { error, warnings } = action;
  return reportLedgerRun(
    run,
    ran,
    {
      ...{ what: "task", handed: "started", words: WORDS, warnings },
      ...{ result, error },
      outputs: await outputsOf(ran, views, result, run, dependencies.log),
      prompts: inputs.dryRun ? action.prompts(ran) : "",
    },
    dependencies,
  );
}

interface QueueParts {
  inputs: QueueInputs;
  run: LedgerRun;
  dependencies: Dependencies;
}

/** What the queue adds to a ledger: the tasks of its file. */
class Queue implements LedgerAction {
  readonly #parts: QueueParts;
  /** By ID, of those that are chosen. */
  #tasks = new Map<string, QueueTask>();
  #refusals = 0;
  #delivered: Delivered[] = [];
  readonly warnings: string[];

  constructor(parts: QueueParts) {
    this.#parts = parts;
    this.warnings = [...parts.inputs.warnings];
  }

  views(edit: LedgerEdit): TaskView[] {
    return viewTasks(edit, tasksOf(edit.ledger, this.#parts.inputs.entries));
  }

  /** Why the step fails, although the ledger could be worked with; null: it does not. */
  get error(): ActionError | null {
    const failed = this.#delivered.find(({ error, refusal }) => error !== null && refusal === null);
    return (
      failed?.error ?? (this.#parts.dependencies.cancellation.stop.aborted ? cancelledRun() : null)
    );
  }

  /** Chooses what to start: tasks that are started again first, then new ones in the order of the file. */
  async choose(edit: LedgerEdit, sha: string | null): Promise<Choice> {
    const { inputs, run, dependencies } = this.#parts;
    if (dependencies.cancellation.stop.aborted) throw cancelledRun();
    if (sha === null) dependencies.log.info(noLedgerText(run, "no task has been started"));
    const { entries, maxRunning, perHour } = inputs;
    const { waiting, batches } = edit.ledger;
    const tasks = tasksOf(edit.ledger, entries);
    this.#tasks = new Map(tasks.map((task) => [task.id, task]));
    // What was taken out of the file is not started any more.
    const kept = waiting.filter(({ changes: [task] }) => this.#tasks.has(task?.key ?? ""));
    if (kept.length < waiting.length)
      edit.change({ waiting: kept }, "Drop tasks that left the file");
    const groups = waitingGroups(viewTasks(edit, tasks));
    const places = maxRunning - batches.filter((it) => edit.holdsUp(it)).length;
    const requests = perHour - edit.startsWithin(HOUR);
    if (groups.length === 0) return { batches: [], reason: "idle" };
    if (places <= 0) return { batches: [], reason: "busy" };
    if (requests <= 0) return { batches: [], reason: "limited" };
    const chosen = groups.slice(0, Math.min(places, requests));
    const planned = chosen.map(({ changes, attempts }) => ({ changes, attempt: attempts + 1 }));
    return { batches: planned, reason: "idle" };
  }

  async send({ changes }: Batch): Promise<Delivery> {
    const [change] = changes;
    const task = this.#tasks.get(change?.key ?? "");
    if (task === undefined) throw new Error("a task that is handed over is in the file");
    const { run, dependencies } = this.#parts;
    const delivered = await deliver(run.agent, null, task.prompt, DECIDE, dependencies);
    this.#delivered.push(delivered);
    const { sent, refusal, error, isKeyRefused: isRefused } = delivered;
    if (delivered.reason === "limited") this.warnings.push(SERVICE_LIMIT);
    if (refusal !== "content") {
      this.#refusals = 0;
      return { sent, isLast: sent.type !== "accepted", isRefused };
    }
    this.#refusals += 1;
    const why = error?.what ?? "";
    this.warnings.push(
      `The service refused the task ${nameOf(taskOf(task))}: ${sentence(why)} It needs a decision.`,
    );
    const isLast = this.#refusals >= MOST_REFUSALS;
    if (isLast) {
      this.warnings.push(
        `The service refused ${MOST_REFUSALS} tasks in a row, so no other was started: something may be wrong for all of them.`,
      );
    }
    return { sent: { type: "rejected", why }, isLast, isRefused };
  }

  dashboard(edit: LedgerEdit) {
    const views = this.views(edit);
    const slices = progressOf(views);
    const name = inlineCode(this.#parts.inputs.name, 200);
    return {
      introduction: `This issue shows the progress of the tasks in ${name}. [Docs Queue](${DOCS_URL}) keeps it up to date. Close it to pause the queue, and reopen it to resume.`,
      ...{ headline: `${progressText(slices, "task")}.`, slices, chart: "Progress" },
      waiting: waitingGroups(views),
    };
  }

  /** The output `result`; empty where nothing is known to have been started. */
  resultOf({ end, handed }: RunResult, views: readonly TaskView[] | null): string {
    if (end.type !== "ran") return "";
    if (this.#parts.inputs.dryRun) return "dry-run";
    if (handed.some(({ sent }) => sent.type === "accepted")) return "started";
    if (this.#delivered.some(({ reason }) => reason === "limited")) return "limited";
    if (this.error !== null) return "";
    const isOver = views?.every(({ state }) => state === "done" || state === "needs-decision");
    return end.reason === "idle" && isOver === true ? "finished" : end.reason;
  }

  /** What a dry run would start. */
  prompts({ handed }: RunResult): string {
    const tasks = handed.flatMap(({ batch }) => this.#tasks.get(batch.changes[0]?.key ?? "") ?? []);
    return tasks.map((task) => `Would start ${nameOf(taskOf(task))}:\n${task.prompt}`).join("\n\n");
  }
}
