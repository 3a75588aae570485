/** Pull requests are merged, upkeep hands them to the agent, and its dashboard and its ledger show it. */

import type { LocalWorld } from "../../emulator/local-world/index.ts";
import { heading, StartError, say, text } from "./console.ts";
import { runOnSchedule, showLedger } from "./step.ts";

const MERGES = [
  { title: "Retry webhooks three times", labels: [] },
  { title: "Sort the imports", labels: ["skip-docs"] },
  { title: "Add the flag --output", labels: [] },
];

/** The last line steers the emulated agent: a check of its pull request fails until it is told of that. */
const PROMPT = `Bring the documentation up to date with the changes below.
emulate: checks=red`;

/** GitHub's clock between two runs of the schedule, in milliseconds. */
const HOUR = 60 * 60_000;

/**
 * Merges three pull requests, runs upkeep before and after the agent's work, and shows dashboard and ledger.
 *
 * @throws StartError when a run failed, or the changes are not documented in the end.
 */
export async function showUpkeep(world: LocalWorld): Promise<void> {
  const { home, emulated } = world.github;
  // What was in the repository before this scene is no change.
  const since = home.tip();
  heading("Three pull requests are merged");
  for (const [index, { title, labels }] of MERGES.entries()) {
    const commits = [
      { message: title, files: { [`src/change-${index + 1}.ts`]: `// ${title}\n` } },
    ];
    const { number } = home.land({ title, labels, commits }, "squash");
    text(`#${number} ${title}${labels.length === 0 ? "" : ` (label ${labels.join(", ")})`}`);
  }
  heading("Upkeep's first run: hands the changes to the agent, and does not wait");
  await runUpkeep(world, since, "started");
  say("", "The run has ended. The agent works on, for a few seconds.");
  await world.service.untilJobsEnd();
  heading("Upkeep's next run, an hour later: finds the job ended");
  emulated.site.advance(HOUR);
  await runUpkeep(world, since, "idle");
  await showLedger(world, "upkeep");
}

async function runUpkeep(world: LocalWorld, since: string, wanted: string): Promise<void> {
  const outputs = ["result", "changeCount", "waitingCount", "dashboardUrl"];
  const { result } = await runOnSchedule(
    world,
    { action: "upkeep", inputs: { since, prompt: PROMPT } },
    outputs,
  );
  if (result !== wanted) throw new StartError(`upkeep's result was '${result}', not '${wanted}'.`);
}
