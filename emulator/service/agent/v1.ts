/** The agent, version 1 (deprecated): create a job with its stream, poll it, list a project's. */

import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import type { App } from "../../http/app.ts";
import { countUse, findProject, readBody, type Service } from "../service.ts";
import { type Job, lastTurn } from "./job.ts";
import { STEPS, sessionOf } from "./session.ts";

export function agentV1(app: App, service: Service): void {
  const { state, jobs, now } = service;

  app.post("/v1/agent/:projectId/job", (call) => {
    const project = findProject(state, call.req.param("projectId"));
    const { messages, asDraft: draft, ...rest } = readBody(call, REQUEST);
    countUse(state, "agent", project.id, now());
    const prompt = messages.findLast(({ role }) => role === "user")?.content ?? "";
    const given = Object.fromEntries(Object.entries(rest).filter(([, it]) => it !== undefined));
    const job = jobs.start({ project, version: 1, prompt, draft, ...given });
    return call.body(ReadableStream.from(stream(service, job)), 200, {
      ...{ "content-type": "text/plain; charset=utf-8" },
      ...{ "x-session-id": job.id, "x-branch-name": job.branch },
    });
  });

  app.get("/v1/agent/:projectId/job/:id", (call) => {
    const project = findProject(state, call.req.param("projectId"));
    const job = jobs.find(project.id, call.req.param("id"));
    return call.json(sessionOf(job, jobs.update(job), now()));
  });

  app.get("/v1/agent/:projectId/jobs", (call) => {
    const project = findProject(state, call.req.param("projectId"));
    const isShown = ({ version }: Job) => version === 1 || !state.listWithoutVersion2;
    const [skip, take] = [call.req.query("skip") ?? 0, call.req.query("take") ?? 12].map(Number);
    const page = jobs
      .list(project.id)
      .filter(isShown)
      .slice(skip, Number(skip) + Number(take));
    return call.json({ allSessions: page.map((job) => sessionOf(job, jobs.update(job), now())) });
  });
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

/** What is streamed while a job works: lines of text. It ends with the job's first turn. */
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
