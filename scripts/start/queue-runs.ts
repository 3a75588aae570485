/** A queue works through a list of tasks, over several runs, and its dashboard and its ledger show how far it is. */

import type { LocalWorld } from "../../emulator/local-world/index.ts";
import { heading, StartError, say, text } from "./console.ts";
import { runOnSchedule, showLedger } from "./step.ts";

const FILE = "docs/tasks.yml";
/** The last one is refused: the emulated service knows no such option. */
const TASKS = `- id: users
  prompt: |
    Document the endpoints below /users.
    emulate: duration=200ms
- id: orders
  prompt: |
    Document the endpoints below /orders.
    emulate: duration=200ms
- id: style
  prompt: |
    Apply the style guide to the first page.
    emulate: duration=200ms outcome=no-changes
- id: mistake
  prompt: |
    This one is refused.
    emulate: nonsense
`;
/** More runs than the tasks take. */
const MOST_RUNS = 10;

/**
 * Runs the queue until nothing is left to start, and shows dashboard and ledger.
 *
 * @throws StartError when a run failed, or the tasks are not done in the end.
 */
export async function showQueue(world: LocalWorld): Promise<void> {
  heading(`A queue's tasks: ${FILE}`);
  say(
    'The lines "emulate:" steer the emulated service; the last one makes it refuse the task.',
    "",
  );
  text(TASKS);
  const step = {
    ...{ action: "queue", workspaceFiles: { [FILE]: TASKS } },
    inputs: { "tasks-file": FILE, "max-running": "2" },
  };
  const shown = ["result", "startedCount", "doneCount", "waitingCount"];
  let outputs: Record<string, string> = {};
  for (let run = 1; outputs.result !== "finished"; run++) {
    if (run > MOST_RUNS) throw new StartError("the queue did not come to its end.");
    heading(`The queue's run ${run}: at most two tasks at a time`);
    outputs = await runOnSchedule(world, step, shown);
    await world.service.untilJobsEnd();
  }
  const { doneCount, needsDecisionCount } = outputs;
  if (doneCount !== "3" || needsDecisionCount !== "1") {
    throw new StartError(`${doneCount} tasks are done, and ${needsDecisionCount} to decide on.`);
  }
  await showLedger(world, "queue");
}
