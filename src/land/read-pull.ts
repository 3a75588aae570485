/** Reads the facts about one docs pull request: from GitHub, and of its preview's build. */

import type { Asker } from "../github/api/questions.ts";
import { readPullFiles } from "../github/changes/pull-files.ts";
import { endOfBuild } from "../service/builds.ts";
import { isStatus, ServiceError } from "../service/errors.ts";
import { sentence } from "../text/sentence.ts";
import { placeOf } from "./acts.ts";
import type { BuildFacts, JobFacts, PullFacts, PullReading } from "./facts.ts";
import { findDocsPull, readCodePull, unreadOf } from "./find-pulls.ts";
import type { Entry } from "./ledger.ts";
import { withLogs } from "./logs.ts";
import { isMerging } from "./merging.ts";
import { buildProblem } from "./problems.ts";
import { hasRails } from "./rails.ts";
import { afterReading } from "./revision.ts";
import type { LandRun } from "./run.ts";
import { sightOf } from "./sight.ts";
import { nextStep } from "./step.ts";

export async function readPull(
  entry: Entry,
  job: JobFacts,
  asker: Asker,
  run: LandRun,
): Promise<PullReading> {
  const asked = [findDocsPull(entry, run), readCodePull(entry, asker, run)] as const;
  const [found, codePull] = await Promise.all(asked);
  if (found.type === "unread") return found;
  const { pull } = found;
  const home = { name: run.repository, id: run.repositoryId };
  const sight = await sightOf(entry, pull, home, run.visibilityOf);
  const facts = { pull, job, files: null, codePull, buildLog: null, sight };
  if (pull.state.type !== "open") return { type: "read", facts, build: null };
  const place = placeOf(entry, facts);
  try {
    const build = await readNewBuild(entry, facts, run);
    const buildLog = build?.type === "failed" ? build.log : null;
    const built = { ...facts, buildLog };
    const reading: PullReading = { type: "read", facts: built, build };
    const known = afterReading(entry, reading, run.store.now) ?? entry;
    const files = await readFiles(known, built, run);
    const logged = await withLogs({ ...built, files }, known, place, run);
    return { type: "read", facts: { ...built, files, pull: logged }, build };
  } catch (error) {
    return unreadOf(error);
  }
}

/**
 * Reads its files at its head if it is to be merged, or if GitHub's list, which may be behind, does not say enough. A
 * conflict may be one with its own commits, if they were pushed to the base.
 */
async function readFiles(
  entry: Entry,
  facts: PullFacts,
  { inputs, connect, store }: LandRun,
): Promise<PullFacts["files"]> {
  const { pull } = facts;
  const isNeeded = () => {
    if (!hasRails(inputs)) return false;
    if (!inputs.allowedPaths.isEmpty && pull.listedPaths === null) return true;
    return entry.intent === null && isMerging(nextStep(facts, entry, inputs, store.now));
  };
  if (pull.isConflicting !== true && !isNeeded()) return null;
  return await readPullFiles(await connect(), pull);
}

/** Reads the build of a preview that has not ended, or whose log is not sent yet. */
async function readNewBuild(
  { preview, sent }: Entry,
  { pull: { head } }: Pick<PullFacts, "pull">,
  run: LandRun,
): Promise<BuildFacts | null> {
  if (preview?.state === "building") return await readBuild(preview.statusId, run);
  if (preview?.state !== "failed" || preview.head !== head) return null;
  return sent.includes(buildProblem(preview.statusId)) ? null : readBuild(preview.statusId, run);
}

/** Reads the build of a preview. @returns null if it could not be read */
async function readBuild(
  statusId: string,
  { builds, dependencies }: LandRun,
): Promise<BuildFacts | null> {
  try {
    const { build } = await builds.get(statusId, { signal: dependencies.cancellation.stop });
    if (build.status === "success") return { type: "built" };
    if (build.status !== "failure") return { type: "building" };
    return { type: "failed", log: endOfBuild(build) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    dependencies.log.info(`The build of a preview could not be read: ${sentence(error.message)}`);
    return isStatus(error.failure, 404, 410) ? { type: "forgotten" } : null;
  }
}
