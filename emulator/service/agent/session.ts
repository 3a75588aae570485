/** Version 1's view of a job: the interface's Session, with the agent's list of things to do. */

import { type AgentJob, type Job, lastTurn } from "./job.ts";
import { writingFor } from "./writing.ts";

export interface Session {
  sessionId: string;
  subdomain: string;
  branch: string;
  haulted: boolean;
  haultReason: string;
  pullRequestLink?: string;
  messageToUser?: string;
  todos: Todo[];
  userId: string;
  title: string;
  createdAt: string;
}

export interface Todo {
  id: string;
  content: string;
  status: "pending" | "in_progress" | "completed" | "cancelled";
  priority: "high" | "medium" | "low";
}

/** The steps of the work, in order; the stream of version 1 names each as it is done. */
export const STEPS: Pick<Todo, "content" | "priority">[] = [
  { content: "Read the pages that the request is about", priority: "high" },
  { content: "Write what is missing", priority: "high" },
  { content: "Check the links", priority: "medium" },
];

interface End {
  reason: string;
  message: string;
  /** What becomes of todos that were not done. */
  open: "completed" | "cancelled";
}

const END_OF: Record<string, End> = {
  completed: { reason: "completed", message: "Nothing had to be changed.", open: "completed" },
  failed: { reason: "error", message: "An unrecoverable error.", open: "cancelled" },
  archived: { reason: "interrupted", message: "The session was archived.", open: "cancelled" },
};

/** The session that a job's record stands for. */
export function sessionOf(job: Job, record: AgentJob, now: number): Session {
  const { prLink } = record;
  const end = END_OF[record.status];
  const messageToUser = prLink === null ? end?.message : "I wrote it and opened a pull request.";
  return {
    sessionId: record.id,
    subdomain: record.source.repository.split("/").at(-2) ?? "",
    branch: record.source.ref,
    haulted: end !== undefined,
    haultReason: end?.reason ?? "processing",
    ...(prLink === null ? {} : { pullRequestLink: prLink }),
    ...(end === undefined || messageToUser === undefined ? {} : { messageToUser }),
    todos: todosOf(job, end?.open, now),
    userId: "local-user",
    title: writingFor(job.turns[0]?.prompt ?? "").title,
    createdAt: record.createdAt,
    ...job.byHand,
  };
}

/** Done so far, by the share of the turn's time that has passed; `open`: what became of the rest. */
function todosOf(job: Job, open: End["open"] | undefined, now: number): Todo[] {
  const { outcome, startedAt, steering } = lastTurn(job);
  const passed = ((outcome?.at ?? now) - startedAt) / (steering.durationMs ?? Infinity);
  const done =
    open === "cancelled" ? 1 : Math.min(STEPS.length - 1, Math.floor(passed * STEPS.length));
  return STEPS.map((step, index) => ({
    ...{ id: String(index + 1), ...step },
    status: index < done ? "completed" : (open ?? (index === done ? "in_progress" : "pending")),
  }));
}
