/** The agent, version 1 (deprecated): create a job with its stream, poll it, list a project's. */

import * as z from "zod";
import { HttpError } from "../../http/http-error.ts";
import { countUse } from "../limits.ts";
import { type App, type Call, findProject, readBody, type Service } from "../service.ts";
import { sessionOf } from "./session.ts";
import { sessionStream } from "./session-stream.ts";

export function agentV1(app: App, service: Service): void {
  const { state, jobs, now } = service;

  app.post("/v1/agent/:projectId/job", (call) => {
    const project = findProject(state, call.req.param("projectId"));
    const request = readBody(call, REQUEST);
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

/** The prompt is the last message of the user. */
const REQUEST = z
  .object({
    messages: z
      .array(
        z.object({ role: z.enum(["system", "user", "assistant"]), content: z.string().min(1) }),
      )
      .refine((all) => all.some(({ role }) => role === "user"), "none is of the role user"),
    // The document's default; the newer text says false.
    asDraft: z.boolean().default(true),
    branch: z.string().min(1).optional(),
    model: z.enum(["sonnet", "opus"]).optional(),
  })
  .transform(({ messages, asDraft, branch, model }) => ({
    ...{ prompt: messages.findLast(({ role }) => role === "user")?.content ?? "", draft: asDraft },
    ...{ ...(branch === undefined ? {} : { branch }), ...(model === undefined ? {} : { model }) },
  }));

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
