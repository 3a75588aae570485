import {
  type LocalWorld,
  type LocalWorldOptions,
  startLocalWorld,
} from "../../emulator/local-world/index.ts";
import { RepositoryHistory } from "../../emulator/local-world/repository-history.ts";
import { type RunOptions, type RunResult, startAction } from "../../emulator/runner/runner.ts";
import { runAction } from "./run-action.ts";
import type { DashboardIssue } from "./upkeep-world.ts";

/** Where the tasks are, unless a run says otherwise. */
export const TASKS_FILE = "docs/tasks.yml";

/** The local world, and a queue in its repository. */
export interface QueueWorld extends AsyncDisposable {
  world: LocalWorld;
  history: RepositoryHistory;
  /** What is in the file when the next run starts. */
  tasks: string;
  run(options?: RunOptions): Promise<RunResult>;
  start(options?: RunOptions): ReturnType<typeof startAction>;
  dashboards(): Promise<DashboardIssue[]>;
  /** The body of the only dashboard. */
  body(): Promise<string>;
  /** The prompts that the service took, in order. */
  prompts(): Promise<string[]>;
  /** Ticks every box of the only dashboard. */
  tick(): Promise<void>;
  /** Changes the only dashboard, as its repository's owner may. */
  editDashboard(fields: { body?: string; state?: "open" | "closed" }): Promise<void>;
  /** What the ledger's comments say. */
  comments(): Promise<string[]>;
}

export async function setQueueWorld(
  tasks: string,
  options: LocalWorldOptions = {},
): Promise<QueueWorld> {
  const world = await startLocalWorld({ steering: { durationMs: 0 }, ...options });
  const { github, service } = world;
  let runs = 6000;
  const complete = (over: RunOptions): RunOptions => {
    runs += 1;
    return {
      action: "queue",
      eventName: "schedule",
      event: {},
      repository: github.repository,
      apiUrl: github.url,
      serverUrl: github.url,
      token: github.token,
      runId: String(runs),
      workspaceFiles: { [TASKS_FILE]: scene.tasks },
      ...over,
      inputs: {
        "api-key": service.adminKey,
        "project-id": service.projectId,
        "base-url": service.url,
        "tasks-file": TASKS_FILE,
        ...over.inputs,
      },
    };
  };
  const dashboards = async () =>
    await github.api<DashboardIssue[]>("/issues?labels=docs-queue&state=all&per_page=100");
  const only = async () => {
    const found = await dashboards();
    const [dashboard] = found;
    if (dashboard === undefined || found.length > 1) throw new Error(`${found.length} dashboards`);
    return dashboard;
  };
  const editDashboard = async (body: { body?: string; state?: "open" | "closed" }) => {
    await github.api(`/issues/${(await only()).number}`, { method: "PATCH", body });
  };
  const scene: QueueWorld = {
    world,
    history: new RepositoryHistory(github),
    tasks,
    run: (over = {}) => runAction(complete(over)),
    start: (over = {}) => startAction(complete(over)),
    dashboards,
    body: async () => (await only()).body,
    prompts: async () => {
      const jobs = await service.jobs();
      return jobs.flatMap(({ turns }) => turns.map(({ prompt }) => prompt));
    },
    tick: async () => {
      const { body } = await only();
      await editDashboard({ body: body.replaceAll("- [ ] <!-- again=", "- [x] <!-- again=") });
    },
    editDashboard,
    comments: async () => {
      const path = `/issues/${(await only()).number}/comments?per_page=100`;
      return (await github.api<{ body: string }[]>(path)).map(({ body }) => body);
    },
    [Symbol.asyncDispose]: () => world.close(),
  };
  return scene;
}

/** What the output `tasks` says, as `id: state`. */
export function statesIn({ outputs }: RunResult): string[] {
  const tasks = JSON.parse(outputs.tasks ?? "") as { id: string; state: string }[];
  return tasks.map(({ id, state }) => `${id}: ${state}`);
}
