import type { Job } from "../../src/service/agent.ts";
import { type Failure, ServiceError } from "../../src/service/errors.ts";

/** A job in this status; its record holds what is given, as the service would have it. */
export function jobOf(status: string, more: Partial<Job> = {}): Job {
  const { id = "job_1", ...fields } = more;
  return { id, status, record: { id, status, ...fields }, ...fields };
}

/** A request that came to this. @param retryAfter milliseconds */
export function failureOf(failure: Failure, retryAfter?: number, message = "It failed") {
  return new ServiceError(failure, message, retryAfter);
}

/** A request that was answered with this status. @param retryAfter milliseconds */
export function answered(status: number, retryAfter?: number): ServiceError {
  return failureOf({ type: "status", status }, retryAfter, `answered ${status}`);
}
