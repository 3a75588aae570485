/** What the routes of the service share: its state, and reading and refusing requests. */

import type { GitHub } from "../github/github.ts";
import { type App, BODY, type Call } from "../http/app.ts";
import { HttpError } from "../http/http-error.ts";
import type { Jobs } from "./agent/jobs.ts";
import type { Project } from "./project.ts";
import type { ServiceState } from "./state.ts";

export type { App, Call };

/** The emulated service, as its routes see it. */
export interface Service {
  state: ServiceState;
  jobs: Jobs;
  github: GitHub;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Aborted when the emulator is closed or reset: streams end then. */
  signal: AbortSignal;
}

/**
 * The request's body, which has to be a JSON object.
 *
 * @throws HttpError 400
 */
export function readObject(call: Call): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(String(call.get(BODY) ?? ""));
  } catch {
    throw new HttpError(400, "The body is not valid JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new HttpError(400, "The body must be a JSON object");
  }
  return value as Record<string, unknown>;
}

/**
 * The instruction in a body.
 *
 * @throws HttpError 400
 */
export function readPrompt(body: Record<string, unknown>): string {
  const { prompt } = body;
  if (typeof prompt !== "string" || prompt.length < 1) {
    throw new HttpError(400, "prompt: must be a string of at least 1 character");
  }
  return prompt;
}

/**
 * The project named in the path.
 *
 * @throws HttpError 404
 */
export function findProject(state: ServiceState, id: string): Project {
  const project = state.projects.find((candidate) => candidate.id === id);
  if (project === undefined) throw new HttpError(404, "Project not found");
  return project;
}
