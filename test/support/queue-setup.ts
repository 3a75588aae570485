import type { LocalWorldOptions } from "../../emulator/local-world/index.ts";
import type { RunResult } from "../../emulator/runner/runner.ts";
import { type LedgerAction, type LedgerSetup, setUpLedger } from "./ledger-setup.ts";

/** Default path of the tasks file. */
export const TASKS_FILE = "docs/tasks.yml";

/** The local world, with a queue in its repository. */
export interface QueueSetup extends LedgerSetup {
  /** Content of the tasks file for the next run. */
  tasks: string;
}

export async function setUpQueue(
  tasks: string,
  options: LocalWorldOptions = {},
): Promise<QueueSetup> {
  const step = () => ({
    workspaceFiles: { [TASKS_FILE]: setup.tasks },
    inputs: { "tasks-file": TASKS_FILE },
  });
  const queue: LedgerAction = { action: "queue", label: "docs-queue", stepOf: async () => step };
  const setup: QueueSetup = { ...(await setUpLedger(queue, options)), tasks };
  return setup;
}

/** A tasks file in JSON, with a task for each ID. */
export function tasksFile(...ids: string[]): string {
  return JSON.stringify(ids.map((id) => ({ id, prompt: `Document ${id}.` })));
}

/** The tasks in the output `tasks`, as `id: state`. */
export function statesIn({ outputs }: RunResult): string[] {
  const tasks = JSON.parse(outputs.tasks ?? "") as { id: string; state: string }[];
  return tasks.map(({ id, state }) => `${id}: ${state}`);
}
