import * as z from "zod/mini";
import { cut } from "../text/markdown.ts";
import { unreadable } from "./errors.ts";

/** The fields of a job that the action uses. What the service does not say is null. */
export interface Job {
  id: string;
  /** `active`, `completed`, `archived`, `failed`, or any other text from the service. */
  status: string | null;
  /** From the service, not checked yet. */
  prLink: string | null;
  model: string | null;
  repository: string | null;
  ref: string | null;
  createdAt: string | null;
  archivedAt: string | null;
  /** The agent's message to the requester; version 1 only. */
  message: string | null;
  /** The agent's current to-do list, of which all but the content may be empty, or any text; version 1 only. */
  todos: readonly Record<"id" | "content" | "status" | "priority", string>[] | null;
  /** Why it failed, and what to do, written by the action; version 1 only. */
  failure: { problem: string; advice: string } | null;
  /** The whole record, to see whether it has changed; version 2 only. */
  record: Readonly<Record<string, unknown>> | null;
}

/** A job as a poll reads it. */
export interface PolledJob extends Job {
  status: string;
}

/** A job that will not continue by itself. */
export interface EndedJob extends Job {
  status: "completed" | "archived" | "failed";
}

/** The answer to a poll. */
export interface JobReply {
  job: PolledJob;
  /** `Retry-After` of the response in milliseconds; null if it had none. */
  retryAfter: number | null;
}

/** Whether a job's record names a pull request, even if its URL is not safe to show. */
export function hasPullRequest(job: Job | null): boolean {
  const prLink = job?.prLink ?? null;
  return prLink !== null && prLink.trim() !== "";
}

/** A job of which no more is known than this. */
export function bareJob<Status extends string | null>(
  id: string,
  status: Status,
): Job & { status: Status } {
  return {
    id,
    status,
    prLink: null,
    model: null,
    repository: null,
    ref: null,
    createdAt: null,
    archivedAt: null,
    message: null,
    todos: null,
    failure: null,
    record: null,
  };
}

/** The time limit of a call in milliseconds, and a signal to stop it. */
export interface CallOptions {
  limit?: number;
  signal?: AbortSignal | undefined;
}

/** The service's agent in one of its versions. Every method throws `ServiceError`. */
export interface Agent {
  /**
   * Starts a job, or sends a further instruction to one. Never call it again for the same request unless the error says
   * nothing was received. If the answer to a message has no status, or is on another job, the status is null.
   *
   * @param id null for a new job
   */
  send(id: string | null, prompt: string, options?: CallOptions): Promise<Job>;
  /** A response with the record of another job is an error. */
  get(id: string, options?: CallOptions): Promise<JobReply>;
}

/** Maximum length of an ID, in characters. It is part of paths, markers and the saved state. */
const MAX_ID = 1000;

/** Whether a text can be the ID of a job, and is safe as a part of a path. */
export function isId(id: string | null | undefined): id is string {
  if (id === null || id === undefined) return false;
  return !["", ".", ".."].includes(id.trim()) && id.length <= MAX_ID;
}

/** Maximum length of the service's texts in logs and comments, in characters. */
export const MAX_TEXT = 4_000;
/** Maximum length of an error message from the service, in characters. */
export const MAX_MESSAGE = 500;

/** A text, cut to a number of characters. */
export function atMost(length: number) {
  return z.pipe(
    z.string(),
    z.transform((value: string) => cut(value, length)),
  );
}

/** Null for a field that is missing or has another type. */
export function orNull<T>(field: z.ZodMiniType<T>) {
  return z.catch(z.nullable(field), null);
}

/** A text of a record; null if it is missing or has another type. */
export const text = orNull(atMost(MAX_TEXT));

/** Checks a value that the service returned. @param subject what it is, for messages */
export function checked<T>(
  schema: z.ZodMiniType<T>,
  value: unknown,
  subject: string,
  retryAfter: number | null = null,
): T {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data;
  const missing = error.issues.map(({ path }) => path.join(".") || "an object").join(" and ");
  throw unreadable(`does not describe ${subject}: it lacks ${missing}`, retryAfter);
}

/** @throws ServiceError if the record is that of another job */
export function checkId(id: string, reply: JobReply): JobReply {
  if (reply.job.id === id) return reply;
  throw unreadable("describes a different job from the one requested", reply.retryAfter);
}
