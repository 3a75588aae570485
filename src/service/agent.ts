import * as z from "zod/mini";
import { cut } from "../text/markdown.ts";

/** What the action needs to know of a job; every field but the first two may be missing. */
export interface Job {
  id: string;
  /**
   * `active`, `completed`, `archived`, `failed`; a status nobody knows yet is kept as it came. Empty when
   * the job's status is unknown.
   */
  status: string;
  /** As the service gave it: not yet judged to be a link. */
  prLink: string | null;
  model: string | null;
  repository: string | null;
  ref: string | null;
  createdAt: string | null;
  archivedAt: string | null;
  /** What the agent says to whoever asked; only version 1 tells. */
  message: string | null;
  /** The agent's to-do list as it stands; only version 1 tells. */
  todos: readonly Todo[] | null;
  /** Why it failed and what to check, in words of the action's own; only version 1 tells reasons. */
  failure: { what: string; advice: string } | null;
  /** The record as it came, to see whether anything in it has changed. */
  record: Readonly<Record<string, unknown>>;
}

/** An item of the agent's to-do list. */
export interface Todo {
  /** Empty when it has none. */
  id: string;
  content: string;
  /** `pending`, `in_progress`, `completed`, `cancelled`, or one nobody knows yet. */
  status: string;
  /** `high`, `medium`, `low`, or one nobody knows yet. */
  priority: string;
}

/** A job of which nothing is known but its id. */
export function unknownJob(id: string): Job {
  return {
    ...{ id, status: "", prLink: null, model: null, repository: null, ref: null },
    ...{ createdAt: null, archivedAt: null, message: null, todos: null, failure: null, record: {} },
  };
}

/** What the service said, and how long it asks to be left alone (milliseconds), if it does. */
export interface Reply {
  job: Job;
  retryAfter: number | undefined;
}

/** How a call may take: all of it, in milliseconds, and the caller's way to stop it. */
export interface CallOptions {
  limit?: number;
  signal?: AbortSignal;
}

/** Reads jobs. Throws `ServiceError`. */
export interface JobReader {
  /** A record of another job than the one asked for is an answer that cannot be read. */
  get(id: string, options?: CallOptions): Promise<Reply>;
}

/**
 * The service's agent in one of its versions. Every method throws `ServiceError`.
 */
export interface Agent extends JobReader {
  readonly version: "v1" | "v2";
  /** Starts a job. Never call it again for the same request unless the error says nothing was received. */
  create(prompt: string, options?: CallOptions): Promise<Reply>;
  /**
   * Sends a further instruction to a job. The answer may come without a status: then it is empty. Of an
   * answer that describes another job nothing is handed on: the message was accepted all the same.
   * Version 1 has no such thing: it throws `ActionError` without sending anything.
   */
  message(id: string, prompt: string, options?: CallOptions): Promise<Reply>;
}

/** Longest id, in characters: paths, markers and the state for the post step are made of it. */
const MAX_ID = 1000;

/** Whether this can be the id of a job: a path is made of it. */
export function isId(id: string | null | undefined): id is string {
  if (id === null || id === undefined || id.length > MAX_ID) return false;
  return !["", ".", ".."].includes(id.trim());
}

/** Longest texts of the service that are passed on, in characters: they end up in logs and comments. */
export const MAX_TEXT = 4_000;
const MAX_WORD = 200;
/** Of a message: more than that explains nothing. */
export const MAX_MESSAGE = 500;

/** A text of a record; whatever is missing or of another type is not told. */
export const text = z.catch(z.nullable(atMost(MAX_TEXT)), null);

/** A status. */
export const word = atMost(MAX_WORD);

function atMost(length: number) {
  return z.pipe(
    z.string(),
    z.transform((it: string) => cut(it, length)),
  );
}

/** Roles of the messages that version 1 takes. */
export const V1_ROLES = ["system", "user", "assistant"] as const;

/** A message as version 1 takes it. */
export interface V1Message {
  role: (typeof V1_ROLES)[number];
  content: string;
}

/** What only version 1 of the agent lets a caller choose; null is left to the service. */
export interface V1Choices {
  /** Branch to work on: the interface requires one. */
  branch: string;
  asDraft: boolean | null;
  model: string | null;
  /** Sent ahead of the prompt. */
  messages: readonly V1Message[];
}
