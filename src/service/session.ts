import * as z from "zod/mini";
import { atMost, isId, type Job, orNull, text, unknownJob } from "./agent.ts";

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

/** A session as a job: {@link Job.status} follows from whether it was halted, and why. */
export function jobOfSession(session: Session): Job {
  const { sessionId, haulted, messageToUser: message, createdAt, todos } = session;
  const reason = (session.haultReason ?? "").trim().toLowerCase();
  const isHalted = (haulted ?? reason !== "") && reason !== "processing";
  const status = !isHalted ? "active" : reason === "completed" ? "completed" : "failed";
  return {
    ...unknownJob(sessionId),
    ...{ status, createdAt, todos, prLink: session.pullRequestLink, ref: session.branch },
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
