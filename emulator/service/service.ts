/** What the routes of the service share: its state, and reading, counting and refusing requests. */

import * as z from "zod";
import type { GitHub } from "../github/github.ts";
import { BODY, type Call } from "../http/app.ts";
import { HttpError } from "../http/http-error.ts";
import type { Jobs } from "./agent/jobs.ts";
import type { ServiceState } from "./state.ts";

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

const WINDOWS = { agent: 3_600_000, previews: 60_000, deployments: 10_000 };

/** Counts one use. @throws HttpError 429 if the limit is reached, without counting */
export function countUse(
  { limits, uses }: ServiceState,
  limit: keyof typeof WINDOWS,
  project: string,
  now: number,
): void {
  const recent = (uses[`${limit} ${project}`] ?? []).filter((at) => at > now - WINDOWS[limit]);
  if (recent.length >= limits[limit]) {
    const seconds = Math.ceil(((recent[0] ?? now) + WINDOWS[limit] - now) / 1000);
    const headers = { "retry-after": String(seconds) };
    throw new HttpError(429, `Rate limit exceeded: ${limits[limit]} uses`, headers);
  }
  uses[`${limit} ${project}`] = [...recent, now];
}
