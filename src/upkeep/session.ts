import type { Connect } from "../github/connect.ts";
import { readPullState } from "../github/pull-request.ts";
import type { RunContext } from "../github/run-context.ts";
import type { UpkeepInputs } from "../inputs/upkeep.ts";
import type { Delivered, Target } from "../ledger/deliver.ts";
import type { Choice, Sent } from "../ledger/effects.ts";
import { needsDecisionOf } from "../ledger/fates.ts";
import type { LedgerState } from "../ledger/read-ledger.ts";
import type { Batch } from "../ledger/record.ts";
import { selectChanges } from "../ledger/select-changes.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { Agent } from "../service/agent.ts";
import { safeLink } from "../text/link.ts";
import type { Change } from "./changes.ts";
import { mergePassedOver, renderDashboard, type Shown } from "./dashboard.ts";
import { decide, lastDocumented, type Reason } from "./decide.ts";
import type { UpkeepChange } from "./ledger-change.ts";
import type { PathFilter } from "./paths.ts";
import { promptFor } from "./prompt.ts";
import { readChanges } from "./read-changes.ts";
import { sendBatch } from "./send-batch.ts";
import type { Since } from "./since.ts";

const DOCS_URL = "https://github.com/OWNER/docs-agent-action/blob/main/docs/upkeep.md";

export interface SessionOptions {
  inputs: UpkeepInputs;
  context: RunContext;
  connect: Connect;
  agent: Agent;
  paths: PathFilter;
  since: Since;
  dependencies: Dependencies;
  /** What the dashboard's marker kept. */
  shown: () => Shown;
  /** What its body said to people. */
  text: () => string;
  tag: string;
}

/** What one run decides and sends, between reading the ledger and writing it. */
export class UpkeepSession {
  readonly #options: SessionOptions;
  #details = new Map<string, Change>();
  #target: Target = { type: "new" };
  #shown: Shown | null = null;
  /** Why nothing was handed over; null before that is decided. */
  reason: Reason | null = null;
  /** What was chosen, also in a dry run. */
  chosen: { changes: UpkeepChange[]; target: Target; prompt: string } | null = null;
  /** How the request came out; null when none was made. */
  delivered: Delivered | null = null;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** What the dashboard shows beside the ledger, as of this run. */
  get shown(): Shown {
    return this.#shown ?? this.#options.shown();
  }

  /** Decides what to hand over. */
  async choose(state: LedgerState<UpkeepChange>, ticked: string[]): Promise<Choice<UpkeepChange>> {
    const { inputs, context, connect, paths, since } = this.#options;
    const read = await readChanges(state, {
      ...{ inputs, paths, since, connect },
      defaultBranches: defaultBranchesOf(context),
    });
    if (Object.keys(read.beginnings).length > 0) return { type: "begin", cursors: read.beginnings };
    const { maxChanges, maxAttempts, openPullRequest, maxJobsPerDay } = inputs;
    const selection = selectChanges(state, { found: read.found, ticked, maxChanges, maxAttempts });
    const pull = await this.#readPull(state, selection.handed.length > 0);
    const decision = decide({ state, selection, openPullRequest, maxJobsPerDay, pull });
    const before = this.#options.shown();
    const isHandedOver = decision.type === "hand-over";
    // What is handed over is shown as waiting again should the request be refused.
    const all = [...selection.handed.map(({ change }) => change), ...selection.waiting];
    const fresh = all.filter(({ key }) => !state.open.has(key));
    this.#shown = {
      waiting: [...fresh, ...read.later],
      passedOver: mergePassedOver(before.passedOver, read.passedOver),
    };
    if (!isHandedOver) {
      this.reason = decision.reason;
      // Also what a run before found and could not write, and what somebody edited.
      const changed =
        JSON.stringify(before) !== JSON.stringify(this.#shown) ||
        this.render(state, ticked).text.trimEnd() !== this.#options.text();
      // What waits is found again by the next run: the cursor stays before it.
      return { type: "nothing", changed, moved: selection.moved };
    }
    this.#details = read.details;
    this.#target = decision.target;
    const changes = selection.handed.map(({ change }) => change);
    this.chosen = { changes, target: decision.target, prompt: this.#promptOf(changes) };
    return {
      type: "hand-over",
      batches: [{ handed: selection.handed, cursors: selection.cursors }],
    };
  }

  /** Sends a batch. */
  async send({ handed }: Batch<UpkeepChange>): Promise<Sent> {
    const { agent, dependencies } = this.#options;
    const prompt = this.#promptOf(handed.map(({ change }) => change));
    this.delivered = await sendBatch(agent, this.#target, prompt, dependencies);
    return this.delivered.sent;
  }

  /** The dashboard's body, its marker left out. */
  render(state: LedgerState<UpkeepChange>, ticked: string[]): { text: string; shown: unknown } {
    const { inputs, tag } = this.#options;
    const needsDecision = needsDecisionOf(state, inputs.maxAttempts);
    const shown = { ...this.shown, waiting: this.waitingIn(state) };
    const text = renderDashboard({ state, shown, needsDecision, ticked, docsUrl: DOCS_URL });
    return { text: `${tag}\n\n${text}`, shown };
  }

  /** Changes that no batch holds yet. */
  waitingIn(state: LedgerState<UpkeepChange>): UpkeepChange[] {
    return this.shown.waiting.filter(({ key }) => !state.open.has(key) && !state.known.has(key));
  }

  /** A change that is handed over again may not be among those that were just read. */
  #promptOf(changes: readonly UpkeepChange[]): string {
    const { inputs } = this.#options;
    const full = changes.map((change) => this.#details.get(change.key) ?? asChange(change));
    return promptFor(inputs.prompt, full, inputs.includeDiff);
  }

  async #readPull(state: LedgerState<UpkeepChange>, isNeeded: boolean) {
    const { inputs, context, connect, dependencies } = this.#options;
    const link = safeLink(lastDocumented(state)?.batch.prLink ?? "");
    if (!isNeeded || link === null || inputs.openPullRequest === "new") return null;
    const pull = await readPullState(link, context.serverUrl, connect);
    if (pull === null && inputs.openPullRequest === "hold") {
      dependencies.log.warning(
        `The docs pull request ${link} could not be read, so upkeep goes on without waiting for it.`,
      );
    }
    return pull;
  }
}

/** A change as far as the ledger knows it. */
function asChange(change: UpkeepChange): Change {
  const { landedAt, key: _, ...known } = change;
  return { ...known, body: "", labels: [], at: new Date(landedAt).toISOString() };
}

/** The event tells the default branch of its own repository: a request less. */
function defaultBranchesOf({ payload, repository }: RunContext): Map<string, string> {
  const name = (payload as { repository?: { default_branch?: unknown } }).repository
    ?.default_branch;
  return new Map(typeof name === "string" ? [[repository.toLowerCase(), name]] : []);
}
