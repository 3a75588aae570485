import type { QueueInputs } from "../inputs/queue.ts";
import type { QueueTask } from "../inputs/tasks-file.ts";
import type { LedgerState } from "../ledger/model/read-ledger.ts";
import type { Batch } from "../ledger/model/record.ts";
import type { Choice, SendResult } from "../ledger/protocol/effects.ts";
import { cancelledRun } from "../ledger/run/cancelled.ts";
import { type Delivered, deliver } from "../ledger/run/deliver.ts";
import type { LedgerAction } from "../ledger/run/ledger-action.ts";
import type { LedgerRun } from "../ledger/run/ledger-run.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import { renderQueueDashboard } from "./dashboard.ts";
import { decideStarts, type NoStartReason } from "./decide-starts.ts";
import { MOST_REMEMBERED } from "./queue-ledger.ts";
import { type TaskChange, taskKey } from "./task-change.ts";
import { viewTasks } from "./task-states.ts";

const DOCS_URL = "https://github.com/OWNER/docs-agent-action/blob/main/docs/queue.md";
/** A cursor under this name says that the queue has begun. It never moves. */
const BEGINNING = "tasks";

export interface QueueRunOptions {
  inputs: QueueInputs;
  ledgerRun: Pick<LedgerRun<TaskChange>, "agent" | "text" | "tag">;
  dependencies: Dependencies;
}

/** What one run decides and sends, between reading the ledger and writing it. */
export class QueueRun implements LedgerAction<TaskChange> {
  readonly #options: QueueRunOptions;
  readonly #tasks: Map<string, QueueTask>;
  /** Why nothing was started; null: something was to be, or that was not decided. */
  reason: NoStartReason | null = null;
  /** What was chosen, also in a dry run. */
  chosen: QueueTask[] = [];
  /** Why nothing could be decided; null: it could. */
  failure: ActionError | null = null;
  /** Why the service took nothing any more; null: it took all, or refused only what was wrong with it. */
  stopped: Pick<Delivered, "error" | "reason"> | null = null;
  /** The first request of which nobody knows whether it was received. */
  uncertain: ActionError | null = null;
  /** What the service refused for what it holds. */
  rejected: { task: QueueTask; why: string }[] = [];

  constructor(options: QueueRunOptions) {
    this.#options = options;
    this.#tasks = new Map(options.inputs.tasks.map((task) => [taskKey(task.id), task]));
  }

  /** Decides what to start; nothing for a run that is cancelled, or when no more can be remembered. */
  async choose(state: LedgerState<TaskChange>, ticked: string[]): Promise<Choice<TaskChange>> {
    const { inputs, dependencies } = this.#options;
    const { tasks, maxRunning, perHour, maxAttempts } = inputs;
    if (dependencies.cancellation.stop.aborted) return this.#fail(cancelledRun());
    if (!state.cursors.has(BEGINNING)) return { type: "begin", cursors: { [BEGINNING]: "-" } };
    const { handed, reason } = decideStarts({
      ...{ state, tasks, ticked },
      ...{ maxRunning, perHour, maxAttempts },
    });
    this.reason = reason;
    this.chosen = handed.flatMap(({ change }) => this.#tasks.get(change.key) ?? []);
    if (handed.length === 0) {
      const changed = this.render(state, ticked).text.trimEnd() !== this.#options.ledgerRun.text;
      return { type: "nothing", changed, moved: {} };
    }
    const fresh = handed.filter(({ change }) => !state.open.has(change.key)).length;
    if (state.known.prints + state.open.size + fresh > MOST_REMEMBERED)
      return this.#fail(this.#full());
    return { type: "hand-over", batches: handed.map((one) => ({ handed: [one], cursors: {} })) };
  }

  /** Sends a task. */
  async send({ handed }: Batch<TaskChange>): Promise<SendResult> {
    const { ledgerRun, dependencies } = this.#options;
    const task = this.#tasks.get(handed[0]?.change.key ?? "");
    if (task === undefined) throw new Error("a task that is handed over is in the file");
    const delivered = await deliver(ledgerRun.agent, { type: "new" }, task.prompt, dependencies);
    const { sent, error } = delivered;
    if (sent.type === "uncertain") this.uncertain ??= error;
    if (sent.type !== "refused") return sent;
    if (delivered.isRejected) {
      this.rejected.push({ task, why: sent.why });
      return { type: "rejected", why: sent.why };
    }
    this.stopped = delivered;
    return sent;
  }

  /** The dashboard's body, its marker left out. */
  render(state: LedgerState<TaskChange>, ticked: string[]): { text: string; shown: unknown } {
    const { inputs, ledgerRun } = this.#options;
    const views = viewTasks(state, inputs.tasks, inputs.maxAttempts);
    const text = renderQueueDashboard({
      ...{ name: inputs.name, state, views, ticked },
      docsUrl: DOCS_URL,
    });
    return { text: `${ledgerRun.tag}\n\n${text}`, shown: null };
  }

  /** Nobody is told: the dashboard shows it. */
  async onDone(): Promise<void> {}

  #fail(error: ActionError): Choice<TaskChange> {
    this.failure = error;
    this.chosen = [];
    return { type: "nothing", changed: false, moved: {} };
  }

  #full(): ActionError {
    return new ActionError(
      "invalid-input",
      `tasks-file: the queue ${JSON.stringify(this.#options.inputs.name)} has handed over ${MOST_REMEMBERED} tasks, as many as it can remember.`,
      "Put the tasks that are left into a file of their own, or give the queue another `name` and take out of the file what is done. Nothing was sent.",
    );
  }
}
