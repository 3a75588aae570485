import type { JobComment } from "../github/job-marker.ts";
import { explain } from "../job/failures.ts";
import { isEnd, NOT_FOUND_GRACE, STALE_LIMIT } from "../job/poll.ts";
import { linkOf, type Outcome } from "../job/step-result.ts";
import { SinglePolls } from "../job/wait.ts";
import { inParallel } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import type { Job } from "../service/agent.ts";
import { createAgent } from "../service/agent-v2.ts";
import { ServiceError } from "../service/errors.ts";
import { type CollectRun, finishComment } from "./finish-comment.ts";

/** A finished comment in the output `finished`. */
export interface FinishedComment {
  jobId: string;
  /** Empty if it is not known. */
  status: string;
  prLink: string;
  commentUrl: string;
}

/** What a sweep has done, counted in comments. */
export interface SweepResult {
  checked: number;
  running: number;
  finished: FinishedComment[];
  /** Set if no job can be polled: the service refuses the key, or is not at this URL. */
  refused: ActionError | null;
}

/** Maximum number of polls at the same time. */
const MAX_POLLS = 8;
/** After this many failed polls in a row, a sweep makes no more. */
const MOST_FAILED = 16;
/**
 * One sweep: polls the job of each comment once, and finishes the comments of those that have ended.
 *
 * @param comments the unfinished comments whose runs have ended
 * @param now milliseconds since 1970 by GitHub's clock
 */
export async function sweep(
  comments: readonly JobComment[],
  now: number,
  run: CollectRun,
): Promise<SweepResult> {
  const { log, cancellation } = run.dependencies;
  const { ended, ...counts } = await pollJobs(comments, now, run);
  const finished: FinishedComment[] = [];
  // GitHub's guidelines require one write after the other.
  for (const { comment, outcome } of ended) {
    if (cancellation.stop.aborted) break;
    const written = await finishComment(comment, outcome, run);
    if (written === "limited") {
      log.warning("GitHub's rate limit is reached. The next sweep does the rest.");
      break;
    }
    if (written === "left") continue;
    const { url: commentUrl, marker } = comment;
    const { status = "" } = outcome.job ?? {};
    log.info(`Finished ${commentUrl}${status === "" ? "" : ` (job ${status})`}.`);
    const prLink = linkOf(outcome.job) ?? "";
    finished.push({ jobId: marker.job, status, prLink, commentUrl });
  }
  return { ...counts, finished };
}

async function pollJobs(comments: readonly JobComment[], now: number, run: CollectRun) {
  const { inputs, dependencies } = run;
  const { stop } = dependencies.cancellation;
  const polls = new SinglePolls(dependencies, MOST_FAILED);
  const ended: { comment: JobComment; outcome: Outcome }[] = [];
  const result = { checked: 0, running: 0, refused: null as ActionError | null, ended };
  const jobs = Map.groupBy(comments, ({ marker }) => marker.job);
  await inParallel([...jobs], MAX_POLLS, async ([id, ofJob]) => {
    if (result.refused !== null || polls.isOver || stop.aborted) return;
    result.checked += ofJob.length;
    try {
      const agent = await createAgent(ofJob[0]?.marker.api ?? "", inputs, dependencies);
      const job = await polls.poll(agent, id);
      for (const comment of job === null ? [] : ofJob) {
        const outcome = job && outcomeOf(job, comment, now);
        if (outcome) ended.push({ comment, outcome });
        else result.running += 1;
      }
    } catch (error) {
      if (!(error instanceof ActionError)) throw error;
      result.refused ??= error;
    }
  });
  return result;
}

/** The outcome for a comment about a job; null if the job is still at work. */
export function outcomeOf(
  job: Job | ServiceError,
  { marker, updatedAt }: JobComment,
  now: number,
): Outcome | null {
  const id = marker.job;
  // The comment was updated after the request was accepted.
  const since = now - updatedAt;
  if (job instanceof ServiceError) {
    if (since < NOT_FOUND_GRACE) return null;
    return { type: "error", id, job: null, request: "accepted", error: explain(job, "poll") };
  }
  const mayBeOld = marker.later?.mayBeOld && since < STALE_LIMIT;
  return isEnd(job.status) && !mayBeOld ? { type: "ended", id, job } : null;
}
