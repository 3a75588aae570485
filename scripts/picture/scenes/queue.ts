// The queue: runs until its dashboard has something to show in every section.
import { stringify } from "yaml";
import { type LocalWorld, startLocalWorld } from "../../../emulator/local-world/index.ts";
import { RepositoryHistory } from "../../../emulator/local-world/repository-history.ts";
import type { Part } from "../page.ts";
import { dashboard } from "./dashboard.ts";
import { runStep } from "./step.ts";

const FILE = "docs/tasks.yml";
/** GitHub's clock between two runs, in milliseconds. */
const TEN_MINUTES = 10 * 60_000;

/** What each task is steered to come to, in the order of the file. */
const TASKS: Record<string, string> = {
  users: "duration=0ms",
  orders: "duration=0ms",
  "quick-start": "duration=0ms outcome=no-changes",
  invoices: "duration=0ms outcome=failed",
  refunds: "duration=0ms",
  webhooks: "duration=0ms",
  exports: "duration=never",
  search: "duration=never",
  keys: "duration=never",
  limits: "duration=never",
  quotas: "duration=never",
};

export async function showQueue(): Promise<Part[]> {
  await using world = await startLocalWorld();
  const history = new RepositoryHistory(world.github);
  for (let run = 1; run <= 4; run++) {
    await history.advance(TEN_MINUTES);
    await runQueue(world);
  }
  return await dashboard(world, "docs-queue");
}

async function runQueue(world: LocalWorld): Promise<void> {
  await runStep(world, {
    action: "queue",
    eventName: "schedule",
    workspaceFiles: { [FILE]: stringify(tasks()) },
    inputs: { "tasks-file": FILE, "max-attempts": "1" },
  });
}

function tasks(): { id: string; prompt: string }[] {
  return Object.entries(TASKS).map(([id, steering]) => {
    const prompt =
      id === "quick-start" ? "Apply docs/style-guide.md." : `Document the endpoints below /${id}.`;
    return { id, prompt: `${prompt}\nemulate: ${steering}` };
  });
}
