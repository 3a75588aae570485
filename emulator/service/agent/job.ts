/** A job, with everything that the emulator knows about it. */

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
  /** Whether a client has read the outcome of the last turn. */
  outcomeRead: boolean;
  /** In order: one from the job's creation, and one for each follow-up. */
  turns: Turn[];
  /** Fields set by hand through the control endpoint; they win until the next follow-up. */
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
  /** Why it failed; for the inspector, since the service's record has no such field. */
  reason: string | null;
}

/** The turn that counts: the one of the latest prompt. */
export function lastTurn(job: Job): Turn {
  const turn = job.turns.at(-1);
  if (turn === undefined) throw new Error(`Job ${job.id} has no turn`);
  return turn;
}

/** When the turn is over by itself; null: never. */
export function endOf({ startedAt, steering }: Turn): number | null {
  return steering.durationMs === null ? null : startedAt + steering.durationMs;
}

function isOver(turn: Turn, now: number): boolean {
  const end = endOf(turn);
  return end !== null && now >= end;
}

/** Whether the turn is over, and its outcome not yet worked out. */
export function isDue(turn: Turn, now: number): boolean {
  return turn.outcome === null && isOver(turn, now);
}

/** Whether the service would show the job now. */
export function isKnown(job: Job, now: number): boolean {
  const age = now - job.createdAt;
  const { lagMs } = (job.turns[0] ?? lastTurn(job)).steering;
  const { forget } = lastTurn(job).steering;
  if (age < lagMs) return false;
  if (forget === "over") return !isOver(lastTurn(job), now);
  if (forget === "once-read") return !job.outcomeRead;
  return forget === "never" || age < forget;
}
