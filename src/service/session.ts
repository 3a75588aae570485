import * as z from "zod/mini";
import {
  atMost,
  type CallOptions,
  checked,
  isId,
  type Job,
  type JobReader,
  orNull,
  type Reply,
  text,
  unknownJob,
} from "./agent.ts";
import { unreadable } from "./errors.ts";
import type { Transport } from "./transport.ts";

/** Limits for the texts of a session, in characters, and for the number of its to-do items. */
const MAX_MESSAGE = 32 * 1024;
const MAX_TODO = 1000;
const MAX_TODOS = 200;

const word = z.catch(atMost(60), "");
const todo = z.object({ id: word, content: atMost(MAX_TODO), status: word, priority: word });
/** An item that cannot be read, or has no content, is left out. */
const todos = z.pipe(
  z.array(orNull(todo)),
  z.transform((all) =>
    all.slice(0, MAX_TODOS).flatMap((item) => (item?.content.trim() ? [item] : [])),
  ),
);

/** Fields that are missing or have another type become null. The names are the service's. */
const schema = z.object({
  sessionId: text,
  subdomain: text,
  branch: text,
  haulted: orNull(z.boolean()),
  haultReason: text,
  pullRequestLink: text,
  messageToUser: orNull(atMost(MAX_MESSAGE)),
  todos: orNull(todos),
  userId: text,
  title: text,
  createdAt: text,
});

/** A job's record in version 1, as far as it could be read. */
export interface Session extends z.infer<typeof schema> {
  sessionId: string;
  /** The whole record. */
  record: Job["record"];
}

/**
 * @param askedFor the requested ID, used if the session contains none
 * @returns null if the value has no field by which it is a session
 */
export function readSession(value: unknown, askedFor?: string): Session | null {
  const { data: session } = schema.safeParse(value);
  if (session === undefined) return null;
  const sessionId = isId(session.sessionId) ? session.sessionId : askedFor;
  const isSession = (session.sessionId ?? session.haulted ?? session.haultReason) !== null;
  if (!isSession || sessionId === undefined) return null;
  return { ...session, sessionId, record: value as Job["record"] };
}

/** A session as a job: {@link Job.status} follows from whether it was halted, and why. */
export function jobOfSession(session: Session): Job {
  const { sessionId, haulted, messageToUser: message, createdAt, todos, record } = session;
  const reason = (session.haultReason ?? "").trim().toLowerCase();
  const isHalted = (haulted ?? reason !== "") && reason !== "processing";
  const status = !isHalted ? "active" : reason === "completed" ? "completed" : "failed";
  return {
    ...unknownJob(sessionId),
    ...{ status, createdAt, todos, record, prLink: session.pullRequestLink, ref: session.branch },
    message: message?.trim() ? message : null,
    failure: status === "failed" ? failureOf(reason) : null,
  };
}

/** Explains the reasons that the interface documents, in both spellings, and others that occur. */
function failureOf(reason: string): Job["failure"] {
  // This reason only says that the job failed.
  if (reason === "error") return null;
  if (reason === "interrupted") {
    const advice = "Run again, unless someone stopped it on the service's dashboard.";
    return { what: "The session was interrupted.", advice };
  }
  // The service may correct the spelling.
  const [, host] = /^(repohost|github)_miss?configured$/.exec(reason) ?? [];
  if (host !== undefined) {
    const to = host === "github" ? "GitHub" : "the repository's host";
    return {
      what: `The service's connection to ${to} is misconfigured, so the agent could not work on the repository.`,
      advice:
        "Check on the service's dashboard that its app is installed for this repository's owner and has access to the repository, that the project names the right repository and branch, and that no branch protection keeps the app from pushing; then run again.",
    };
  }
  // Only a plain word may appear in the action's text.
  const named = /^[a-z0-9_-]{1,60}$/.test(reason) ? ` (\`${reason}\`)` : "";
  const why = `for a reason that this version of the action does not know${named}`;
  return {
    what: `The session was halted${reason === "" ? ", and the service gave no reason" : ` ${why}`}.`,
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
      throw unreadable("does not describe the job: it lacks haulted and haultReason", retryAfter);
    }
    if (session.sessionId !== id) {
      throw unreadable("describes a different job from the one requested", retryAfter);
    }
    return { job: jobOfSession(session), retryAfter };
  }
}

/** The service's maximum page size. */
const TAKE = 100;
/** Maximum number of pages, for a service whose list never ends. */
const MAX_PAGES = 100;
/** Maximum number of sessions that are read. */
const MAX_SESSIONS = 10_000;
/** Maximum size of a page, in bytes. A service that ignores `take` returns all sessions at once. */
const MAX_BYTES = 8 * 1024 * 1024;

const list = z.object({ allSessions: z.array(z.unknown()) });

/** Reads one page of `GET /v1/agent/{projectId}/jobs`. Throws `ServiceError`. */
export async function readPage(
  transport: Transport,
  projectId: string,
  skip: number,
  options: CallOptions,
): Promise<unknown[]> {
  const query = { skip: String(skip), take: String(TAKE) };
  const path = ["v1", "agent", projectId, "jobs"];
  const limits = { ...options, query, maxBytes: MAX_BYTES };
  const { value } = await transport.json("GET", path, undefined, limits);
  return checked(list, value, "a list of jobs").allSessions;
}

/**
 * Reads all pages of a list, in any order. The service may ignore `skip` and `take`, so reading ends at the first page
 * without new sessions.
 *
 * @returns each session once, newest first, and whether more sessions may exist
 */
export async function readAllPages(
  read: (skip: number) => Promise<unknown[]>,
): Promise<{ sessions: Session[]; isPartial: boolean }> {
  const found = new Map<string, Session>();
  let isPartial = true;
  for (let pages = 0, skip = 0; pages < MAX_PAGES && found.size < MAX_SESSIONS; pages++) {
    const page = await read(skip);
    const before = found.size;
    for (const session of page.slice(0, MAX_SESSIONS).map((value) => readSession(value))) {
      if (session !== null && !found.has(session.sessionId)) found.set(session.sessionId, session);
    }
    if (found.size === before) {
      // A full page without anything new: the service ignores `skip`, and the rest cannot be read.
      isPartial = page.length === TAKE;
      break;
    }
    skip += page.length;
  }
  const time = ({ createdAt }: Session) => Date.parse(createdAt ?? "") || 0;
  return { sessions: [...found.values()].sort((one, other) => time(other) - time(one)), isPartial };
}
