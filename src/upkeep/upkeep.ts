import { explainRefusal, isOfGitHub } from "../github/api/refusal.ts";
import { type ChangeDetails, detailsOfKnown, promptFor } from "../github/changes/change-details.ts";
import type { RunContext } from "../github/trigger/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { parseUpkeepInputs, type UpkeepInputs } from "../inputs/upkeep.ts";
import { type Delivered, deliver, SERVICE_LIMIT } from "../job/send.ts";
import { progressText } from "../ledger/dashboard/progress.ts";
import { renderDashboard } from "../ledger/dashboard/render.ts";
import type { Decision, Polled } from "../ledger/model/batches.ts";
import type { Batch, Ledger } from "../ledger/model/ledger.ts";
import type { LedgerEdit } from "../ledger/model/ledger-edit.ts";
import type { Choice, Delivery, LedgerAction } from "../ledger/protocol/port.ts";
import type { RunResult } from "../ledger/protocol/run-ledger.ts";
import { LedgerRun, polledOf, shortHash } from "../ledger/run/ledger-run.ts";
import { DECIDE, type LedgerReport, reportLedgerRun } from "../ledger/run/report.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError, cancelledRun, invalidInput } from "../runtime/errors.ts";
import { sentence } from "../text/sentence.ts";
import { chooseBatch, decideHandOver } from "./choose-batch.ts";
import { findChanges, newSearch, type Search } from "./find-changes.ts";
import { commentOnPulls, coverageOf, DAYS, outputsOf } from "./results.ts";
import { waitForJob } from "./wait-for-job.ts";

const PERMISSIONS = "contents: read` and `pull-requests: read";
const DOCS_URL = "https://github.com/OWNER/docs-agent-action/blob/main/docs/upkeep.md";

/**
 * Keeps the documentation in step with the code: finishes what earlier runs started, collects what has landed since, and
 * hands it to the agent.
 */
export async function upkeep(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<void> {
  const inputs = parseUpkeepInputs(read, context);
  const run = new LedgerRun("upkeep", inputs, context, dependencies);
  const action = new Upkeep({ inputs, context, run, dependencies });
  const ran = await run.perform(action);
  reportLedgerRun(run, ran, action.report(ran));
}

interface UpkeepParts {
  inputs: UpkeepInputs;
  context: RunContext;
  run: LedgerRun;
  dependencies: Dependencies;
}

/** Upkeep's part in a run of its ledger: the changes of its sources. */
class Upkeep implements LedgerAction {
  readonly #parts: UpkeepParts;
  #search: Pick<Search, "details" | "unread"> = { details: new Map(), unread: [] };
  #jobId: string | null = null;
  #waitError: ActionError | null = null;
  /** The result of the request; null if none was made. */
  #delivered: Delivered | null = null;
  #warnings: string[] = [];

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
  }

  async choose(edit: LedgerEdit): Promise<Choice> {
    const { inputs, context, run, dependencies } = this.#parts;
    if (dependencies.cancellation.stop.aborted) throw cancelledRun();
    run.logFirst("it begins at `since`");
    const search = newSearch(edit, inputs, context.repository, run);
    this.#search = search;
    await this.#checkKeeper(edit);
    await findChanges(search);
    const decision = decideHandOver(edit, inputs);
    this.#warnings = decision.warning === "" ? [] : [decision.warning];
    if (decision.later !== null) return { batches: [], reason: decision.later };
    const batches = await chooseBatch(search);
    this.#jobId = decision.jobId;
    return { batches, reason: "idle" };
  }

  /**
   * Only one workflow file may use a ledger: changes that one with other filters passes over would be lost to the other.
   * Another file can take its place after the file is deleted.
   */
  async #checkKeeper(edit: LedgerEdit): Promise<void> {
    const { inputs, context, run } = this.#parts;
    const { repositories, after, releaseTag, pathsText, ignoreLabels, ignoreAuthors } = inputs;
    const filters = { repositories, after, releaseTag, pathsText, ignoreLabels, ignoreAuthors };
    const { workflow, runId } = context;
    const own = { workflow, run: runId, filters: shortHash(JSON.stringify(filters)) };
    const { keeper } = edit.ledger;
    const isAlike = keeper.filters === own.filters;
    if (isAlike && keeper.workflow === workflow) return;
    edit.change({ keeper: own });
    if (isAlike || keeper.filters === "") return;
    if (keeper.workflow === workflow) {
      // Two steps of one run, such as two legs of a matrix; in another run, the file was edited.
      if (keeper.run === runId && runId !== "") throw conflict(`another step of ${workflow}`);
    } else if (keeper.workflow !== "") {
      // A file that cannot be read may exist.
      const file = await run.store.git.readFile(null, keeper.workflow).catch(() => "");
      if (file !== null) throw conflict(keeper.workflow);
    }
  }

  /** If the job does not accept a follow-up, nothing was started, and a new job is created. */
  async send({ changes }: Pick<Batch, "changes">): Promise<Delivery> {
    const { run, dependencies } = this.#parts;
    const prompt = this.#promptOf(changes);
    let delivered = await deliver(run.agent, this.#jobId, prompt, DECIDE, dependencies);
    if (delivered.refusal === "job") {
      dependencies.log.info(`Job ${this.#jobId} takes no follow-up, so a new one is started.`);
      delivered = await deliver(run.agent, null, prompt, DECIDE, dependencies);
    }
    this.#delivered = delivered;
    if (delivered.reason === "limited") this.#warnings.push(SERVICE_LIMIT);
    return { ...delivered, isLast: true };
  }

  async wait(): Promise<Polled | null> {
    const { inputs, run, dependencies } = this.#parts;
    const delivered = this.#delivered;
    if (!inputs.wait || delivered === null || delivered.job === null) return null;
    const { job, isFollowUp } = delivered;
    const waited = await waitForJob(job, isFollowUp, run.agent, inputs, dependencies);
    this.#waitError = waited.error;
    if (waited.job === null) return null;
    this.#delivered = { ...delivered, job: waited.job };
    return polledOf(waited.job);
  }

  commentOn(untold: Ledger["untold"]): Promise<string[]> {
    const { run, dependencies } = this.#parts;
    return commentOnPulls(untold, run.connect, dependencies.log);
  }

  render(edit: LedgerEdit, ticked: readonly Decision[]): string {
    const progress = coverageOf(edit);
    return renderDashboard(edit, ticked, {
      introduction: `This issue shows which merged changes are documented. [Docs Upkeep](${DOCS_URL}) keeps it up to date. Close it to pause upkeep, and reopen it to resume.`,
      headline: `Last ${DAYS} days: ${progressText(progress, "change")}.`,
      progress,
      chart: `Coverage of the last ${DAYS} days`,
      waiting: edit.ledger.waiting,
    });
  }

  report(ran: RunResult): LedgerReport {
    const { inputs } = this.#parts;
    const planned = inputs.dryRun ? ran.handed : [];
    const error = this.#delivered?.error ?? this.#waitError ?? unreadError(this.#search.unread);
    return {
      what: "change",
      handed: "handed over",
      warnings: this.#warnings,
      error,
      result: inputs.dryRun ? "dry-run" : this.#resultOf(ran, error),
      outputs: outputsOf(ran, this.#delivered),
      prompts: planned.map(({ changes }) => this.#promptOf(changes)).join("\n\n"),
    };
  }

  #resultOf({ reason }: RunResult, error: ActionError | null): string {
    const delivered = this.#delivered;
    if (delivered === null) return error !== null && reason === "idle" ? "" : reason;
    if (delivered.job === null) return delivered.reason ?? "";
    return delivered.isFollowUp ? "continued" : "started";
  }

  #promptOf(changes: Batch["changes"]): string {
    const details = changes.flatMap((change): ChangeDetails[] => {
      if (change.kind !== "change") return [];
      return [this.#search.details.get(change.key) ?? detailsOfKnown(change)];
    });
    const { prompt, includeDiff } = this.#parts.inputs;
    return promptFor(prompt, details, includeDiff);
  }
}

function conflict(keeper: string): ActionError {
  return invalidInput(
    `name: this ledger is kept by ${keeper}, with other repositories, paths, labels, authors or releases. What one of them passes over would be lost to the other: set \`name\` here to keep a ledger of its own.`,
  );
}

function unreadError(unread: Search["unread"]): ActionError | null {
  if (unread.length === 0) return null;
  const texts = unread.map(({ repository, error }) => {
    const why = isOfGitHub(error)
      ? explainRefusal(error, PERMISSIONS).why
      : (error as Error).message;
    return sentence(`${repository} could not be read: ${why}`);
  });
  const what = texts.join(" ");
  const cause = unread[0]?.error;
  return new ActionError("github-unavailable", what, "The other repositories went on.", { cause });
}
