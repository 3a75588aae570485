/** The agent, version 2: create a job, send it a follow-up, read it. */

import { type App, findProject, readObject, readPrompt, type Service } from "./http.ts";
import { countUse } from "./limits.ts";

export function agentV2(app: App, { state, lives, now }: Service): void {
  app.post("/v2/agent/:projectId/job", async (call) => {
    const project = findProject(state, call);
    const prompt = readPrompt(readObject(call));
    countUse(state, project.id, now());
    const job = lives.begin({ project, prompt });
    return call.json(lives.record(job), 201);
  });

  app.post("/v2/agent/:projectId/job/:id/message", async (call) => {
    const project = findProject(state, call);
    const job = lives.find(project.id, call.req.param("id"));
    const prompt = readPrompt(readObject(call));
    countUse(state, project.id, now());
    await lives.followUp(job, prompt);
    const { status, ...rest } = lives.record(job);
    return call.json(state.quirks.messageWithoutStatus ? rest : { ...rest, status });
  });

  app.get("/v2/agent/:projectId/job/:id", async (call) => {
    const project = findProject(state, call);
    const job = lives.find(project.id, call.req.param("id"));
    const record = await lives.look(job);
    lives.markTold(job, record);
    return call.json(record);
  });
}
