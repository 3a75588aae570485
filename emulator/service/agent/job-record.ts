/** What a client is shown of a job. */

import type { Project } from "../project.ts";
import { type Job, lastTurn, type Turn } from "./job.ts";

/** The interface's AgentJob. */
export interface AgentJob {
  id: string;
  status: string;
  source: { repository: string; ref: string | null };
  model: string;
  prLink: string | null;
  createdAt: string;
  archivedAt: string | null;
}

/** Where the job's repository is. */
export interface RecordContext {
  project: Project;
  /** Address of the pages of the Git host. */
  webUrl: string;
  now: number;
}

const END_STATUSES: ReadonlySet<string> = new Set(["completed", "failed", "archived"]);

/** Whether a record says that the agent no longer works. */
export function isAtEnd({ status }: AgentJob): boolean {
  return END_STATUSES.has(status);
}

/** The record as it is now. A turn that is due has no outcome before it is worked out. */
export function recordOf(job: Job, { project, webUrl, now }: RecordContext): AgentJob {
  const { steering, outcome: turnOutcome } = shownTurn(job, now);
  const outcome = turnOutcome?.status === "superseded" ? null : turnOutcome;
  const record: AgentJob = {
    id: job.id,
    status: outcome?.status ?? steering.workingStatus ?? "active",
    source: {
      repository: `${webUrl}/${project.repository}`,
      ref: steering.showsBranch ? job.branch : null,
    },
    model: job.model,
    prLink: outcome === null ? null : job.prLink,
    createdAt: new Date(job.createdAt).toISOString(),
    archivedAt: job.archivedAt === null ? null : new Date(job.archivedAt).toISOString(),
  };
  return { ...record, ...job.byHand };
}

/** Whether polls are steered to show the record of another job now. */
export function showsOtherJob(job: Job, now: number): boolean {
  const { startedAt, steering } = lastTurn(job);
  return now - startedAt < steering.otherJobMs;
}

/** The record of a job that nobody asked for: it is completed, with a pull request of its own. */
export function otherJobsRecord(record: AgentJob): AgentJob {
  return {
    ...record,
    id: `other-than-${record.id}`,
    status: "completed",
    source: { ...record.source, ref: "docs-agent/another-job" },
    prLink: `${record.source.repository}/pull/9999`,
    archivedAt: null,
  };
}

/** The last turn, or the one before it while the record is stale. */
function shownTurn(job: Job, now: number): Turn {
  const turn = lastTurn(job);
  const before = job.turns.at(-2);
  const isStale = now - turn.startedAt < turn.steering.staleMs;
  return before !== undefined && isStale ? before : turn;
}
