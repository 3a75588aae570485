/** The agent's two interfaces. */

import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import type { App } from "../../http/app.ts";
import { HttpError } from "../../http/http-error.ts";
import { findProject } from "../project.ts";
import { countUse, readBody, type Service } from "../service.ts";
import { type AgentJob, type Job, lastTurn } from "./job.ts";
import { writingFor } from "./writing.ts";

/** Version 1 (deprecated): create a job with its stream, poll it, list a project's. */
export function agentV1(app: App, service: Service): void {
  const { state, jobs, now } = service;

  app.post("/v1/agent/:projectId/job", (call) => {
    const project = findProject(state, call.req.param("projectId"));
    const { messages, asDraft: draft, ...rest } = readBody(call, REQUEST);
    countUse(state, "agent", project.id, now());
    const prompt = messages.findLast(({ role }) => role === "user")?.content ?? "";
    const set = Object.entries(rest).filter(([, value]) => value !== undefined);
    const fields = Object.fromEntries(set);
    const job = jobs.start({ project, version: 1, prompt, draft, ...fields });
    return call.body(ReadableStream.from(stream(service, job)), 200, {
      "content-type": "text/plain; charset=utf-8",
      "x-session-id": job.id,
      "x-branch-name": job.branch,
    });
  });

  app.get("/v1/agent/:projectId/job/:id", (call) => {
    const project = findProject(state, call.req.param("projectId"));
    const job = jobs.find(project.id, call.req.param("id"));
    return call.json(sessionOf(job, jobs.update(job), now()));
  });

  app.get("/v1/agent/:projectId/jobs", (call) => {
    return call.json(answerList(service, new URL(call.req.url)));
  });
}

/** A page of a project's jobs, as version 1 lists them. @throws HttpError */
export function answerList({ state, jobs, now }: Service, { pathname, searchParams }: URL) {
  const [, , , projectId = ""] = pathname.split("/").map(decodeURIComponent);
  const project = findProject(state, projectId);
  const isShown = ({ version }: Job) => version === 1 || !state.listWithoutVersion2;
  const skip = Number(searchParams.get("skip") ?? 0);
  const take = Number(searchParams.get("take") ?? 12);
  const page = jobs
    .list(project.id)
    .filter(isShown)
    .slice(skip, skip + take);
  return { allSessions: page.map((job) => sessionOf(job, jobs.update(job), now())) };
}

/** The prompt is the last message of the user. */
const REQUEST = z.object({
  messages: z
    .array(z.object({ role: z.enum(["system", "user", "assistant"]), content: z.string().min(1) }))
    .refine((all) => all.some(({ role }) => role === "user"), "none is of the role user"),
  // The document's default; the newer text says false.
  asDraft: z.boolean().default(true),
  branch: z.string().min(1).optional(),
  model: z.enum(["sonnet", "opus"]).optional(),
});

/** Lines of text, streamed while a job works. The stream ends with the job's first turn. */
async function* stream({ jobs, signal }: Service, job: Job): AsyncGenerator<Uint8Array> {
  const line = (text: string) => Buffer.from(`${text}\n`);
  const pause = (lastTurn(job).steering.durationMs ?? 1000) / STEPS.length;
  yield line(`Working on branch ${job.branch}`);
  for (const [index, { content }] of STEPS.entries()) {
    yield line(`Step ${index + 1}: ${content}`);
    await delay(pause, undefined, { signal });
  }
  await jobs.waitForOutcome(job, signal);
  yield line(`Done: ${jobs.record(job).status}`);
}

type Progress = "pending" | "in_progress" | "completed" | "cancelled";

/** The steps of the work, in order; the stream of version 1 names each as it is done. */
const STEPS = [
  { content: "Read the pages that the request is about", priority: "high" },
  { content: "Write what is missing", priority: "high" },
  { content: "Check the links", priority: "medium" },
];

/** For each final status: the reason, the agent's message, and the status of todos that are not done. */
const END_OF: Record<string, [reason: string, message: string, open: Progress]> = {
  completed: ["completed", "Nothing had to be changed.", "completed"],
  failed: ["error", "An unrecoverable error.", "cancelled"],
  archived: ["interrupted", "The session was archived.", "cancelled"],
};

interface Todo {
  id: string;
  content: string;
  priority: string;
  status: Progress;
}

/** The interface's Session: a job in version 1, with the agent's list of things to do. */
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

export function sessionOf(job: Job, record: AgentJob, now: number): Session {
  const { prLink } = record;
  const [haultReason, message, open] = END_OF[record.status] ?? ["processing"];
  const pullRequest = prLink !== null && { pullRequestLink: prLink };
  const messageToUser = prLink === null ? message : "I wrote it and opened a pull request.";
  return {
    sessionId: record.id,
    subdomain: record.source.repository.split("/").at(-2) ?? "",
    branch: record.source.ref,
    haulted: message !== undefined,
    haultReason,
    ...pullRequest,
    ...(message !== undefined && messageToUser !== undefined && { messageToUser }),
    todos: todosOf(job, open, now),
    userId: "local-user",
    title: writingFor(job.turns[0]?.prompt ?? "").title,
    createdAt: record.createdAt,
    ...job.byHand,
  };
}

/** Done by the share of the turn's time that has passed. @param open status of those that are not done at its end */
function todosOf(job: Job, open: Progress | undefined, now: number): Todo[] {
  const { outcome, startedAt, steering } = lastTurn(job);
  const passed = ((outcome?.at ?? now) - startedAt) / (steering.durationMs ?? Infinity);
  const done =
    open === "cancelled" ? 1 : Math.min(STEPS.length - 1, Math.floor(passed * STEPS.length));
  return STEPS.map((step, index) => ({
    id: String(index + 1),
    ...step,
    status: index < done ? "completed" : (open ?? (index === done ? "in_progress" : "pending")),
  }));
}

const PROMPT = z.object({ prompt: z.string().min(1) });
const JOBS = "/v2/agent/:projectId/job";

/** Version 2: create a job, send it a follow-up, poll it. */
export function agentV2(app: App, service: Service): void {
  for (const [method, path] of [
    ["POST", JOBS],
    ["POST", `${JOBS}/:id/message`],
    ["GET", `${JOBS}/:id`],
  ] as const) {
    app.on(method, path, async (call) => {
      const [projectId = "", id = ""] = [call.req.param("projectId"), call.req.param("id")];
      if (method === "GET") await service.jobs.hold(projectId, id, service.signal);
      const { prompt } = method === "GET" ? { prompt: "" } : readBody(call, PROMPT);
      const { status, body } = answerV2(service, method, call.req.path, prompt);
      return call.json(body, status);
    });
  }
}

/** Answers a request to the agent. @param prompt empty for a poll @throws HttpError */
export function answerV2(
  { state, jobs, now }: Service,
  method: string,
  path: string,
  prompt: string,
): { status: number; body: object } {
  const [, , , projectId = "", , id, message] = path.split("/").map(decodeURIComponent);
  const project = findProject(state, projectId);
  const job = id === undefined ? undefined : jobs.find(project.id, id);
  const isPoll = job !== undefined && message === undefined;
  if (isPoll !== (method === "GET")) throw new HttpError(404, "Not found");
  if (isPoll) return { status: 200, body: jobs.update(job) };
  countUse(state, "agent", project.id, now());
  if (job === undefined) {
    const started = jobs.start({ project, version: 2, prompt });
    return { status: 201, body: jobs.record(started) };
  }
  jobs.followUp(job, prompt);
  return { status: 200, body: jobs.record(job) };
}
