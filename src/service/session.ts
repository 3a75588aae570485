import * as z from "zod/mini";
import { isId, type Job, type Todo } from "./agent.ts";
import { text } from "./texts.ts";

/** Bounds on what a session says, so that no output or comment is flooded: characters, and items. */
const MAX_MESSAGE = 32 * 1024;
const MAX_TODO = 1000;
const MAX_TODOS = 200;

/** Whatever is missing or of another type is not told; the names are the service's own. */
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
  /** The record as it came. */
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
  // It says no more than that the job failed.
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
  // Only what is a plain word may stand among the action's own.
  const named = /^[a-z0-9_-]{1,60}$/.test(reason) ? ` (\`${reason}\`)` : "";
  return {
    what:
      reason === ""
        ? "The session was halted, and the service gave no reason."
        : `The session was halted for a reason that this version of the action does not know${named}.`,
    advice: "Check the job on the service's dashboard.",
  };
}
