/** The agent, version 2: create a job, send it a follow-up, poll it. */

import { countUse } from "../limits.ts";
import { type App, findProject, readObject, readPrompt, type Service } from "../service.ts";

export function agentV2(app: App, { state, jobs, now }: Service): void {
  app.post("/v2/agent/:projectId/job", async (call) => {
    const project = findProject(state, call);
    const prompt = readPrompt(readObject(call));
    countUse(state, project.id, now());
    const job = jobs.start({ project, version: 2, prompt });
    return call.json(jobs.record(job), 201);
  });

  app.post("/v2/agent/:projectId/job/:id/message", async (call) => {
    const project = findProject(state, call);
    const job = jobs.find(project.id, call.req.param("id"));
    const prompt = readPrompt(readObject(call));
    countUse(state, project.id, now());
    await jobs.followUp(job, prompt);
    const { status, ...rest } = jobs.record(job);
    return call.json(state.quirks.messageWithoutStatus ? rest : { ...rest, status });
  });

  app.get("/v2/agent/:projectId/job/:id", async (call) => {
    const project = findProject(state, call);
    const job = jobs.find(project.id, call.req.param("id"));
    return call.json(await jobs.poll(job));
  });
}
