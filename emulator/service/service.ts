/** What the routes of the service share: its state, and reading and refusing requests. */

import * as z from "zod";
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
 * The request's body, which has to be JSON of this shape.
 *
 * @throws HttpError 400 that names the field
 */
export function readBody<T>(call: Call, shape: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(String(call.get(BODY) ?? ""));
  } catch {
    throw new HttpError(400, "The body is not valid JSON");
  }
  const { error, data } = shape.safeParse(value);
  if (error === undefined) return data;
  const [issue] = error.issues;
  throw new HttpError(
    400,
    `${z.core.toDotPath(issue?.path ?? []) || "The body"}: ${issue?.message}`,
  );
}

/** Any JSON object. */
export const OBJECT = z.record(z.string(), z.unknown());

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
