/** A job, as the emulator stores it and as clients see it. */

import type { Project } from "../project.ts";
import type { Steering } from "./steering.ts";

export interface Job {
  id: string;
  projectId: string;
  /** The version of the interface that started it. */
  version: 1 | 2;
  /** Milliseconds since 1970, as all times here. */
  createdAt: number;
  model: string;
  branch: string;
  /** Whether its pull request is a draft. */
  draft: boolean;
  /** The pull request that the job opened, or the link that it was steered to claim. */
  prLink: string | null;
  archivedAt: number | null;
  /** In order: one from the job's creation, and one for each follow-up. */
  turns: Turn[];
  /** Fields set by hand; they win until the next follow-up. */
  byHand: Record<string, unknown>;
}

/** One prompt and the agent's work on it. */
export interface Turn {
  prompt: string;
  startedAt: number;
  steering: Steering;
  /** Null while the agent works. */
  outcome: TurnOutcome | null;
}

export interface TurnOutcome {
  /** `superseded`: a follow-up arrived before the agent was done. */
  status: "completed" | "failed" | "archived" | "superseded";
  at: number;
  /** Why it failed, for the inspector: the service's record has no such field. */
  reason: string | null;
}

/** The turn of the latest prompt. */
export function lastTurn(job: Job): Turn {
  const turn = job.turns.at(-1);
  if (turn === undefined) throw new Error(`Job ${job.id} has no turn`);
  return turn;
}

/** When the turn ends by itself; null if never. */
export function endOf({ startedAt, steering }: Turn): number | null {
  return steering.durationMs === null ? null : startedAt + steering.durationMs;
}

export function isOver(turn: Turn, now: number): boolean {
  return now >= (endOf(turn) ?? Number.POSITIVE_INFINITY);
}

/** The interface's AgentJob. Any field may be set by hand. */
export interface AgentJob {
  id: string;
  status: "active" | "completed" | "failed" | "archived";
  source: { repository: string; ref: string };
  model: string;
  prLink: string | null;
  createdAt: string;
  archivedAt: string | null;
}

/** The record as it is now. @param webUrl of the Git host */
export function recordOf(job: Job, { repository }: Project, webUrl: string, now: number): AgentJob {
  const turn = lastTurn(job);
  const isStale = now - turn.startedAt < turn.steering.staleMs;
  const { outcome } = (isStale ? job.turns.at(-2) : undefined) ?? turn;
  const hasNoLinkYet = outcome !== null && now - outcome.at < turn.steering.linkMs;
  const status = outcome === null || outcome.status === "superseded" ? "active" : outcome.status;
  return {
    id: job.id,
    status,
    source: { repository: `${webUrl}/${repository}`, ref: job.branch },
    model: job.model,
    prLink: status === "active" || hasNoLinkYet ? null : job.prLink,
    createdAt: new Date(job.createdAt).toISOString(),
    archivedAt: job.archivedAt === null ? null : new Date(job.archivedAt).toISOString(),
    ...job.byHand,
  };
}
