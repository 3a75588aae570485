import type { Connect } from "../github/connect.ts";
import type { UpkeepInputs } from "../inputs/upkeep.ts";
import { asIfWriting } from "../ledger/dry-run.ts";
import { type ClaimMemory, drive, type LedgerPort } from "../ledger/effects.ts";
import { ledgerPort } from "../ledger/ledger-port.ts";
import type { OpenedDashboard } from "../ledger/open-ledger-issue.ts";
import { type RunResult, runLedger } from "../ledger/run-ledger.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { drawName } from "../runtime/draw-name.ts";
import type { JobReader } from "../service/agent.ts";
import { commentOnPulls } from "./comment-on-pulls.ts";
import type { UpkeepChange } from "./ledger-change.ts";
import type { SavedUpkeep } from "./saved-upkeep.ts";
import type { UpkeepSession } from "./session.ts";

export interface LedgerRunsOptions {
  inputs: UpkeepInputs;
  /** Null for a dry run of a project that has none yet. */
  dashboard: OpenedDashboard<UpkeepChange> | null;
  session: UpkeepSession;
  agent: JobReader;
  connect: Connect;
  dependencies: Dependencies;
}

/** Runs the ledger's protocol: once, and once more for a batch that was waited for. */
export class LedgerRuns {
  /** What the service said of each job that was polled. */
  readonly statuses = new Map<string, string>();
  readonly #options: LedgerRunsOptions;
  readonly #waitedFor = new Set<string>();

  constructor(options: LedgerRunsOptions) {
    this.#options = options;
  }

  async run(): Promise<RunResult<UpkeepChange>> {
    const { dependencies } = this.#options;
    return await drive(runLedger<UpkeepChange>({ claimId: drawName(dependencies) }), this.#port());
  }

  /** Finishes the batch of a job that was waited for. */
  async finish(first: RunResult<UpkeepChange>, jobId: string): Promise<RunResult<UpkeepChange>> {
    this.#waitedFor.add(jobId);
    const second = await this.run();
    return { ...second, end: first.end, finished: [...first.finished, ...second.finished] };
  }

  #port(): LedgerPort<UpkeepChange> {
    const { inputs, dashboard, session, agent, connect, dependencies } = this.#options;
    const { log, clock } = dependencies;
    const isFinishing = this.#waitedFor.size > 0;
    const port = ledgerPort({
      dependencies,
      issue: dashboard?.ledger ?? null,
      reader: agent,
      choose: async (state, ticked) =>
        isFinishing
          ? { type: "nothing", changed: false, moved: {} }
          : await session.choose(state, ticked),
      send: (batch) => session.send(batch),
      render: (state, ticked) => session.render(state, ticked),
      onDone: async (batch) => {
        if (inputs.comment && !inputs.dryRun) await commentOnPulls(batch, inputs, connect, log);
      },
      onStatus: (jobId, status) => this.statuses.set(jobId, status),
      hasFollowUps: true,
      waitedFor: this.#waitedFor,
      remember: (memory) => this.#remember(memory),
      draft: () => drawName(dependencies),
    });
    return inputs.dryRun ? asIfWriting(port, dashboard, clock.timeOfDay) : port;
  }

  #remember(memory: ClaimMemory<UpkeepChange> | null): void {
    const { inputs, dashboard, dependencies } = this.#options;
    const { projectId, githubApiUrl } = inputs;
    const saved: SavedUpkeep | null =
      memory === null || dashboard === null
        ? null
        : { memory, place: dashboard.place, projectId, githubApiUrl: githubApiUrl.href };
    dependencies.outputs.saveState(saved);
  }
}
