/** The agent, version 1 (deprecated): create a job with its stream, poll it, list a project's. */

import { HttpError } from "../../http/http-error.ts";
import { countUse } from "../limits.ts";
import { type App, type Call, findProject, readObject, type Service } from "../service.ts";
import type { JobRequest } from "./jobs.ts";
import { sessionOf } from "./session.ts";
import { sessionStream } from "./session-stream.ts";

const ROLES = ["system", "user", "assistant"];
const MODELS = ["sonnet", "opus"];

export function agentV1(app: App, service: Service): void {
  const { state, jobs, now } = service;

  app.post("/v1/agent/:projectId/job", (call) => {
    const project = findProject(state, call.req.param("projectId"));
    const request = readRequest(readObject(call));
    countUse(state, project.id, now());
    const job = jobs.start({ project, version: 1, ...request });
    const { eventStream, jsonCreate, noSessionHeader } = state.quirks;
    if (jsonCreate) return call.json(sessionOf(service, project, job, jobs.record(job)));
    const headers = { "x-session-id": job.id, "x-branch-name": job.branch };
    return call.body(sessionStream(service, job), 200, {
      "content-type": eventStream ? "text/event-stream" : "text/plain; charset=utf-8",
      ...(noSessionHeader ? {} : headers),
    });
  });

  app.get("/v1/agent/:projectId/job/:id", (call) => {
    const project = findProject(state, call.req.param("projectId"));
    const job = jobs.find(project.id, call.req.param("id"));
    return call.json(sessionOf(service, project, job, jobs.poll(job)));
  });

  app.get("/v1/agent/:projectId/jobs", (call) => {
    const project = findProject(state, call.req.param("projectId"));
    const { unpagedList, listWithoutVersion2 } = state.quirks;
    const all = jobs
      .list(project.id)
      .filter(({ version }) => version === 1 || !listWithoutVersion2);
    const page = unpagedList ? all : all.slice(...pageOf(call));
    const allSessions = page.map((job) => sessionOf(service, project, job, jobs.update(job)));
    return call.json({ allSessions });
  });
}

/** @throws HttpError 400 */
function readRequest(body: Record<string, unknown>): Omit<JobRequest, "project" | "version"> {
  const { branch, messages, asDraft, model } = body;
  if (branch !== undefined && (typeof branch !== "string" || branch === "")) {
    throw new HttpError(400, "branch: must be a string that is not empty");
  }
  if (asDraft !== undefined && typeof asDraft !== "boolean") {
    throw new HttpError(400, "asDraft: must be true or false");
  }
  if (model !== undefined && !MODELS.includes(String(model))) {
    throw new HttpError(400, `model: must be one of ${MODELS.join(", ")}`);
  }
  return {
    prompt: readPrompt(messages),
    // The document's default; the newer text says false.
    draft: asDraft ?? true,
    ...(branch === undefined ? {} : { branch }),
    ...(model === undefined ? {} : { model: String(model) }),
  };
}

/** The prompt is the last message of the user. */
function readPrompt(messages: unknown): string {
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new HttpError(400, "messages: must be an array that is not empty");
  }
  for (const [index, message] of messages.entries()) {
    const { role, content } = (message ?? {}) as Record<string, unknown>;
    if (!ROLES.includes(String(role)) || typeof content !== "string" || content === "") {
      throw new HttpError(
        400,
        `messages[${index}]: must have a role of ${ROLES.join(", ")}, and content`,
      );
    }
  }
  const last = messages.findLast((message: { role: string }) => message.role === "user");
  if (last === undefined) throw new HttpError(400, "messages: none is of the role user");
  return last.content;
}

const MAX_TAKE = 100;
const DEFAULT_TAKE = 12;

/** @throws HttpError 400 */
function pageOf(call: Call): [start: number, end: number] {
  const skip = Number(call.req.query("skip") ?? 0);
  const take = Number(call.req.query("take") ?? DEFAULT_TAKE);
  if (!Number.isInteger(skip) || skip < 0) throw new HttpError(400, "skip: must be 0 or more");
  if (!Number.isInteger(take) || take < 1 || take > MAX_TAKE) {
    throw new HttpError(400, `take: must be from 1 to ${MAX_TAKE}`);
  }
  return [skip, skip + take];
}
