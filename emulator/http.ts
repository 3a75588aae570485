/** What the routes share: the shapes of `emulate`, and reading and refusing requests. */

import type { EmulatorContext } from "emulate";
import { ServiceError } from "./errors.ts";
import type { JobLives } from "./job-life.ts";
import { BODY } from "./record.ts";
import type { Project, ServiceState } from "./state.ts";

export type App = EmulatorContext<object>["app"];
export type Call = Parameters<Parameters<App["get"]>[1]>[0];

/** The emulated service as its routes see it. */
export interface Service {
  state: ServiceState;
  lives: JobLives;
  now: () => number;
  /** Aborted when the emulator is closed or reset: streams end then. */
  signal: AbortSignal;
}

/**
 * The request's body, which has to be a JSON object.
 *
 * @throws ServiceError 400
 */
export function readObject(call: Call): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(String(call.get(BODY) ?? ""));
  } catch {
    throw new ServiceError(400, "The body is not valid JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ServiceError(400, "The body must be a JSON object");
  }
  return value as Record<string, unknown>;
}

/**
 * The instruction in a body.
 *
 * @throws ServiceError 400
 */
export function readPrompt(body: Record<string, unknown>): string {
  const { prompt } = body;
  if (typeof prompt !== "string" || prompt.length < 1) {
    throw new ServiceError(400, "prompt: must be a string of at least 1 character");
  }
  return prompt;
}

/**
 * The project named in the path.
 *
 * @throws ServiceError 404
 */
export function findProject(state: ServiceState, call: Call): Project {
  const id = call.req.param("projectId");
  const project = state.projects.find((candidate) => candidate.id === id);
  if (project === undefined) throw new ServiceError(404, "Project not found");
  return project;
}
