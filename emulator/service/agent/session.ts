/** Version 1's view of a job: the interface's Session, with the agent's list of things to do. */

import type { Project } from "../project.ts";
import type { Service } from "../service.ts";
import { type Job, lastTurn, type Turn } from "./job.ts";
import type { AgentJob } from "./job-record.ts";
import { writingFor } from "./writing.ts";

export interface Session {
  sessionId: string;
  subdomain: string;
  branch: string | null;
  haulted: boolean;
  haultReason?: string;
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

const STEPS: Pick<Todo, "content" | "priority">[] = [
  { content: "Read the pages that the request is about", priority: "high" },
  { content: "Write what is missing", priority: "high" },
  { content: "Check the links", priority: "medium" },
];

/** The steps of the work, in order; the stream of version 1 names each as it is done. */
export const STEP_NAMES = STEPS.map(({ content }) => content);

/** The session that a job's record stands for. */
export function sessionOf(
  { state, now }: Pick<Service, "state" | "now">,
  project: Project,
  job: Job,
  record: AgentJob,
): Session {
  const turn = lastTurn(job);
  const end = END_OF[record.status];
  const running: Pick<Session, "haulted" | "haultReason"> = state.quirks.noReasonWhileRunning
    ? { haulted: false }
    : { haulted: false, haultReason: "processing" };
  const session: Session = {
    sessionId: record.id,
    subdomain: project.subdomain,
    branch: record.source.ref,
    ...(end === undefined
      ? running
      : { haulted: true, haultReason: turn.steering.reason ?? end.reason }),
    ...(record.prLink === null ? {} : { pullRequestLink: record.prLink }),
    ...(end === undefined ? {} : { messageToUser: messageOf(record, end.message) }),
    todos: todosOf(turn, end?.open ?? null, now()),
    userId: "local-user",
    title: writingFor(job.turns[0]?.prompt ?? "").title,
    createdAt: record.createdAt,
  };
  return { ...session, ...job.byHand };
}

interface End {
  reason: string;
  message: string;
  /** What becomes of todos that were not done. */
  open: "completed" | "cancelled";
}

const END_OF: Record<string, End | undefined> = {
  completed: { reason: "completed", message: "Nothing had to be changed.", open: "completed" },
  failed: {
    reason: "error",
    message: "The agent encountered an unrecoverable error.",
    open: "cancelled",
  },
  archived: { reason: "interrupted", message: "The session was archived.", open: "cancelled" },
};

function messageOf({ status, prLink }: AgentJob, message: string): string {
  return status === "completed" && prLink !== null
    ? "I wrote it and opened a pull request."
    : message;
}

/** Done so far, by the share of the turn's time that has passed; `open`: what became of the rest. */
function todosOf(turn: Turn, open: End["open"] | null, now: number): Todo[] {
  const { durationMs } = turn.steering;
  const passed =
    durationMs === null ? 0 : ((turn.outcome?.at ?? now) - turn.startedAt) / durationMs;
  const done =
    open === "cancelled" ? 1 : Math.min(STEPS.length - 1, Math.floor(passed * STEPS.length));
  return STEPS.map((step, index) => ({
    id: String(index + 1),
    ...step,
    status: index < done ? "completed" : (open ?? (index === done ? "in_progress" : "pending")),
  }));
}
