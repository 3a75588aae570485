import { type Connect, connector } from "../../github/connect.ts";
import { type CountingConnect, countingRequests } from "../../github/count-requests.ts";
import type { RunContext } from "../../github/run-context.ts";
import type { Dependencies } from "../../runtime/dependencies.ts";
import { drawName } from "../../runtime/draw-name.ts";
import type { Agent, JobReader } from "../../service/agent.ts";
import { AgentV2 } from "../../service/agent-v2.ts";
import { createTransport } from "../../service/create-transport.ts";
import { readLedgerEvent } from "../issue/event.ts";
import type { LedgerInputs } from "../issue/ledger-inputs.ts";
import type { LedgerKind } from "../issue/ledger-kind.ts";
import { type OpenedDashboard, openLedgerIssue } from "../issue/open-ledger-issue.ts";
import type { Change } from "../model/record.ts";
import { type ClaimMemory, drive, type LedgerPort } from "../protocol/effects.ts";
import { type RunResult, runLedger } from "../protocol/run-ledger.ts";
import { asIfWriting } from "./dry-run.ts";
import type { LedgerAction } from "./ledger-action.ts";
import { ledgerPort } from "./ledger-port.ts";
import type { SavedClaim } from "./saved-claim.ts";

export type OpenedRun<C extends Change> =
  /** The event asks for nothing. */
  { type: "skipped"; why: string } | { type: "opened"; ledgerRun: LedgerRun<C> };

/**
 * Finds the ledger's issue, or opens it, unless the event asks for nothing.
 *
 * @throws ActionError `invalid-input`, `github-unavailable`; nothing was sent
 */
export async function openLedgerRun<C extends Change>(
  kind: LedgerKind<C>,
  inputs: LedgerInputs,
  context: RunContext,
  dependencies: Dependencies,
): Promise<OpenedRun<C>> {
  const event = readLedgerEvent(context);
  if (event.type === "skipped") return event;
  const counting = countingRequests(connector(inputs, dependencies));
  const { repository } = context;
  const where = { repository, mayOpen: !inputs.dryRun && event.issue === null };
  const dashboard = await openLedgerIssue(kind, inputs, where, counting.connect, dependencies);
  if (event.issue !== null && event.issue !== dashboard?.place.issue) {
    return { type: "skipped", why: `the issue that was edited is not ${kind.whose} dashboard` };
  }
  dependencies.outputs.setOutput("dashboardUrl", dashboard?.url ?? "");
  const ledgerRun = new LedgerRun({ kind, inputs, counting, dashboard, dependencies });
  return { type: "opened", ledgerRun };
}

interface LedgerRunOptions<C extends Change> {
  kind: LedgerKind<C>;
  inputs: LedgerInputs;
  counting: CountingConnect;
  /** Null for a dry run of a project that has none yet. */
  dashboard: OpenedDashboard<C> | null;
  dependencies: Dependencies;
}

/** One run of an action on its ledger: follows the ledger's protocol once, or twice. */
export class LedgerRun<C extends Change> {
  /** Nothing is sent yet. */
  readonly agent: Agent & JobReader;
  /** What the service said of each job that was polled. */
  readonly statuses = new Map<string, string>();
  readonly #options: LedgerRunOptions<C>;
  readonly #waitedFor = new Set<string>();

  constructor(options: LedgerRunOptions<C>) {
    this.#options = options;
    const transport = createTransport(options.inputs, options.dependencies);
    this.agent = new AgentV2(transport, options.inputs.projectId);
  }

  get connect(): Connect {
    return this.#options.counting.connect;
  }

  /** How many requests to GitHub it took so far. */
  get requests(): number {
    return this.#options.counting.count();
  }

  /** Empty for a dry run of a project that has no dashboard yet; so are the tag and the text. */
  get dashboardUrl(): string {
    return this.#options.dashboard?.url ?? "";
  }

  /** What tells the dashboards of several projects apart: see `ledgerTag`. */
  get tag(): string {
    return this.#options.dashboard?.tag ?? "";
  }

  /** What the dashboard's body said to people when it was last read. */
  get text(): string {
    return this.#options.dashboard?.ledger.text ?? "";
  }

  /** What its marker kept beside the ledger. */
  get shown(): unknown {
    return this.#options.dashboard?.ledger.shown;
  }

  /** Reads the ledger, hands over what the action chooses, and writes down what became of it. */
  async perform(action: LedgerAction<C>): Promise<RunResult<C>> {
    const { kind, inputs, dashboard, dependencies } = this.#options;
    const port = this.#portFor(action);
    const { timeOfDay } = dependencies.clock;
    const settings = { claimId: drawName(dependencies), limits: kind.limits };
    return await drive(
      runLedger<C>(settings),
      inputs.dryRun ? asIfWriting(port, dashboard, timeOfDay) : port,
    );
  }

  /** Runs once more, to finish the batch of a job that was waited for; hands over nothing. */
  async finish(action: LedgerAction<C>, first: RunResult<C>, jobId: string): Promise<RunResult<C>> {
    this.#waitedFor.add(jobId);
    const second = await this.perform({
      send: (batch) => action.send(batch),
      render: (state, ticked) => action.render(state, ticked),
      onDone: (batch) => action.onDone(batch),
      choose: async () => ({ type: "nothing", changed: false, moved: {} }),
    });
    return { ...second, end: first.end, finished: [...first.finished, ...second.finished] };
  }

  #portFor(action: LedgerAction<C>): LedgerPort<C> {
    const { kind, dashboard, dependencies } = this.#options;
    return ledgerPort({
      dependencies,
      action,
      issue: dashboard?.ledger ?? null,
      reader: this.agent,
      onStatus: (jobId, status) => this.statuses.set(jobId, status),
      hasFollowUps: kind.hasFollowUps,
      waitedFor: this.#waitedFor,
      remember: (memory) => dependencies.outputs.saveState(this.#savedOf(memory)),
      draft: () => drawName(dependencies),
    });
  }

  /** Null: nothing is left to do for the post step. */
  #savedOf(memory: ClaimMemory<C> | null): SavedClaim<C> | null {
    const { kind, inputs, dashboard } = this.#options;
    if (memory === null || dashboard === null) return null;
    const { projectId, githubApiUrl } = inputs;
    const { place } = dashboard;
    return { ledger: kind.name, memory, place, projectId, githubApiUrl: githubApiUrl.href };
  }
}
