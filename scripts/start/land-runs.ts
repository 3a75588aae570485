/** A check of upkeep's docs pull request fails, the agent mends it, and land merges it. */

import type { LocalWorld } from "../../emulator/local-world/index.ts";
import { heading, StartError, say, text, withoutHidden } from "./console.ts";
import { runOnSchedule } from "./step.ts";

/** GitHub's clock between two runs of the schedule, in milliseconds. */
const HOUR = 60 * 60_000;

const STEP = { action: "land", inputs: { merge: "checks", "allowed-paths": "docs/**" } };
const SHOWN = ["openCount", "followUpCount", "mergedCount", "needsPersonCount"];

/**
 * Runs land before and after the agent mends its pull request, and shows the comment on it.
 *
 * @throws StartError when a run failed, or nothing is merged in the end.
 */
export async function showLand(world: LocalWorld): Promise<void> {
  heading("Land's first run: tells the agent of the failed check of its pull request");
  await runLand(world, "followUpCount");
  say("", "The agent mends its pull request, in a few seconds.");
  await world.service.untilJobsEnd();
  heading("Land's next run, an hour later: all checks are green, so the pull request is merged");
  world.github.emulated.site.advance(HOUR);
  const { pullRequests } = await runLand(world, "mergedCount");
  const merged = JSON.parse(pullRequests ?? "[]").find(
    (it: { state: string }) => it.state === "merged",
  );
  const number = String(merged?.url).split("/").at(-1);
  const [comment] = await world.github.api<{ body: string }[]>(`/issues/${number}/comments`);
  heading(`Land's comment on docs pull request #${number}`);
  text(withoutHidden(comment?.body ?? "There is none."));
}

/** @param wanted the output that has to be 1 */
async function runLand(world: LocalWorld, wanted: string): Promise<Record<string, string>> {
  const outputs = await runOnSchedule(world, STEP, SHOWN);
  if (outputs[wanted] === "1") return outputs;
  throw new StartError(`land's ${wanted} was '${outputs[wanted]}', not '1'.`);
}
