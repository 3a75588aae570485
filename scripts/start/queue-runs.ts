/** A queue works through a list of tasks, over several runs, and its dashboard and its ledger show how far it is. */

import type { LocalWorld } from "../../emulator/local-world/index.ts";
import type { RunResult } from "../../emulator/runner/runner.ts";
import { details, heading, say, text } from "./console.ts";
import { showLedger } from "./ledger.ts";
import { StartError } from "./requirements.ts";
import { checkExit, runStep } from "./step.ts";

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
/** Until the jobs of a run have ended: in a repository, the schedule comes round later. */
const BETWEEN_RUNS_MS = 400;

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
  let ran: RunResult | null = null;
  for (let run = 1; ran?.outputs.result !== "finished"; run++) {
    heading(`The queue's run ${run}: at most two tasks at a time`);
    ran = await runQueue(world);
    if (run === MOST_RUNS) throw new StartError("the queue did not come to its end.");
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_RUNS_MS));
  }
  const { doneCount, needsDecisionCount } = ran.outputs;
  if (doneCount !== "3" || needsDecisionCount !== "1") {
    throw new StartError(`${doneCount} tasks are done, and ${needsDecisionCount} to decide on.`);
  }
  await showLedger(world, "queue");
}

/** Runs the queue once, and shows log and outputs. */
async function runQueue(world: LocalWorld): Promise<RunResult> {
  const ran = await runStep(world, {
    action: "queue",
    eventName: "schedule",
    event: {},
    workspaceFiles: { [FILE]: TASKS },
    inputs: { "tasks-file": FILE, "max-running": "2" },
  });
  checkExit("the queue", ran);
  const { main } = ran;
  const { result = "", startedCount = "", doneCount = "", waitingCount = "" } = main.outputs;
  details({ result, startedCount, doneCount, waitingCount });
  return main;
}
