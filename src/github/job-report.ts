import { linkOf, type StepResult } from "../job/step-result.ts";
import type { Job } from "../service/agent.ts";
import { pullNumber } from "../text/link.ts";
import type { Reaction } from "./comments.ts";
import type { Report } from "./report.ts";

/** The parts of a report other than the result. */
interface ReportFacts {
  /** The job's id; empty when there is none. */
  id: string;
  /** The newest record; null when there is none. */
  job: Job | null;
  notes: readonly string[];
  runUrl: string;
  /** Milliseconds since the run began; undefined if the report leaves it out. */
  took: number | undefined;
}

/** The report on a run about a job. A run and collect write the same. */
export function jobReport(
  { severity, headline, what, quote, advice }: StepResult,
  { id, job, notes, runUrl, took }: ReportFacts,
): Report {
  const link = linkOf(job);
  return {
    ...{ severity, headline, what, quote, advice, notes, took, runUrl },
    message: quote === "" ? (job?.message ?? "") : "",
    todos: job?.todos ?? [],
    pullRequest: link === null ? null : { link, number: pullNumber(link) },
    jobId: id,
    status: job?.status ?? "",
  };
}

/** The reaction that shows the result to the requester. */
export function reactionTo({ severity }: Pick<StepResult, "severity">): Reaction {
  return severity === "error" ? "confused" : "rocket";
}
