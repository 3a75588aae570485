/** How a turn comes out, and the pull request that comes with it. */

import type { GitHubAccess, Project } from "../project.ts";
import type { Job, Turn, TurnOutcome } from "./job.ts";
import { claimPullRequest, publishChanges } from "./pull-request.ts";

/** Where a job's changes go. */
export interface Publishing {
  /** Null: a pull request is only claimed. */
  github: GitHubAccess | null;
  project: Project;
  /** Number of the pull request to claim. */
  number: number;
}

/**
 * Works out the outcome of a turn as it was steered. Sets the job's `prLink`.
 *
 * A pull request that could not be opened makes the turn fail, with what GitHub said as the reason.
 */
export async function workOutOutcome(
  job: Job,
  turn: Turn,
  publishing: Publishing,
): Promise<Omit<TurnOutcome, "at">> {
  const { outcome, pr } = turn.steering;
  if (outcome === "failed") return { status: "failed", reason: "steered to fail" };
  if (outcome === "archived") return { status: "archived", reason: null };
  if (outcome === "no-changes" || pr === "none") return { status: "completed", reason: null };
  try {
    job.prLink = pr === "open" ? await openPullRequest(job, publishing) : pr;
    return { status: "completed", reason: null };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { status: "failed", reason: `The pull request could not be opened: ${reason}` };
  }
}

async function openPullRequest(job: Job, { github, project, number }: Publishing): Promise<string> {
  if (github !== null) return publishChanges(github, project, job);
  return job.prLink ?? claimPullRequest(project, number);
}
