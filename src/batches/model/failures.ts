/** What fails in a row: after too much of it, nothing more is handed over until a person goes on. */

import { withFields } from "../../ledger/file.ts";
import { counted } from "../../text/sentence.ts";
import type { Halt, Ledger } from "./ledger.ts";
import type { BatchRevision } from "./revision.ts";

/** After this many consecutive refusals of a queue's tasks, something may be wrong for all of them. */
export const MOST_REFUSED_TASKS = 3;

export const NO_FAILURES: Ledger["failures"] = { jobs: 0, refusals: 0, halt: null };

export function isHalted({ failures }: Ledger): boolean {
  return failures.halt !== null;
}

/** Counts a failed job. @param batch its ID */
export function noteFailedJob(revision: BatchRevision, batch: string, jobId: string) {
  const { failures } = revision.ledger;
  const count = failures.jobs + 1;
  const counting = withFailures(revision, { ...failures, jobs: count });
  if (isHalted(revision.ledger) || count < revision.rules.maxFailures) return counting;
  return halt(counting, { type: "failed", id: `halt ${batch}`, count, jobId });
}

/** A job has completed, so its failures are not those of all. A halt stays until a person goes on. */
export function noteCompletedJob(revision: BatchRevision): BatchRevision {
  const { failures } = revision.ledger;
  if (failures.jobs === 0) return revision;
  return withFailures(revision, { ...failures, jobs: 0 });
}

/** Counts a task that the service refused. @param batch its ID */
export function noteRefusal(revision: BatchRevision, batch: string): BatchRevision {
  const { failures } = revision.ledger;
  const count = failures.refusals + 1;
  const counting = withFailures(revision, { ...failures, refusals: count });
  if (isHalted(revision.ledger) || count < MOST_REFUSED_TASKS) return counting;
  return halt(counting, { type: "refused", id: `halt ${batch}`, count });
}

/** The service has accepted a request. A halt stays until a person goes on. */
export function noteAccepted(revision: BatchRevision): BatchRevision {
  const { failures } = revision.ledger;
  if (failures.refusals === 0) return revision;
  return withFailures(revision, { ...failures, refusals: 0 });
}

/** A person goes on. @param id of the halt that they were shown */
export function goOn(revision: BatchRevision, id: string): BatchRevision {
  const { halt } = revision.ledger.failures;
  if (halt?.id !== id) return revision;
  return withFields(revision, { failures: NO_FAILURES }, `Go on after ${haltName(halt)}`);
}

/** Goes on if `max-failures` was raised. */
export function liftHalt(revision: BatchRevision): BatchRevision {
  const { failures } = revision.ledger;
  const { halt } = failures;
  if (halt?.type !== "failed" || halt.count >= revision.rules.maxFailures) return revision;
  const event = `Go on after ${haltName(halt)}, which \`max-failures\` allows now`;
  return withFields(revision, { failures: { ...failures, halt: null } }, event);
}

/** For example `3 failed jobs`. */
function haltName({ type, count }: Halt): string {
  return type === "failed" ? counted(count, "failed job") : counted(count, "refused task");
}

function halt(revision: BatchRevision, halt: Halt): BatchRevision {
  const failures = { ...revision.ledger.failures, halt };
  return withFields(revision, { failures }, `Stop after ${haltName(halt)} in a row`);
}

function withFailures(revision: BatchRevision, failures: Ledger["failures"]): BatchRevision {
  return withFields(revision, { failures });
}
