/** Pull requests are merged, upkeep hands them to the agent, and its dashboard and its ledger show it. */

import type { LocalWorld } from "../../emulator/local-world/index.ts";
import type { RepositoryHistory } from "../../emulator/local-world/repository-history.ts";
import type { RunResult } from "../../emulator/runner/runner.ts";
import { details, heading, say, text } from "./console.ts";
import { showLedger } from "./ledger.ts";
import { StartError } from "./requirements.ts";
import { checkExit, runStep } from "./step.ts";

const MERGES = [
  { title: "Retry webhooks three times", labels: [] },
  { title: "Sort the imports", labels: ["skip-docs"] },
  { title: "Add the flag --output", labels: [] },
];

/** How often the job is polled until the schedule comes round again, and how long after each other. */
const POLLS = 100;
const BETWEEN_POLLS_MS = 200;

/** GitHub's clock between two runs of the schedule, in milliseconds. */
const HOUR = 60 * 60_000;

/**
 * Merges three pull requests, runs upkeep before and after the agent's work, and shows dashboard and ledger.
 *
 * @throws StartError when a run failed, or the changes are not documented in the end.
 */
export async function showUpkeep(world: LocalWorld): Promise<void> {
  // Loaded here, so that a missing package is reported as what it is.
  const { RepositoryHistory } = await import("../../emulator/local-world/repository-history.ts");
  const history = new RepositoryHistory(world.github);
  const since = await history.tip();
  await mergePulls(history);

  heading("Upkeep's first run: hands the changes to the agent, and does not wait");
  const first = await runUpkeep(world, since);
  expectResult(first, "started");
  say("", "The run has ended. The agent works on, for a few seconds.");
  await waitForJob(world, first.outputs.jobId ?? "");
  heading("Upkeep's next run, an hour later: finds the job ended");
  await history.advance(HOUR);
  expectResult(await runUpkeep(world, since), "idle");
  await showLedger(world, "upkeep");
}

async function mergePulls(history: RepositoryHistory): Promise<void> {
  heading("Three pull requests are merged");
  for (const [index, { title, labels }] of MERGES.entries()) {
    const path = `src/change-${index + 1}.ts`;
    const commits = [{ message: title, files: { [path]: `// ${title}\n` } }];
    const { number } = await history.land({ title, labels, commits }, "squash");
    text(`#${number} ${title}${labels.length === 0 ? "" : ` (label ${labels.join(", ")})`}`);
  }
}

/** Runs upkeep once, and shows log and outputs. */
async function runUpkeep(world: LocalWorld, since: string): Promise<RunResult> {
  const ran = await runStep(world, {
    action: "upkeep",
    eventName: "schedule",
    event: {},
    // What was in the repository before this scene is no change.
    inputs: { since },
  });
  checkExit("upkeep", ran);
  const { main } = ran;
  const { result = "", changeCount = "", waitingCount = "", dashboardUrl = "" } = main.outputs;
  details({ result, changeCount, waitingCount, dashboardUrl });
  return main;
}

function expectResult({ outputs }: RunResult, wanted: string): void {
  if (outputs.result !== wanted) {
    throw new StartError(`upkeep's result was '${outputs.result}', not '${wanted}'.`);
  }
}

/** Until the agent has ended its work: in a repository, the schedule comes round later. */
async function waitForJob({ service }: LocalWorld, id: string): Promise<void> {
  for (let poll = 1; poll <= POLLS; poll++) {
    const job = (await service.jobs()).find(({ record }) => record.id === id);
    if (job?.record.status === "completed") return;
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_POLLS_MS));
  }
  throw new StartError(`job ${id} did not complete.`);
}
