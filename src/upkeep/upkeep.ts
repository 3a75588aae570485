import type { BatchNotes, DecidedNotes } from "../batches/batch-plan.ts";
import {
  type BatchTerms,
  type BatchValue,
  type HandOver,
  isRefusedContent,
  startedBy,
} from "../batches/batch-program.ts";
import { BatchRun } from "../batches/batch-run.ts";
import { progressText } from "../batches/dashboard/progress.ts";
import { renderDashboard } from "../batches/dashboard/render.ts";
import type { StartedJob } from "../batches/model/batches.ts";
import type { Tick } from "../batches/model/decisions.ts";
import type { Ledger, PendingComment } from "../batches/model/ledger.ts";
import type { BatchRevision } from "../batches/model/revision.ts";
import type { DecidedRun, Handed } from "../batches/outcome.ts";
import { reportBatches } from "../batches/report.ts";
import { type BatchAction, runBatches } from "../batches/run-batches.ts";
import { presentNames, type ReadName } from "../github/api/repository.ts";
import { type LevelOf, visibilities } from "../github/changes/seen-repositories.ts";
import {
  inRepository,
  type RepositoryContext,
  type RunContext,
} from "../github/trigger/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { deliver } from "../job/send.ts";
import type { Revision } from "../ledger/file.ts";
import type { Moment, Planned } from "../ledger/program.ts";
import type { Head } from "../ledger/store.ts";
import type { Delivery } from "../runtime/delivery.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { commentOnPull } from "./comment.ts";
import { confirmHandOver } from "./confirm.ts";
import { holdOf } from "./hold.ts";
import { parseUpkeepInputs, type UpkeepInputs } from "./inputs.ts";
import { givenFilters, type OwnJob, ownJob } from "./owner-workflow.ts";
import { planNextPart, planUpkeep, type UpkeepNotes } from "./plan.ts";
import { type UpkeepReads, upkeepReads } from "./reads.ts";
import type { ChangedReason } from "./reasons.ts";
import { coverageOf, DAYS, upkeepReport } from "./results.ts";
import { waitForJob } from "./wait-for-job.ts";

/**
 * Keeps the documentation in step with the code: finishes what earlier runs started, collects what has landed since,
 * and hands it to the agent.
 */
export async function upkeep(
  read: ReadInput,
  runContext: RunContext,
  dependencies: Dependencies,
): Promise<void> {
  const inputs = parseUpkeepInputs(read, runContext);
  const context = inRepository(runContext);
  const run = new BatchRun("upkeep", inputs, context, dependencies);
  const own = ownJob(givenFilters(read), context);
  const action = new Upkeep(inputs, context, run, own);
  const outcome = await runBatches(run, action);
  for (const repository of outcome.type === "decided" ? outcome.own.sources.unfinished : []) {
    dependencies.log.info(
      `${repository} gained more commits than one run can read. The next runs go on with them.`,
    );
  }
  reportBatches(run, outcome, upkeepReport(outcome, action.changed, inputs, context.repository));
}

/** Upkeep's part in a run of its ledger: the changes of its sources. */
class Upkeep implements BatchAction<UpkeepReads, UpkeepNotes> {
  readonly beginning = "it begins at `since`";
  /** Why the request was not sent; null for no such reason. */
  changed: ChangedReason | null = null;
  readonly #inputs: UpkeepInputs;
  readonly #context: RepositoryContext;
  readonly #run: BatchRun;
  readonly #settings: Parameters<typeof planUpkeep>[3];
  readonly #nameOf: ReadName;
  readonly #levelOf: LevelOf;

  constructor(inputs: UpkeepInputs, context: RepositoryContext, run: BatchRun, own: OwnJob) {
    this.#inputs = inputs;
    this.#context = context;
    this.#run = run;
    this.#settings = { ...run.settings, inputs, own };
    this.#nameOf = presentNames(run.connect);
    this.#levelOf = visibilities(run.connect);
  }

  reads(): UpkeepReads {
    return upkeepReads(this.#run, this.#inputs, this.#context.repository);
  }

  plan(
    from: Revision<Ledger>,
    reads: UpkeepReads,
    moment: Moment,
  ): Promise<Planned<BatchTerms<UpkeepReads>, BatchNotes<UpkeepNotes>>> {
    return planUpkeep(from, reads, moment, this.#settings);
  }

  planMore(
    from: Revision<Ledger>,
    reads: UpkeepReads,
    moment: Moment,
    notes: DecidedNotes<UpkeepNotes>,
  ): Promise<Planned<BatchTerms<UpkeepReads>, DecidedNotes<UpkeepNotes>>> {
    return planNextPart(from, reads, moment, notes, this.#settings);
  }

  /**
   * A batch that the service refused is handed over in parts, and after a single change that it refused, the others,
   * until it accepts one.
   */
  mayHandOverMore([last]: readonly Handed[]): boolean {
    return last?.delivery != null && isRefusedContent(last.delivery);
  }

  async confirm(
    act: HandOver,
    { ledger }: Head<Ledger>,
    reads: UpkeepReads,
  ): Promise<ChangedReason | null> {
    const { repository, serverUrl } = this.#context;
    const settings = { ...this.#settings, repository, serverUrl, now: this.#run.store.now };
    this.changed = await confirmHandOver(act, ledger, reads, settings);
    return this.changed;
  }

  async deliver(act: HandOver): Promise<Delivery<StartedJob>> {
    const run = this.#run;
    const { dependencies } = run;
    if (act.type === "follow-up") {
      const { jobId } = act;
      const sent = await deliver(run.agent, jobId, act.prompt, "", dependencies);
      if (sent.type !== "refused" || sent.by !== "job") return startedBy(sent, true);
      dependencies.log.info(`Job ${jobId} does not accept the follow-up, so a new job is started.`);
    }
    return startedBy(await deliver(run.agent, null, act.prompt, "", dependencies), false);
  }

  /** A run of upkeep hands over one batch. */
  shouldHandOver(_act: HandOver, deliveries: readonly Delivery<BatchValue>[]): boolean {
    return deliveries.length === 0;
  }

  async wait({ job, isFollowUp }: StartedJob): Promise<DecidedRun["waited"]> {
    if (!this.#inputs.wait) return null;
    const { agent, dependencies } = this.#run;
    return await waitForJob(job, isFollowUp, agent, this.#inputs, dependencies);
  }

  comment(pending: PendingComment): Promise<Delivery<null>> {
    const { connect, dependencies } = this.#run;
    const { serverUrl } = this.#context;
    const places = { nameOf: this.#nameOf, levelOf: this.#levelOf, serverUrl };
    return commentOnPull(pending, { connect, ...places, log: dependencies.log });
  }

  render(revision: BatchRevision, ticked: readonly Tick[]): string {
    const progress = coverageOf(revision);
    return renderDashboard(revision, ticked, {
      introduction:
        "This issue shows which merged changes are documented. [Docs " +
        `Upkeep](${this.#inputs.pages}/upkeep.md) keeps it up to date. Close it to pause upkeep, ` +
        "and reopen it to resume.",
      headline: `In the last ${DAYS} days, ${progressText(progress, "change")}.`,
      progress,
      chart: `Coverage of the last ${DAYS} days`,
      waiting: revision.ledger.waiting,
      hold: holdOf(revision, this.#inputs),
    });
  }
}
