import type { Job } from "../service/agent.ts";
import { pullNumber } from "../text/link.ts";

/** Outputs that a job's record tells at any time. @param link its pull request's address, checked */
export function jobOutputs(job: Job, link: string | null): Record<string, string> {
  return {
    status: job.status,
    prLink: link ?? "",
    prNumber: link === null ? "" : pullNumber(link),
    model: job.model ?? "",
    repository: job.repository ?? "",
    ref: job.ref ?? "",
    createdAt: job.createdAt ?? "",
    archivedAt: job.archivedAt ?? "",
  };
}

/** Outputs that are set once the run is over. */
export function finalOutputs(job: Job): Record<string, string> {
  return {
    message: job.message ?? "",
    todos: job.todos === null ? "" : JSON.stringify(job.todos),
  };
}
