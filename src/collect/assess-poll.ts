import { explain } from "../job/failures.ts";
import type { Outcome } from "../job/outcome.ts";
import { isEnd, NOT_FOUND_GRACE, type PollResult, STALE_LIMIT } from "../job/poll.ts";
import type { ActionError } from "../runtime/errors.ts";
import { isStatus, type ServiceError } from "../service/errors.ts";
import type { JobComment } from "./plan-sweep.ts";

/** What a poll means for a comment about the job. */
export type Assessment =
  /** The comment is finished with this outcome. */
  | { type: "over"; outcome: Outcome }
  | { type: "running" }
  /** The poll told nothing: the next sweep polls again. */
  | { type: "poll-failed"; error: ServiceError }
  /** The key or the address is of no use, whatever is polled. */
  | { type: "refused"; error: ActionError };

/**
 * What follows from the one poll of a job, for a comment about it.
 *
 * @param now milliseconds since 1970 by GitHub's clock
 */
export function assessPoll(result: PollResult, comment: JobComment, now: number): Assessment {
  const { marker, updatedAt } = comment;
  const id = marker.job;
  // What the comment tells was written after the request was accepted.
  const since = now - updatedAt;
  if ("reply" in result) {
    const { job } = result.reply;
    const mayBeOld = (marker.later?.mayBeOld ?? false) && since < STALE_LIMIT;
    if (!isEnd(job.status) || mayBeOld) return { type: "running" };
    return { type: "over", outcome: { type: "ended", id, job } };
  }
  const { error } = result;
  if (isStatus(error.failure, 401, 403) || error.failure.type === "redirect") {
    return { type: "refused", error: explain(error, "poll") };
  }
  if (!isStatus(error.failure, 404, 410)) return { type: "poll-failed", error };
  if (since < NOT_FOUND_GRACE) return { type: "running" };
  const explained = explain(error, "poll");
  const request = "accepted";
  return { type: "over", outcome: { type: "error", id, job: null, request, error: explained } };
}
