import { type ChangeDetails, detailsOfKnown } from "../github/change-details.ts";
import { promptFor } from "../github/change-prompt.ts";
import { histories } from "../github/history.ts";
import { explainRefusal } from "../github/refusal.ts";
import type { RunContext } from "../github/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { parseUpkeepInputs, type UpkeepInputs } from "../inputs/upkeep.ts";
import { type Delivered, deliver, SERVICE_LIMIT } from "../job/start.ts";
import { waitForJob } from "../job/wait.ts";
import type { Polled } from "../ledger/model/batch-events.ts";
import type { Batch, Ledger } from "../ledger/model/ledger.ts";
import type { LedgerEdit } from "../ledger/model/ledger-edit.ts";
import type { Choice, Delivery } from "../ledger/protocol/port.ts";
import { type LedgerAction, polledOf } from "../ledger/run/ledger-port.ts";
import { LedgerRun, upkeepLedger } from "../ledger/run/ledger-run.ts";
import { DECIDE, noLedgerText, reportLedgerRun } from "../ledger/run/report.ts";
import { type Dependencies, once } from "../runtime/dependencies.ts";
import { ActionError, cancelledRun } from "../runtime/errors.ts";
import { counted, sentence } from "../text/sentence.ts";
import { chooseBatch, decideHandOver } from "./choose-batch.ts";
import { commentOnPulls } from "./comment-on-pulls.ts";
import { coverageLine, coverageOf } from "./coverage.ts";
import { BUDGET, type FindParts, type Found, findChanges } from "./find-changes.ts";
import { checkKeeper } from "./keeper.ts";
import { outputsOf, resultOf, WORDS } from "./outputs.ts";

const PERMISSIONS = "contents: read` and `pull-requests: read";
const DOCS_URL = "https://github.com/OWNER/docs-agent-action/blob/main/docs/upkeep.md";

/**
 * Keeps the documentation in step with the code: finishes what earlier runs started, collects what has
 * landed since, hands it to the agent, and leaves.
 *
 * @returns whether the step fails
 */
export async function upkeep(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<boolean> {
  const inputs = parseUpkeepInputs(read, context);
  const kind = { ...upkeepLedger(inputs), tells: inputs.comment };
  const run = new LedgerRun(kind, inputs, context, dependencies);
  const action = new Upkeep({ inputs, context, run, dependencies });
  const ran = await run.perform(action);
  const { delivered, error, warnings, prompt } = action;
  return reportLedgerRun(
    run,
    ran,
    {
      ...{ what: "change", handed: "handed over", words: WORDS, warnings },
      result: resultOf(ran, delivered, error, inputs.dryRun),
      outputs: outputsOf(ran, delivered),
      error,
      prompts: inputs.dryRun ? prompt : "",
    },
    dependencies,
  );
}

interface UpkeepParts {
  inputs: UpkeepInputs;
  context: RunContext;
  run: LedgerRun;
  dependencies: Dependencies;
}

/** What upkeep adds to a ledger: the changes of its sources. */
class Upkeep implements LedgerAction {
  readonly #parts: UpkeepParts;
  #found: Found = { details: new Map(), unread: [] };
  #jobId: string | null = null;
  #waitError: ActionError | null = null;
  /** How the request came out; null: none was made. */
  delivered: Delivered | null = null;
  warnings: string[] = [];
  /** What a dry run would send. */
  prompt = "";

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
  }

  /** Why the step fails, although the ledger could be worked with; null: it does not. */
  get error(): ActionError | null {
    const { stop } = this.#parts.dependencies.cancellation;
    const unread = this.#found.unread.length === 0 ? null : unreadError(this.#found);
    const error = this.delivered?.error ?? this.#waitError ?? unread;
    return error ?? (stop.aborted ? cancelledRun() : null);
  }

  async choose(edit: LedgerEdit, sha: string | null): Promise<Choice> {
    const { inputs, context, run, dependencies } = this.#parts;
    if (dependencies.cancellation.stop.aborted) throw cancelledRun();
    if (sha === null) dependencies.log.info(noLedgerText(run, "it begins at `since`"));
    const parts = this.#findParts(edit, sha);
    await checkKeeper(edit, inputs, context, run.ref);
    this.#found = await findChanges(edit, parts);
    const decision = decideHandOver(edit, inputs);
    if (decision.type === "later") {
      if (decision.reason === "limited") {
        this.warnings = [
          `The limit of ${counted(inputs.maxJobsPerDay, "job")} in 24 hours, set by \`max-jobs-per-day\`, is reached. The changes wait for a later run.`,
        ];
      }
      return { batches: [], reason: decision.reason };
    }
    const batches = await chooseBatch(edit, this.#found.details, parts);
    const [batch] = batches;
    this.#jobId = decision.jobId;
    this.warnings = decision.warning === "" ? [] : [decision.warning];
    this.prompt = batch === undefined ? "" : this.#promptOf(batch.changes);
    return { batches, reason: "idle" };
  }

  /** A follow-up that its job does not take becomes a new job: nothing was started. */
  async send(batch: Batch): Promise<Delivery> {
    const { run, dependencies } = this.#parts;
    const prompt = this.#promptOf(batch.changes);
    let delivered = await deliver(run.agent, this.#jobId, prompt, DECIDE, dependencies);
    if (delivered.refusal === "job") {
      dependencies.log.info(`Job ${this.#jobId} takes no follow-up, so a new one is started.`);
      delivered = await deliver(run.agent, null, prompt, DECIDE, dependencies);
    }
    this.delivered = delivered;
    if (delivered.reason === "limited") this.warnings.push(SERVICE_LIMIT);
    return { sent: delivered.sent, isLast: true, isRefused: delivered.isKeyRefused };
  }

  async wait(batch: Batch): Promise<Polled | null> {
    const { inputs, run, dependencies } = this.#parts;
    const job = this.delivered?.job ?? null;
    if (!inputs.wait || job === null) return null;
    const isFollowUp = batch.isFollowUp || this.delivered?.isFollowUp === true;
    const waited = await waitForJob(job, isFollowUp, run.agent, inputs, dependencies);
    this.#waitError = waited.error;
    if (waited.job === null || this.delivered === null) return null;
    this.delivered = { ...this.delivered, job: waited.job };
    return polledOf(waited.job);
  }

  tell(untold: Ledger["untold"]): Promise<string[]> {
    const { inputs, run, dependencies } = this.#parts;
    return commentOnPulls(untold, inputs, run.connect, dependencies.log);
  }

  dashboard(edit: LedgerEdit) {
    const slices = coverageOf(edit);
    return {
      introduction: `This issue shows which merged changes are documented. [Docs Upkeep](${DOCS_URL}) keeps it up to date. Close it to pause upkeep, and reopen it to resume.`,
      ...{ headline: coverageLine(slices), slices },
      ...{ chart: "Coverage of the last 30 days", waiting: edit.ledger.waiting },
    };
  }

  #promptOf(changes: Batch["changes"]): string {
    const details = changes.flatMap((change): ChangeDetails[] => {
      if (change.kind !== "change") return [];
      return [this.#found.details.get(change.key) ?? detailsOfKnown(change)];
    });
    const { prompt, includeDiff } = this.#parts.inputs;
    return promptFor(prompt, details, includeDiff);
  }

  #findParts({ ledger }: LedgerEdit, sha: string | null): FindParts {
    const { inputs, context, run } = this.#parts;
    return {
      inputs,
      ownRepository: context.repository,
      historyOf: histories(run.connect),
      requestsLeft: () => BUDGET - run.requests,
      readEnded: once(() => run.readEnded(sha, ledger)),
      readOtherAgents: once(() => run.readOtherAgents()),
    };
  }
}

function unreadError({ unread }: Found): ActionError {
  const texts = unread.map(({ repository, error }) => {
    const isRefusal = typeof (error as { status?: unknown }).status === "number";
    const why = isRefusal ? explainRefusal(error, PERMISSIONS).why : (error as Error).message;
    return sentence(`${repository} could not be read: ${why}`);
  });
  return new ActionError("github-unavailable", texts.join(" "), "The other repositories went on.");
}
