import type { JobMarker } from "../github/job-marker.ts";
import type { Place } from "../github/markers.ts";

/** A comment about a job that took its run's request. */
export interface JobComment {
  place: Place;
  id: number;
  url: string;
  /** What stands for its text: another one means that it was written anew. */
  digest: string;
  /** When it was last written, in milliseconds since 1970 by GitHub's clock. */
  updatedAt: number;
  marker: JobMarker;
}

/** What a sweep does about the comments that it found. */
export interface SweepPlan {
  /** The comments that are finished once their job has ended, by the job's id. */
  jobs: Map<string, JobComment[]>;
  /** Comments whose job has since been sent a further request, each with the comment about that request. */
  superseded: { comment: JobComment; by: JobComment }[];
  /** How many comments are left to their run, which may still wait. */
  left: number;
}

/**
 * How long a run may need for the rest once its waiting is over, in milliseconds: a last poll, and what it
 * writes to a GitHub that answers slowly.
 */
const MARGIN = 10 * 60_000;
/** How long a run may wait whose comment does not tell, in milliseconds: GitHub ends jobs after six hours. */
const UNTOLD_WAIT = 6 * 60 * 60_000;

/** Whether the run that wrote a comment may still be there to write more. @param now by GitHub's clock */
export function mayStillWait({ marker, updatedAt }: JobComment, now: number): boolean {
  const waits = marker.later === undefined ? UNTOLD_WAIT : marker.later.waits;
  return waits !== null && now < updatedAt + waits + MARGIN;
}

/**
 * Which comments are finished, and how. One job may have several: of the requests that it was sent, the
 * last is the one whose end its record tells.
 *
 * @param found in any order
 * @param now milliseconds since 1970 by GitHub's clock
 */
export function planSweep(found: readonly JobComment[], now: number): SweepPlan {
  const plan: SweepPlan = { jobs: new Map(), superseded: [], left: 0 };
  const last = new Map<string, JobComment>();
  for (const comment of found) {
    const { job } = comment.marker;
    const before = last.get(job);
    if (isRequest(comment) && (before === undefined || isLater(comment, before))) {
      last.set(job, comment);
    }
  }
  for (const comment of found) {
    const { job, ended } = comment.marker;
    if (ended) continue;
    const by = last.get(job);
    if (mayStillWait(comment, now)) plan.left += 1;
    else if (by !== undefined && isLater(by, comment)) plan.superseded.push({ comment, by });
    else plan.jobs.set(job, [...(plan.jobs.get(job) ?? []), comment]);
  }
  return plan;
}

/** Whether a comment is about a request to its job: an invitation is not, nor a run that only waited. */
function isRequest({ marker: { ended, later } }: JobComment): boolean {
  return later === undefined ? !ended : later.isRequest;
}

/** Whether a comment is about a later request than another. */
function isLater(one: JobComment, other: JobComment): boolean {
  const [at, before] = [one.marker.later?.requestedAt, other.marker.later?.requestedAt];
  if (at === undefined || before === undefined || at === before) return one.id > other.id;
  return at > before;
}
