/** What the routes of the service share: its state, and reading, counting and refusing requests. */

import * as z from "zod";
import type { GitHub } from "../github/github.ts";
import { BODY, type Call } from "../http/app.ts";
import { HttpError } from "../http/http-error.ts";
import type { Jobs } from "./agent/jobs.ts";
import type { ServiceState } from "./state.ts";

/** A documentation project: what the agent works on. */
export interface Project {
  id: string;
  /** `owner/name` on the emulated GitHub. */
  repository: string;
  baseBranch: string;
}

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

/** The request's body, which has to be JSON of this shape. @throws HttpError 400 that names the field */
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
  const field = z.core.toDotPath(issue?.path ?? []) || "The body";
  throw new HttpError(400, `${field}: ${issue?.message}`);
}

export function findProject(state: ServiceState, id: string): Project {
  const project = state.projects.find((candidate) => candidate.id === id);
  if (project === undefined) throw new HttpError(404, "Project not found");
  return project;
}

const WINDOWS = { agent: 3_600_000, previews: 60_000 };

/** Counts one use. @throws HttpError 429 when the limit is reached; such a request is not counted */
export function countUse(
  { limits, uses }: ServiceState,
  what: keyof typeof WINDOWS,
  project: string,
  now: number,
): void {
  const recent = (uses[`${what} ${project}`] ?? []).filter((at) => at > now - WINDOWS[what]);
  if (recent.length >= limits[what]) {
    const seconds = Math.ceil(((recent[0] ?? now) + WINDOWS[what] - now) / 1000);
    const headers = { "retry-after": String(seconds) };
    throw new HttpError(429, `Rate limit exceeded: ${limits[what]} uses per project`, headers);
  }
  uses[`${what} ${project}`] = [...recent, now];
}

const JOB = "[^/]+/job";

const ROUTES = {
  "v2-create": new RegExp(`^POST /v2/agent/${JOB}$`),
  "v2-message": new RegExp(`^POST /v2/agent/${JOB}/[^/]+/message$`),
  "v2-get": new RegExp(`^GET /v2/agent/${JOB}/[^/]+$`),
  preview: /^POST \/v1\/project\/preview\/[^/]+$/,
};

/** An answer given in place of the route's own. */
export interface Fault {
  route: keyof typeof ROUTES;
  status: number;
  /** Default: once. */
  times?: number;
  headers?: Record<string, string>;
  /** Sent as it is. Default: `{error: …}`. */
  body?: string;
}

/** The answer that the next fault has for this request, if there is one; uses it up once. */
export function takeFault(faults: Fault[], method: string, path: string): Response | undefined {
  const found = faults.find(
    ({ route, times = 1 }) => times > 0 && ROUTES[route].test(`${method} ${path}`),
  );
  if (found === undefined) return undefined;
  const { status, times = 1, headers } = found;
  found.times = times - 1;
  const body = found.body ?? JSON.stringify({ error: `Emulated fault ${status}` });
  return new Response(body, {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}
