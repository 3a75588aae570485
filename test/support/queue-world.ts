import type { LocalWorldOptions } from "../../emulator/local-world/index.ts";
import type { RunResult } from "../../emulator/runner/runner.ts";
import { type LedgerWorld, setLedgerWorld } from "./ledger-world.ts";

/** Where the tasks are, unless a run says otherwise. */
export const TASKS_FILE = "docs/tasks.yml";

/** The local world, and a queue in its repository. */
export interface QueueWorld extends LedgerWorld {
  /** What is in the file when the next run starts. */
  tasks: string;
}

export async function setQueueWorld(
  tasks: string,
  options: LocalWorldOptions = {},
): Promise<QueueWorld> {
  const file = { tasks };
  const step = () => ({
    workspaceFiles: { [TASKS_FILE]: file.tasks },
    inputs: { "tasks-file": TASKS_FILE },
  });
  const queue = { action: "queue" as const, label: "docs-queue", stepOf: async () => step };
  return Object.assign(file, await setLedgerWorld(queue, options));
}

/** What the output `tasks` says, as `id: state`. */
export function statesIn({ outputs }: RunResult): string[] {
  const tasks = JSON.parse(outputs.tasks ?? "") as { id: string; state: string }[];
  return tasks.map(({ id, state }) => `${id}: ${state}`);
}
