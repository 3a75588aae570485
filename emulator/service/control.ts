/**
 * What the service has seen, apart from its own routes:
 *
 *     GET /_emulator/requests    everything received, oldest first
 *     GET /_emulator/jobs        every job, with its turns, and what a client would get of it:
 *                                the record, and version 1's session with the agent's todos
 */

import type { Job } from "./agent/job.ts";
import type { AgentJob } from "./agent/job-record.ts";
import { type Session, sessionOf } from "./agent/session.ts";
import { type App, findProject, type Service } from "./service.ts";

/** A job, what the service shows of it, and what version 1 does, with the agent's todos. */
export type ShownJob = Job & { record: AgentJob; session: Session };

export const CONTROL_PREFIX = "/_emulator/";

export function control(app: App, service: Service): void {
  app.get(`${CONTROL_PREFIX}requests`, (call) => call.json(service.state.requests));
  app.get(`${CONTROL_PREFIX}jobs`, (call) => call.json(shownJobs(service)));
}

export function shownJobs(service: Service): ShownJob[] {
  const { state, jobs } = service;
  return state.jobs.map((job) => {
    const record = jobs.update(job);
    const project = findProject(state, job.projectId);
    return { ...job, record, session: sessionOf(service, project, job, record) };
  });
}
