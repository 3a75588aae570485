import type { Job } from "../../src/service/agent.ts";
import { type Failure, ServiceError } from "../../src/service/errors.ts";

/** A job with this status. Its record has the same fields. */
export function jobOf(status: string, more: Partial<Job> = {}): Job {
  const { id = "job_1", ...fields } = more;
  return { id, status, record: { id, status, ...fields }, ...fields };
}

/** The error of a request that failed this way. @param retryAfter in milliseconds */
export function failureOf(failure: Failure, retryAfter?: number, message = "It failed") {
  return new ServiceError(failure, message, retryAfter);
}

/** The error of a request whose answer has this status. @param retryAfter in milliseconds */
export function answered(status: number, retryAfter?: number): ServiceError {
  return failureOf({ type: "status", status }, retryAfter, `answered ${status}`);
}
