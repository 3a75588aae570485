/**
 * Reading and changing the emulator from outside, apart from the service's own routes:
 *
 *     GET    /_emulator/requests    everything received, oldest first
 *     DELETE /_emulator/requests    forget it
 *     GET    /_emulator/jobs        every job, with its turns, and what a client would get of it:
 *                                   the record, and version 1's session with the agent's todos
 *     POST   /_emulator/jobs/:id    set fields of the record by hand, until the next follow-up
 *     POST   /_emulator/faults      answer the next requests to a route with an error
 *     DELETE /_emulator/faults      forget those that were not used up
 */

import * as z from "zod";
import { HttpError } from "../http/http-error.ts";
import { sessionOf } from "./agent/session.ts";
import { type FaultSeed, fault, ROUTE_NAMES } from "./faults.ts";
import { type App, OBJECT, readBody, type Service } from "./service.ts";

export const CONTROL_PREFIX = "/_emulator/";

const FAULT = z.looseObject({ route: z.enum(ROUTE_NAMES), status: z.number() });

export function control(app: App, service: Service): void {
  const { state, jobs } = service;
  app.get(`${CONTROL_PREFIX}requests`, (call) => call.json(state.requests));

  app.delete(`${CONTROL_PREFIX}requests`, (call) => {
    state.requests.length = 0;
    return call.body(null, 204);
  });

  app.get(`${CONTROL_PREFIX}jobs`, (call) =>
    call.json(
      state.jobs.map((job) => {
        const record = jobs.update(job);
        const project = state.projects.find(({ id }) => id === job.projectId);
        const session = project && sessionOf(service, project, job, record);
        return { ...job, record, session };
      }),
    ),
  );

  app.post(`${CONTROL_PREFIX}jobs/:id`, (call) => {
    const job = state.jobs.find((candidate) => candidate.id === call.req.param("id"));
    if (job === undefined) throw new HttpError(404, "Job not found");
    Object.assign(job.byHand, readBody(call, OBJECT));
    return call.json(jobs.update(job));
  });

  app.post(`${CONTROL_PREFIX}faults`, (call) => {
    state.faults.push(fault(readBody(call, FAULT) as FaultSeed));
    return call.json(state.faults, 201);
  });

  app.delete(`${CONTROL_PREFIX}faults`, (call) => {
    state.faults.length = 0;
    return call.body(null, 204);
  });
}
