/** What the polls of a sweep mean for the comments about their jobs. Pure. */

import type { FinishingFacts, JobComment } from "../github/conversation/job-marker.ts";
import { afterMissing, isWithoutPull, USUAL_DEADLINE } from "../job/doubt.ts";
import { explainFailure, POLL } from "../job/failures.ts";
import { hasEnded, STALE_LIMIT } from "../job/poll.ts";
import type { Outcome } from "../job/step-result.ts";
import type { ActionError } from "../runtime/errors.ts";
import { hasPullRequest, type Job } from "../service/agent.ts";
import { ServiceError } from "../service/errors.ts";

/** What became of the poll of a job, for its comments. */
export type JobPoll =
  /** The job was not polled, because the sweep makes no more polls. */
  | { type: "skipped" }
  /** The poll failed in passing. */
  | { type: "unread"; comments: readonly JobComment[] }
  /** No job can be polled. */
  | { type: "refused"; comments: readonly JobComment[]; error: ActionError }
  /** An error if the service does not know the job. */
  | { type: "polled"; comments: readonly JobComment[]; job: Job | ServiceError };

/** What the polls of a sweep found, in their order. @param now milliseconds since 1970 by GitHub's clock */
export function summed(polls: readonly JobPoll[], now: number) {
  const polled = polls.filter((poll) => poll.type === "polled");
  const isAnyFound = polled.some(({ job }) => !(job instanceof ServiceError));
  const judged = polled.flatMap(({ comments, job }) =>
    comments.map((comment) => ({ comment, ...judgeComment(job, comment, now, isAnyFound) })),
  );
  const ended = judged.flatMap(({ comment, outcome }) =>
    outcome === null ? [] : [{ comment, outcome }],
  );
  const doubted = judged.filter(
    ({ comment, outcome, doubt }) => outcome === null && doubt !== doubtIn(comment),
  );
  const unpolled = polls.flatMap((poll) =>
    poll.type === "unread" || poll.type === "refused" ? poll.comments : [],
  );
  return {
    checked: judged.length + unpolled.length,
    running: judged.length - ended.length,
    refused: polls.find((poll) => poll.type === "refused")?.error ?? null,
    isNoneFound: !isAnyFound && judged.some(({ doubt }) => doubt?.found === "no-job"),
    ended,
    doubted,
  };
}

type Doubt = FinishingFacts["doubt"];

function doubtIn({ marker }: JobComment): Doubt {
  return marker.later?.doubt ?? null;
}

/**
 * What a poll of a job means for a comment about it.
 *
 * @param isAnyFound whether the service knows any job that the sweep polled
 * @returns `outcome`: null if the comment is not to be finished yet. `doubt`: what is to be remembered for
 * the next poll
 */
export function judgeComment(
  job: Job | ServiceError,
  comment: JobComment,
  now: number,
  isAnyFound: boolean,
): { outcome: Outcome | null; doubt: Doubt } {
  const { later } = comment.marker;
  const doubt = doubtIn(comment);
  const since = (found: NonNullable<Doubt>["found"]) =>
    doubt?.found === found ? Date.parse(doubt.at) : null;
  if (job instanceof ServiceError) {
    const missingSince = since("no-job");
    // The comment was updated after the request was accepted, and again when a poll did not find the job.
    const acceptedAt = Math.min(comment.updatedAt, missingSince ?? now);
    const how = { isAnyFound, deadline: USUAL_DEADLINE };
    const after = afterMissing({ acceptedAt, missingSince }, now, how);
    if (!after.isUnknown)
      return { outcome: null, doubt: doubtOf("no-job", after.missingSince, doubt) };
    const error = explainFailure(job, POLL);
    return { outcome: { type: "error", job: null, request: "accepted", error }, doubt: null };
  }
  const mayBeOld = later?.mayBeOld && now - comment.updatedAt < STALE_LIMIT;
  if (!hasEnded(job) || mayBeOld) return { outcome: null, doubt: null };
  const mayGetPull = job.status !== "failed" && !hasPullRequest(job);
  if (mayGetPull && !isWithoutPull(since("no-pull"), now)) {
    return { outcome: null, doubt: doubtOf("no-pull", since("no-pull") ?? now, doubt) };
  }
  return { outcome: { type: "ended", job, mayGetPull: false }, doubt: null };
}

/** @param before the same one as an earlier sweep remembered it, if it is still the same */
function doubtOf(found: NonNullable<Doubt>["found"], since: number | null, before: Doubt): Doubt {
  if (since === null) return null;
  if (before?.found === found && Date.parse(before.at) === since) return before;
  return { found, at: new Date(since).toISOString() };
}
