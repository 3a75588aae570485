import * as z from "zod/mini";
import { errorMessage } from "../runtime/errors.ts";
import type { Log } from "../runtime/log.ts";
import { cut } from "../text/markdown.ts";
import type { Secrets } from "../text/secrets.ts";
import { sentence } from "../text/sentence.ts";
import {
  type Agent,
  atMost,
  bareJob,
  type CallOptions,
  checked,
  checkId,
  isId,
  type Job,
  MAX_MESSAGE,
  orNull,
  type PolledJob,
  text,
} from "./agent.ts";
import { unreadable } from "./errors.ts";
import type { JsonTransport, StreamTransport } from "./transport.ts";

/** Options that only version 1 has. For null, the service chooses. */
export interface V1Choices {
  /** The branch to work on. The interface requires one. */
  branch: string;
  asDraft: boolean | null;
  model: string | null;
  /** Sent before the prompt. */
  messages: readonly Record<"role" | "content", string>[];
}

export interface V1Starts {
  choices: V1Choices;
  /** Aborted at the end of the run, to stop open streams. */
  over: AbortSignal;
  /** Gets the agent's streamed text, and one line if the stream is interrupted. */
  log: Log;
}

/**
 * Version 1 of the agent interface, deprecated: `/v1/agent/{projectId}/job`.
 *
 * @param starts undefined if the agent only reads jobs
 */
export function agentV1(transport: StreamTransport, projectId: string, starts?: V1Starts): Agent {
  const jobs = ["v1", "agent", projectId, "job"];
  /** The branch of the session that was created here. Its record may lack it. */
  let ownBranch: string | null = null;
  return {
    /** Returns as soon as the session's ID is known. Its stream is logged until the run ends. */
    async send(to, prompt, options = {}) {
      if (to !== null || starts === undefined) throw new Error("version 1 takes no messages");
      const { branch, asDraft, model, messages } = starts.choices;
      const request = {
        branch,
        messages: [...messages, { role: "user", content: prompt }],
        // JSON leaves out undefined values, and the service chooses.
        asDraft: asDraft ?? undefined,
        model: model ?? undefined,
      };
      const signal = AbortSignal.any([starts.over, ...(options.signal ? [options.signal] : [])]);
      const stream = await transport.stream(jobs, request, { ...options, signal });
      const { "x-session-id": id, "x-branch-name": named } = stream.headers;
      if (!isId(id)) throw unreadable("does not contain the job's ID (X-Session-Id)");
      void logStream(stream.text, transport.secrets, starts);
      ownBranch = cut(named?.trim() || branch, MAX_MESSAGE);
      return { ...bareJob(id, "active"), ref: ownBranch };
    },

    async get(id, options) {
      const { value, retryAfter } = await transport.json([...jobs, id], null, options);
      const session = readSession(value, id);
      if (session === null) {
        throw unreadable("does not describe the job: it lacks haulted and haultReason", retryAfter);
      }
      const job = jobOfSession(session);
      return checkId(id, { job: { ...job, ref: job.ref ?? ownBranch }, retryAfter });
    },
  };
}

/** Maximum size of a page, in bytes. A service that ignores `take` returns all sessions at once. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

const page = z.object({ allSessions: z.array(z.unknown()) });

/** Reads one page of a project's sessions (`GET /v1/agent/{projectId}/jobs`), as they are. Throws `ServiceError`. */
export async function listSessions(
  transport: JsonTransport,
  projectId: string,
  { skip, take }: { skip: number; take: number },
  options: CallOptions = {},
): Promise<unknown[]> {
  const query = { skip: String(skip), take: String(take) };
  const limits = { ...options, query, maxBytes: MAX_PAGE_BYTES };
  const { value } = await transport.json(["v1", "agent", projectId, "jobs"], null, limits);
  return checked(page, value, "a list of jobs").allSessions;
}

/** Logs the stream of a session as it arrives. The job does not depend on it. Never throws. */
async function logStream(
  text: AsyncIterable<string>,
  secrets: Secrets,
  { over, log }: V1Starts,
): Promise<void> {
  const show = (piece: string) => {
    const lines = piece.split(/\r\n|[\r\n]/).filter((line) => line.trim() !== "");
    // The mark distinguishes the agent's text from the action's.
    const marked = lines.map((line) => `> ${line}`);
    if (marked.length > 0 && !over.aborted) log.info(marked.join("\n"));
  };
  const redactor = secrets.redactor();
  let interruption: string | null = null;
  try {
    for await (const piece of text) show(redactor.feed(piece));
  } catch (error) {
    interruption = sentence(`The agent's stream was interrupted: ${errorMessage(error)}`);
  }
  show(redactor.end());
  if (interruption !== null && !over.aborted) log.info(`${interruption} The job continues.`);
}

/** Limits for the texts of a session, in characters, and for the number of its to-do items. */
const MAX_TO_USER = 32 * 1024;
const MAX_TODO = 1000;
const MAX_TODOS = 200;

const word = z.catch(atMost(60), "");
const todo = z.object({ id: word, content: atMost(MAX_TODO), status: word, priority: word });
/** An item that cannot be read, or has no content, is left out. */
const todos = z.pipe(
  z.array(orNull(todo)),
  z.transform((items) =>
    items
      .slice(0, MAX_TODOS)
      .filter((item) => item !== null)
      .filter(({ content }) => content.trim() !== ""),
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
  messageToUser: orNull(atMost(MAX_TO_USER)),
  todos: orNull(todos),
  userId: text,
  title: text,
  createdAt: text,
});

/** A job's record in version 1, as far as it could be read. */
export type Session = z.infer<typeof schema> & { sessionId: string };

/**
 * @param askedFor the requested ID, used if the session contains none
 * @returns null if the value has no field by which it is a session
 */
export function readSession(value: unknown, askedFor?: string): Session | null {
  const { data: session } = schema.safeParse(value);
  if (session === undefined) return null;
  const sessionId = isId(session.sessionId) ? session.sessionId : askedFor;
  const isSession = (session.sessionId ?? session.haulted ?? session.haultReason) !== null;
  return isSession && sessionId !== undefined ? { ...session, sessionId } : null;
}

/** A session as a job: {@link PolledJob.status} follows from whether it was halted, and why. */
export function jobOfSession(session: Session): PolledJob {
  const { sessionId, haulted, messageToUser: message, createdAt, todos } = session;
  const reason = session.haultReason?.trim().toLowerCase() || null;
  const status = statusOf(haulted, reason);
  return {
    ...bareJob(sessionId, status),
    createdAt,
    todos,
    prLink: session.pullRequestLink,
    ref: session.branch,
    message: message?.trim() ? message : null,
    failure: status === "failed" ? failureOf(reason) : null,
  };
}

/** @param isHalted null if the session does not say so */
function statusOf(isHalted: boolean | null, reason: string | null): string {
  const isActive = !(isHalted ?? reason !== null) || reason === "processing";
  if (isActive) return "active";
  return reason === "completed" ? "completed" : "failed";
}

/** Explains the reasons that the interface documents, in both spellings, and others that occur. */
function failureOf(reason: string | null): Job["failure"] {
  // This reason only says that the job failed.
  if (reason === "error") return null;
  if (reason === "interrupted") {
    const advice = "Run again, unless someone stopped it on Mintlify's dashboard.";
    return { problem: "The session was interrupted.", advice };
  }
  // The service may correct the spelling.
  if (reason !== null && /^(repohost|github)_miss?configured$/.test(reason)) {
    return {
      problem: [
        "The service's connection to the repository's host is misconfigured,",
        "so the agent could not work on the repository.",
      ].join(" "),
      advice: [
        "Check on Mintlify's dashboard that its app is installed for this repository's owner",
        "and has access to the repository, that the project names the right repository and branch,",
        "and that no branch protection keeps the app from pushing; then run again.",
      ].join(" "),
    };
  }
  // Only a plain word may appear in the action's text.
  const isWord = reason !== null && /^[a-z0-9_-]{1,60}$/.test(reason);
  const named = isWord ? ` (\`${reason}\`)` : "";
  return {
    problem: `The session was halted for a reason that this version of the action does not know${named}.`,
    advice: "Check the job on Mintlify's dashboard.",
  };
}
