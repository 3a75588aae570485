import { startBuild } from "../job/build.ts";
import type { LandRun } from "./run.ts";

/** How long the request may be repeated, in milliseconds: the merges are done, and nobody waits for the build. */
const START_LIMIT = 30_000;

/** Starts the project's deployment after a merge, without waiting for it. Never fails the run. */
export async function deployMerged({ builds, dependencies }: LandRun): Promise<void> {
  const { clock, log } = dependencies;
  const deadline = clock.now() + START_LIMIT;
  const sent = await startBuild(builds, { type: "deployment" }, deadline, dependencies);
  if (sent.type === "accepted") {
    log.info(`Started build ${sent.reply.statusId} of the documentation, because of a merge.`);
    return;
  }
  const { problem, advice } = sent.explained;
  log.warning(`The documentation was merged, but its build was not started: ${problem} ${advice}`);
}
