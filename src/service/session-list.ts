import type { CallOptions } from "./agent.ts";
import { ServiceError } from "./errors.ts";
import { readSession, type Session } from "./session.ts";
import type { Transport } from "./transport.ts";

/** The most that the service gives at a time. */
const TAKE = 100;
/** An end to reading, should the service never come to one. */
const MAX_SESSIONS = 10_000;
const MAX_PAGES = MAX_SESSIONS / TAKE;
/** Largest page that is read, in bytes: a service that ignores `take` gives all sessions at once. */
const MAX_BYTES = 8 * 1024 * 1024;

/** A project's sessions. */
export interface SessionList {
  /** Each once, newest first; those that do not tell when they were created come last. */
  sessions: Session[];
  /** Whether there may be more that could not be had. */
  isPartial: boolean;
}

/** What one request brought: the sessions that could be read, of so many entries. */
export interface Page {
  sessions: Session[];
  length: number;
}

export type ReadPage = (skip: number, take: number) => Promise<Page>;

/**
 * Reads all pages of a list whose order and page size cannot be relied on. The service may ignore `skip`
 * or `take` or both: reading ends with the first page that brings nothing new.
 */
export async function readAllPages(readPage: ReadPage): Promise<SessionList> {
  const found = new Map<string, Session>();
  let skip = 0;
  let isPartial = true;
  for (let pages = 0; pages < MAX_PAGES && found.size < MAX_SESSIONS; pages++) {
    const page = await readPage(skip, TAKE);
    const before = found.size;
    for (const session of page.sessions) {
      if (!found.has(session.sessionId)) found.set(session.sessionId, session);
    }
    if (found.size === before) {
      // A full page of what is known already: `skip` is ignored, and what comes after cannot be had.
      isPartial = page.length === TAKE;
      break;
    }
    skip += page.length;
  }
  return { sessions: newestFirst([...found.values()]), isPartial };
}

/** Reads one page of `GET /v1/agent/{projectId}/jobs`. Throws `ServiceError`. */
export async function readPageOf(
  transport: Transport,
  projectId: string,
  { skip, take }: { skip: number; take: number },
  options: CallOptions = {},
): Promise<Page> {
  const { value, retryAfter } = await transport.json(
    "GET",
    ["v1", "agent", projectId, "jobs"],
    undefined,
    { ...options, query: { skip: String(skip), take: String(take) }, maxBytes: MAX_BYTES },
  );
  const { allSessions } = (value ?? {}) as { allSessions?: unknown };
  if (!Array.isArray(allSessions)) {
    throw new ServiceError(
      { type: "unreadable" },
      "The service's response is not a list of jobs: it lacks allSessions",
      retryAfter,
    );
  }
  const sessions = allSessions
    .slice(0, MAX_SESSIONS)
    .map((it) => readSession(it))
    .filter((it) => it !== null);
  return { sessions, length: allSessions.length };
}

function newestFirst(sessions: Session[]): Session[] {
  return sessions.sort((one, other) => createdAt(other) - createdAt(one));
}

/** Milliseconds since 1970; 0 when it is not told or cannot be read. */
export function createdAt({ createdAt: text }: Pick<Session, "createdAt">): number {
  return Date.parse(text ?? "") || 0;
}
