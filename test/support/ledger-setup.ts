import { type LocalWorldOptions, startLocalWorld } from "../../emulator/local-world/index.ts";
import type { LocalGitHub } from "../../emulator/local-world/local-github.ts";
import type { RunOptions } from "../../emulator/runner/runner.ts";
import { type LedgerAtRef, ledgersOf } from "./ledgers-of.ts";
import { type LocalRuns, runsIn } from "./local-runs.ts";

/** The route of create requests to the service of the local world. */
export const CREATE_IN_WORLD = "POST /v2/agent/acme-docs/job";

/** The local world, and an action that keeps a ledger in its repository. */
export interface LedgerSetup extends LocalRuns {
  history: LocalGitHub;
  dashboards(): Promise<DashboardIssue[]>;
  /** The body of the only dashboard. */
  body(): Promise<string>;
  /** The prompts that the service accepted, in order. */
  prompts(): Promise<string[]>;
  /** Ticks all boxes of a kind on the only dashboard. Default: those that hand over again. */
  tick(box?: "again" | "leave" | "go-on"): Promise<void>;
  /** Changes the only dashboard, as the repository's owner. */
  editDashboard(fields: { body?: string; state?: "open" | "closed" }): Promise<void>;
  /** Every ref below `refs/docs-agent/`, with the ledger at it and the messages of its commits. */
  ledgers(): LedgerAtRef[];
  /** The only ledger. */
  ledger(): LedgerAtRef;
}

export interface DashboardIssue {
  number: number;
  title: string;
  state: string;
  body: string;
}

/** An action with a ledger. `stepOf` returns the options of each of its runs. */
export interface LedgerAction {
  action: "upkeep" | "queue" | "land" | "gate";
  label: string;
  stepOf(history: LocalGitHub): Promise<() => RunOptions>;
}

export async function setUpLedger(
  { action, label, stepOf }: LedgerAction,
  options: LocalWorldOptions,
): Promise<LedgerSetup> {
  const world = await startLocalWorld({ steering: { durationMs: 0 }, ...options });
  const { github, service } = world;
  const history = github;
  const step = await stepOf(history);
  const runs = runsIn(world, 5000, () => ({
    action,
    eventName: "schedule",
    event: {},
    ...step(),
  }));
  const dashboards = async () =>
    await github.api<DashboardIssue[]>(`/issues?labels=${label}&state=all&per_page=100`);
  const only = async () => {
    const all = await dashboards();
    const [dashboard] = all;
    if (dashboard === undefined || all.length > 1) throw new Error(`${all.length} dashboards`);
    return dashboard;
  };
  const editDashboard = async (body: { body?: string; state?: "open" | "closed" }) => {
    await github.api(`/issues/${(await only()).number}`, { method: "PATCH", body });
  };
  return {
    ...runs,
    history,
    dashboards,
    body: async () => (await only()).body,
    prompts: async () => {
      const jobs = await service.jobs();
      return jobs.flatMap(({ turns }) => turns.map(({ prompt }) => prompt));
    },
    tick: async (box = "again") => {
      const { body } = await only();
      await editDashboard({ body: body.replaceAll(`- [ ] <!-- ${box}:`, `- [x] <!-- ${box}:`) });
    },
    editDashboard,
    ledgers: () => ledgersOf(github.home),
    ledger: () => {
      const [ledger, ...others] = ledgersOf(github.home);
      if (ledger === undefined || others.length > 0) throw new Error(`${others.length} others`);
      return ledger;
    },
  };
}
