/** The agent, version 1 (deprecated): create a job with its stream, read it, list a project's. */

import { ServiceError } from "./errors.ts";
import { type App, type Call, findProject, readObject, type Service } from "./http.ts";
import type { JobRequest } from "./job-life.ts";
import { countUse } from "./limits.ts";
import { type Session, sessionOf } from "./session.ts";
import { sessionStream } from "./session-stream.ts";
import type { Job, Project } from "./state.ts";

const ROLES = ["system", "user", "assistant"];
const MODELS = ["sonnet", "opus"];

export function agentV1(app: App, service: Service): void {
  const { state, lives, now } = service;

  app.post("/v1/agent/:projectId/job", async (call) => {
    const project = findProject(state, call);
    const request = readRequest(readObject(call));
    countUse(state, project.id, now());
    const job = lives.begin({ project, ...request });
    const { eventStream, noSessionHeader } = state.quirks;
    const headers = { "x-session-id": job.id, "x-branch-name": job.branch };
    return call.body(sessionStream(service, job), 200, {
      "content-type": eventStream ? "text/event-stream" : "text/plain; charset=utf-8",
      ...(noSessionHeader ? {} : headers),
    });
  });

  app.get("/v1/agent/:projectId/job/:id", async (call) => {
    const project = findProject(state, call);
    const job = lives.find(project.id, call.req.param("id"));
    const session = await look(service, project, job);
    lives.markTold(job, lives.record(job));
    return call.json(session);
  });

  app.get("/v1/agent/:projectId/jobs", async (call) => {
    const project = findProject(state, call);
    const newestFirst = state.jobs
      .filter((job) => job.projectId === project.id && lives.isKnown(job))
      .toSorted((one, other) => other.createdAt - one.createdAt);
    const page = state.quirks.unpagedList ? newestFirst : newestFirst.slice(...pageOf(call));
    const allSessions = await Promise.all(page.map((job) => look(service, project, job)));
    return call.json({ allSessions });
  });
}

async function look({ state, lives, now }: Service, project: Project, job: Job): Promise<Session> {
  return sessionOf(job, await lives.look(job), project, state.quirks, now());
}

/** @throws ServiceError 400 */
function readRequest(body: Record<string, unknown>): Omit<JobRequest, "project"> {
  const { branch, messages, asDraft, model } = body;
  if (branch !== undefined && (typeof branch !== "string" || branch === "")) {
    throw new ServiceError(400, "branch: must be a string that is not empty");
  }
  if (asDraft !== undefined && typeof asDraft !== "boolean") {
    throw new ServiceError(400, "asDraft: must be true or false");
  }
  if (model !== undefined && !MODELS.includes(String(model))) {
    throw new ServiceError(400, `model: must be one of ${MODELS.join(", ")}`);
  }
  return {
    prompt: readTask(messages),
    // The document's default; the newer text says false.
    draft: asDraft ?? true,
    ...(branch === undefined ? {} : { branch }),
    ...(model === undefined ? {} : { model: String(model) }),
  };
}

/** The task is what the user said last. */
function readTask(messages: unknown): string {
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new ServiceError(400, "messages: must be an array that is not empty");
  }
  for (const [index, message] of messages.entries()) {
    const { role, content } = (message ?? {}) as Record<string, unknown>;
    if (!ROLES.includes(String(role)) || typeof content !== "string" || content === "") {
      throw new ServiceError(
        400,
        `messages[${index}]: must have a role of ${ROLES.join(", ")}, and content`,
      );
    }
  }
  const task = messages.findLast((message: { role: string }) => message.role === "user");
  if (task === undefined) throw new ServiceError(400, "messages: none is of the role user");
  return task.content;
}

const MOST_TAKEN = 100;
const TAKEN_BY_DEFAULT = 12;

/** @throws ServiceError 400 */
function pageOf(call: Call): [start: number, end: number] {
  const skip = Number(call.req.query("skip") ?? 0);
  const take = Number(call.req.query("take") ?? TAKEN_BY_DEFAULT);
  if (!Number.isInteger(skip) || skip < 0) throw new ServiceError(400, "skip: must be 0 or more");
  if (!Number.isInteger(take) || take < 1 || take > MOST_TAKEN) {
    throw new ServiceError(400, `take: must be from 1 to ${MOST_TAKEN}`);
  }
  return [skip, skip + take];
}
