import { readPullState } from "../github/pull-request.ts";
import type { RunContext } from "../github/run-context.ts";
import type { UpkeepInputs } from "../inputs/upkeep.ts";
import { needsDecisionOf } from "../ledger/model/open-changes.ts";
import type { LedgerState } from "../ledger/model/read-ledger.ts";
import type { Batch } from "../ledger/model/record.ts";
import { selectChanges } from "../ledger/model/select-changes.ts";
import type { Choice, SendResult } from "../ledger/protocol/effects.ts";
import { asCancelled, cancelledRun } from "../ledger/run/cancelled.ts";
import type { Delivered, Target } from "../ledger/run/deliver.ts";
import type { LedgerAction } from "../ledger/run/ledger-action.ts";
import type { LedgerRun } from "../ledger/run/ledger-run.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import { safeLink } from "../text/link.ts";
import type { SourceChange } from "./changes.ts";
import { commentOnPulls } from "./comment-on-pulls.ts";
import { renderUpkeepDashboard } from "./dashboard.ts";
import { decideHandOver, lastDocumented, type NoHandOverReason } from "./decide-hand-over.ts";
import type { UpkeepChange } from "./ledger-change.ts";
import { promptFor } from "./prompt.ts";
import { asChange, readAgain } from "./read-again.ts";
import { BUDGET, readChanges } from "./read-changes.ts";
import { sendBatch } from "./send-batch.ts";
import { keptShown, mergePassedOver, ownPullRequests, readShown, type Shown } from "./shown.ts";

const DOCS_URL = "https://github.com/OWNER/docs-agent-action/blob/main/docs/upkeep.md";

export interface UpkeepRunOptions {
  inputs: UpkeepInputs;
  context: RunContext;
  ledgerRun: Pick<LedgerRun<UpkeepChange>, "agent" | "connect" | "shown" | "text" | "tag">;
  dependencies: Dependencies;
}

/** What one run decides and sends, between reading the ledger and writing it. */
export class UpkeepRun implements LedgerAction<UpkeepChange> {
  readonly #options: UpkeepRunOptions;
  #details = new Map<string, SourceChange>();
  #target: Target = { type: "new" };
  #shown: Shown | null = null;
  /** Why nothing was handed over; null before that is decided. */
  reason: NoHandOverReason | null = null;
  /** What was chosen, also in a dry run. */
  chosen: { changes: UpkeepChange[]; target: Target; prompt: string } | null = null;
  /** Why nothing could be decided; null: it could. */
  failure: ActionError | null = null;
  /** How the request came out; null when none was made. */
  delivered: Delivered | null = null;

  constructor(options: UpkeepRunOptions) {
    this.#options = options;
  }

  /** What the dashboard shows beside the ledger, as of this run. */
  get shown(): Shown {
    return this.#shown ?? this.#shownBefore;
  }

  /** Decides what to hand over; nothing, if the changes cannot be read: the rest of the run goes on. */
  async choose(state: LedgerState<UpkeepChange>, ticked: string[]): Promise<Choice<UpkeepChange>> {
    const { stop } = this.#options.dependencies.cancellation;
    try {
      if (stop.aborted) throw cancelledRun();
      return await this.#choose(state, ticked);
    } catch (thrown) {
      const error = asCancelled(thrown, stop);
      if (!(error instanceof ActionError)) throw error;
      this.failure = error;
      return { type: "nothing", changed: false, moved: {} };
    }
  }

  async #choose(state: LedgerState<UpkeepChange>, ticked: string[]): Promise<Choice<UpkeepChange>> {
    const { inputs, context, ledgerRun } = this.#options;
    const { connect } = ledgerRun;
    const before = this.#shownBefore;
    const own = ownPullRequests(before.own, state);
    const read = await readChanges(state, {
      ...{ inputs, connect },
      defaultBranches: defaultBranchesOf(context),
      own: new Set(own),
    });
    if (Object.keys(read.beginnings).length > 0) return { type: "begin", cursors: read.beginnings };
    const { maxChanges, maxAttempts, openPullRequest, maxJobsPerDay } = inputs;
    const selection = selectChanges(state, { found: read.found, ticked, maxChanges, maxAttempts });
    const pull = await this.#readPull(state, selection.handed.length > 0);
    const decision = decideHandOver({ state, selection, openPullRequest, maxJobsPerDay, pull });
    // What is handed over is shown as waiting again should the request be refused.
    const all = [...selection.handed.map(({ change }) => change), ...selection.waiting];
    const fresh = all.filter(({ key }) => !state.open.has(key));
    this.#shown = {
      waiting: [...fresh, ...read.later],
      more: { count: 0, recent: 0 },
      passedOver: mergePassedOver(before.passedOver, read.passedOver),
      own,
    };
    if (decision.type === "nothing") {
      this.reason = decision.reason;
      // Also what a run before found and could not write, and what somebody edited.
      const changed =
        JSON.stringify(before) !== JSON.stringify(keptShown(this.#shown, state.now)) ||
        this.render(state, ticked).text.trimEnd() !== ledgerRun.text;
      // What waits is found again by the next run: the cursor stays before it.
      return { type: "nothing", changed, moved: selection.moved };
    }
    this.#target = decision.target;
    const changes = selection.handed.map(({ change }) => change);
    const again = changes.filter(({ key }) => !read.details.has(key));
    const details = await readAgain(again, connect, BUDGET - read.requests);
    this.#details = new Map([...read.details, ...details]);
    this.chosen = { changes, target: decision.target, prompt: this.#promptOf(changes) };
    return {
      type: "hand-over",
      batches: [{ handed: selection.handed, cursors: selection.cursors }],
    };
  }

  /** Sends a batch. */
  async send({ handed }: Batch<UpkeepChange>): Promise<SendResult> {
    const { ledgerRun, dependencies } = this.#options;
    const prompt = this.#promptOf(handed.map(({ change }) => change));
    this.delivered = await sendBatch(ledgerRun.agent, this.#target, prompt, dependencies);
    return this.delivered.sent;
  }

  /** The dashboard's body, its marker left out. */
  render(state: LedgerState<UpkeepChange>, ticked: string[]): { text: string; shown: unknown } {
    const { inputs, ledgerRun } = this.#options;
    const needsDecision = needsDecisionOf(state, inputs.maxAttempts);
    const { shown: before } = this;
    const own = ownPullRequests(before.own, state);
    const shown = { ...before, waiting: this.waitingIn(state), own };
    const text = renderUpkeepDashboard({ state, shown, needsDecision, ticked, docsUrl: DOCS_URL });
    return { text: `${ledgerRun.tag}\n\n${text}`, shown: keptShown(shown, state.now) };
  }

  /** Comments on the pull requests of a batch that is done, if the workflow wants that. */
  async onDone(batch: Batch<UpkeepChange>): Promise<void> {
    const { inputs, ledgerRun, dependencies } = this.#options;
    if (!inputs.comment || inputs.dryRun) return;
    await commentOnPulls(batch, inputs, ledgerRun.connect, dependencies.log);
  }

  /** Changes that no batch holds yet. */
  waitingIn(state: LedgerState<UpkeepChange>): UpkeepChange[] {
    return this.shown.waiting.filter(({ key }) => !state.open.has(key) && !state.known.has(key));
  }

  /** What the dashboard's marker kept. */
  get #shownBefore(): Shown {
    return readShown(this.#options.ledgerRun.shown);
  }

  #promptOf(changes: readonly UpkeepChange[]): string {
    const { inputs } = this.#options;
    const full = changes.map((change) => this.#details.get(change.key) ?? asChange(change));
    return promptFor(inputs.prompt, full, inputs.includeDiff);
  }

  async #readPull(state: LedgerState<UpkeepChange>, isNeeded: boolean) {
    const { inputs, context, ledgerRun, dependencies } = this.#options;
    const link = safeLink(lastDocumented(state)?.batch.prLink ?? "");
    if (!isNeeded || link === null || inputs.openPullRequest === "new") return null;
    const pull = await readPullState(link, context.serverUrl, ledgerRun.connect);
    if (pull === null && inputs.openPullRequest === "hold") {
      dependencies.log.warning(
        `The docs pull request ${link} could not be read, so upkeep goes on without waiting for it.`,
      );
    }
    return pull;
  }
}

/** The event tells the default branch of its own repository: a request less. */
function defaultBranchesOf({ defaultBranch, repository }: RunContext): Map<string, string> {
  return new Map(defaultBranch === null ? [] : [[repository.toLowerCase(), defaultBranch]]);
}
