import { checkRequester, type Denial, type Named } from "./permission.ts";
import { findMiss, findRequest, type Request } from "./phrase.ts";
import { type Payload, type Post, type RunContext, textIn, textOf } from "./run-context.ts";

/** An event without a request. `isTried`: the phrase is at the start of a line, but it is ignored there. */
export interface NoRequest {
  type: "no-request";
  reason: string;
  isTried: boolean;
}

/** Whether the event contains a request, whoever caused it. */
export type Trigger =
  | NoRequest
  /** The author wrote the phrase where it does not count. */
  | { type: "missed"; reason: string }
  /** Only somebody with access to the repository, or nobody, can cause the event. */
  | { type: "unguarded" }
  /** Somebody requests something. `doubt`: why a part is ignored, as the rest of a sentence; null for none. */
  | { type: "request"; post: Post; request: Request; doubt: string | null };

/** Who is behind an event, according to the event and the inputs. */
export type Requesters =
  /** Only somebody with access to the repository, or nobody. */
  | { type: "unguarded" }
  /** Those who need the permission. */
  | { type: "people"; people: string[] }
  /** An account is never allowed to make requests. */
  | ({ type: "not-allowed" } & Denial);

/** The actions that ask by phrase, by the events that have them. */
const ASKS = new Map([
  ["issue_comment", "created"],
  ["pull_request_review_comment", "created"],
  ["pull_request_review", "submitted"],
  ["issues", "opened"],
]);

/** Where the text and the author are of what an outsider can write; null for no text: the sender is the author. */
const WRITTEN = new Map<
  string,
  "comment" | "review" | "issue" | "discussion" | "pull_request" | null
>([
  ["issue_comment", "comment"],
  ["pull_request_review_comment", "comment"],
  ["pull_request_review", "review"],
  ["issues", "issue"],
  ["discussion", "discussion"],
  ["discussion_comment", "comment"],
  ["commit_comment", "comment"],
  ["pull_request_target", "pull_request"],
  ["fork", null],
  ["gollum", null],
  ["watch", null],
]);

/** What somebody wrote, if that triggered the run. */
export function triggeringPost({ eventName, payload }: RunContext): Post | undefined {
  const name = WRITTEN.get(eventName);
  if (name === undefined) return undefined;
  if (name === null) return { user: payload.sender ?? null };
  const post = payload[name];
  return typeof post === "object" && post !== null ? post : undefined;
}

/** Events that need access to the repository, or come from a workflow. A called workflow has its caller's event. */
const UNGUARDED = new Set([
  "schedule",
  "push",
  "release",
  "workflow_dispatch",
  "repository_dispatch",
  "workflow_run",
]);

/** Reads the request from an event. Who made it is checked by {@link readRequesters}. */
export async function readTrigger(context: RunContext, phrase: string): Promise<Trigger> {
  const { eventName, payload } = context;
  if (runsWithoutPhrase(eventName, payload)) return { type: "unguarded" };
  const asks = ASKS.get(eventName);
  const name = [eventName, textOf(payload.action)].filter(Boolean).join(" ");
  if (asks === undefined || payload.action !== asks) {
    const reason = `${name || "the event"} cannot contain a request with ${phrase}`;
    return { type: "no-request", reason, isTried: false };
  }
  const post = triggeringPost(context);
  const isIssue = eventName === "issues";
  const text = textIn(post?.body);
  const { request, doubt } = await findRequest(text, phrase, isIssue);
  if (post === undefined) return noRequest(phrase, null);
  if (request !== null) return { type: "request", post, request, doubt };
  const missed = await findMiss(text, phrase, isIssue);
  const isTheirs = missed !== null && whoseWords(payload, textIn(post.user?.login)) === null;
  if (!isTheirs) return noRequest(phrase, doubt);
  return { type: "missed", reason: reasonOf(phrase, doubt ?? missed) };
}

/** Who made a request. Their permission is checked elsewhere. @returns no request if the words are another's */
export function readRequesters(
  post: Post,
  payload: Payload,
  phrase: string,
  named: Named,
): Requesters | NoRequest {
  const requester = checkRequester(post, payload.sender, named);
  if ("reason" in requester) return { ...requester, type: "not-allowed" };
  const { login, isNamed } = requester;
  const others = whoseWords(payload, login);
  if (others !== null) return noRequest(phrase, others);
  return { type: "people", people: isNamed ? [] : [login] };
}

function noRequest(phrase: string, doubt: string | null): NoRequest {
  return { type: "no-request", reason: reasonOf(phrase, doubt), isTried: doubt !== null };
}

/** @param doubt why the phrase does not count, as the rest of a sentence; null if the text does not contain it */
function reasonOf(phrase: string, doubt: string | null): string {
  const reason = `the text contains no request with ${phrase}`;
  return doubt === null ? reason : `${reason} that counts: ${doubt}`;
}

/** Why the sender of the event is not the author of the text; null if it is. */
function whoseWords({ changes, sender }: Payload, author: string): string | null {
  if (changes?.old_issue !== undefined) return "the issue was transferred from another repository";
  // GitHub always names the sender.
  const login = textOf(sender?.login ?? author) ?? "another account";
  const isAuthor = login.toLowerCase() === author.toLowerCase();
  return isAuthor ? null : `${author} wrote it, and ${login} sent the event`;
}

/**
 * Who is behind an event, for a run that needs no phrase: the text's author and the event's sender need the permission.
 * To set a label, one is needed anyway.
 */
export function readCausers(context: RunContext, named: Named): Requesters {
  const { eventName, payload } = context;
  const isLabel = payload.action === "labeled" || payload.action === "unlabeled";
  const isOpen = WRITTEN.has(eventName) && !isLabel && !runsWithoutPhrase(eventName, payload);
  if (!isOpen) return { type: "unguarded" };
  const post = triggeringPost(context) ?? {};
  const people = new Set<string>();
  for (const cause of [post, { user: payload.sender ?? post.user ?? null }]) {
    const requester = checkRequester(cause, payload.sender, named);
    if ("reason" in requester) return { ...requester, type: "not-allowed" };
    if (!requester.isNamed) people.add(requester.login);
  }
  return { type: "people", people: [...people] };
}

/** Whether somebody set a label or merged a pull request: such a run needs no phrase, but a prompt. */
export function isLabelOrMerge({ eventName, payload }: RunContext): boolean {
  return !UNGUARDED.has(eventName) && runsWithoutPhrase(eventName, payload);
}

/** Whether only somebody with access to the repository can cause the event. */
function runsWithoutPhrase(eventName: string, { action, pull_request: pull }: Payload): boolean {
  if (UNGUARDED.has(eventName)) return true;
  const isPull = eventName === "pull_request" || eventName === "pull_request_target";
  if (action === "labeled") return isPull || eventName === "issues";
  return isPull && action === "closed" && pull?.merged === true;
}
