import { bareJob, type Job, type JobReply, type PolledJob } from "../../src/service/agent.ts";
import { type Failure, ServiceError } from "../../src/service/errors.ts";

/** A job with this status. Its record has the same fields. */
export function jobOf<Status extends string | null>(
  status: Status,
  more: Partial<Omit<Job, "status">> = {},
): Job & { status: Status } {
  const { id = "job_1", ...fields } = more;
  return { ...bareJob(id, status), record: { id, status, ...fields }, ...fields };
}

/** What a poll of a job brings. @param retryAfter in milliseconds */
export function replyOf(job: PolledJob, retryAfter: number | null = null): JobReply {
  return { job, retryAfter };
}

/** The error of a request that failed this way. @param retryAfter in milliseconds */
export function failureOf(failure: Failure, retryAfter?: number, message = "It failed") {
  return new ServiceError(failure, message, retryAfter);
}

/** The error of a request whose answer has this status. @param retryAfter in milliseconds */
export function answered(status: number, retryAfter?: number): ServiceError {
  return failureOf({ type: "status", status, body: "error" }, retryAfter, `answered ${status}`);
}
