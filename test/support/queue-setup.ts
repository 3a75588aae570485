import type { LocalWorldOptions } from "../../emulator/local-world/index.ts";
import type { RunResult } from "../../emulator/runner/runner.ts";
import { type LedgerSetup, setUpLedger } from "./ledger-setup.ts";

/** Where the tasks are, unless a run says otherwise. */
export const TASKS_FILE = "docs/tasks.yml";

/** The local world, and a queue in its repository. */
export interface QueueSetup extends LedgerSetup {
  /** What is in the file when the next run starts. */
  tasks: string;
}

export async function setUpQueue(
  tasks: string,
  options: LocalWorldOptions = {},
): Promise<QueueSetup> {
  const file = { tasks };
  const step = () => ({
    workspaceFiles: { [TASKS_FILE]: file.tasks },
    inputs: { "tasks-file": TASKS_FILE },
  });
  const queue = { action: "queue" as const, label: "docs-queue", stepOf: async () => step };
  return Object.assign(file, await setUpLedger(queue, options));
}

/** What the output `tasks` says, as `id: state`. */
export function statesIn({ outputs }: RunResult): string[] {
  const tasks = JSON.parse(outputs.tasks ?? "") as { id: string; state: string }[];
  return tasks.map(({ id, state }) => `${id}: ${state}`);
}
