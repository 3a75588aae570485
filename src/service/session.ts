import * as z from "zod/mini";
import {
  type CallOptions,
  isId,
  type Job,
  type JobReader,
  type Reply,
  type Todo,
  text,
} from "./agent.ts";
import { anotherJob, ServiceError } from "./errors.ts";
import type { Transport } from "./transport.ts";

/** Bounds on what a session says, so that no output or comment is flooded: characters, and items. */
const MAX_MESSAGE = 32 * 1024;
const MAX_TODO = 1000;
const MAX_TODOS = 200;

/** Fields that are missing or have another type become null. The names are the service's. */
const schema = z.object({
  sessionId: text,
  subdomain: text,
  branch: text,
  haulted: z.catch(z.nullable(z.boolean()), null),
  haultReason: text,
  pullRequestLink: text,
  messageToUser: z.catch(z.nullable(z.string()), null),
  todos: z.catch(z.nullable(z.array(z.unknown())), null),
  userId: text,
  title: text,
  createdAt: text,
});

/** A job's record in version 1, as far as it could be read. */
export interface Session extends Omit<z.infer<typeof schema>, "sessionId" | "todos"> {
  sessionId: string;
  todos: readonly Todo[] | null;
  /** The whole record. */
  record: Readonly<Record<string, unknown>>;
}

/**
 * Reads a session tolerantly.
 *
 * @param askedFor the id it was asked for by: taken for its own when it tells none
 * @returns null when nothing in it says that it is a session
 */
export function readSession(value: unknown, askedFor?: string): Session | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { todos, ...session } = schema.parse(value);
  const sessionId = isId(session.sessionId) ? session.sessionId : askedFor;
  const tells = [session.sessionId, session.haulted, session.haultReason].some((it) => it !== null);
  if (!tells || sessionId === undefined) return null;
  return {
    ...session,
    sessionId,
    messageToUser: session.messageToUser?.slice(0, MAX_MESSAGE).toWellFormed() ?? null,
    todos: todos?.slice(0, MAX_TODOS).flatMap(readTodo) ?? null,
    record: value as Record<string, unknown>,
  };
}

/** An item of the list in whatever shape; one without any content is left out. */
function readTodo(value: unknown): Todo[] {
  const item = typeof value === "string" ? { content: value } : value;
  if (typeof item !== "object" || item === null) return [];
  const { content, status, priority, id } = item as Record<string, unknown>;
  if (typeof content !== "string" || content.trim() === "") return [];
  const word = (it: unknown) => (typeof it === "string" ? it.slice(0, 60) : "");
  return [
    {
      id: typeof id === "number" ? String(id) : word(id),
      content: content.slice(0, MAX_TODO).toWellFormed(),
      status: word(status),
      priority: word(priority),
    },
  ];
}

/** The reasons that the interface documents, in both their spellings, and others that have been seen. */
const FAILURES = new Map<string, Job["failure"]>([
  ["repohost_missconfigured", misconfigured("The service's connection to the repository's host")],
  ["github_missconfigured", misconfigured("The service's connection to GitHub")],
  [
    "interrupted",
    {
      what: "The session was interrupted.",
      advice: "Run again, unless someone stopped it on the service's dashboard.",
    },
  ],
  // It only says that the job failed.
  ["error", null],
]);

function misconfigured(what: string): Job["failure"] {
  return {
    what: `${what} is misconfigured, so the agent could not work on the repository.`,
    advice:
      "Check on the service's dashboard that its app is installed for this repository's owner and has access to the repository, that the project names the right repository and branch, and that no branch protection keeps the app from pushing; then run again.",
  };
}

/** A session as a job: {@link Job.status} follows from whether it was halted, and why. */
export function jobOfSession(session: Session): Job {
  const { haulted, messageToUser, todos, record } = session;
  const reason = (session.haultReason ?? "").trim().toLowerCase();
  const isHalted = (haulted ?? reason !== "") && reason !== "processing";
  const status = !isHalted ? "active" : reason === "completed" ? "completed" : "failed";
  return {
    id: session.sessionId,
    status,
    prLink: session.pullRequestLink,
    ref: session.branch,
    createdAt: session.createdAt,
    ...{ model: null, repository: null, archivedAt: null },
    message: messageToUser?.trim() ? messageToUser : null,
    todos,
    failure: status === "failed" ? failureOf(reason) : null,
    record,
  };
}

function failureOf(reason: string): Job["failure"] {
  // A correct spelling may come one day.
  const known = FAILURES.get(reason.replace("_misconfigured", "_missconfigured"));
  if (known !== undefined) return known;
  // Only a plain word may appear in the action's text.
  const named = /^[a-z0-9_-]{1,60}$/.test(reason) ? ` (\`${reason}\`)` : "";
  return {
    what:
      reason === ""
        ? "The session was halted, and the service gave no reason."
        : `The session was halted for a reason that this version of the action does not know${named}.`,
    advice: "Check the job on the service's dashboard.",
  };
}

/** Reads jobs by version 1 of the agent interface: `GET /v1/agent/{projectId}/job/{id}`. */
export class SessionReader implements JobReader {
  readonly #transport: Transport;
  readonly #job: readonly string[];

  constructor(transport: Transport, projectId: string) {
    this.#transport = transport;
    this.#job = ["v1", "agent", projectId, "job"];
  }

  async get(id: string, options?: CallOptions): Promise<Reply> {
    const path = [...this.#job, id];
    const { value, retryAfter } = await this.#transport.json("GET", path, undefined, options);
    const session = readSession(value, id);
    if (session === null) {
      throw new ServiceError(
        { type: "unreadable" },
        "The service's response does not describe the job: it lacks haulted and haultReason",
        retryAfter,
      );
    }
    // A session without an ID counts as the requested one.
    if (session.sessionId !== id) throw anotherJob(retryAfter);
    return { job: jobOfSession(session), retryAfter };
  }
}

/** The most that the service gives at a time. */
const TAKE = 100;
/** Limits for a service whose list never ends. */
const MAX_SESSIONS = 10_000;
const MAX_PAGES = MAX_SESSIONS / TAKE;
/** Largest page that is read, in bytes: a service that ignores `take` gives all sessions at once. */
const MAX_BYTES = 8 * 1024 * 1024;

/** A project's sessions. */
interface SessionList {
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

/**
 * Reads all pages of a list whose order and page size cannot be relied on. The service may ignore `skip`
 * or `take` or both: reading ends with the first page that brings nothing new.
 */
export async function readAllPages(
  readPage: (skip: number, take: number) => Promise<Page>,
): Promise<SessionList> {
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
      // A full page without anything new: the service ignores `skip`, and the rest cannot be read.
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

/** Milliseconds since 1970; 0 if the time is missing or cannot be read. */
function createdAt({ createdAt: text }: Pick<Session, "createdAt">): number {
  return Date.parse(text ?? "") || 0;
}
