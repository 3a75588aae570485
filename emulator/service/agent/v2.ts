/** The agent, version 2: create a job, send it a follow-up, poll it. */

import * as z from "zod";
import type { App } from "../../http/app.ts";
import { HttpError } from "../../http/http-error.ts";
import { countUse, findProject, readBody, type Service } from "../service.ts";

const PROMPT = z.object({ prompt: z.string().min(1) });
const JOBS = "/v2/agent/:projectId/job";

export function agentV2(app: App, service: Service): void {
  for (const [method, path] of [
    ["POST", JOBS],
    ["POST", `${JOBS}/:id/message`],
    ["GET", `${JOBS}/:id`],
  ] as const) {
    app.on(method, path, (call) => {
      const { prompt } = method === "GET" ? { prompt: "" } : readBody(call, PROMPT);
      const { status, body } = answerV2(service, method, call.req.path, prompt);
      return call.json(body, status);
    });
  }
}

/**
 * Answers a request to the agent.
 *
 * @param prompt of a request that is no poll
 * @throws HttpError to refuse it
 */
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
