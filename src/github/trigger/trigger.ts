import { ActionError } from "../../runtime/errors.ts";
import { RUNS_BEFORE, ruleOf } from "./events.ts";
import { checkRequester, type Denial, type Named } from "./permission.ts";
import { findMiss, findRequest, type Request } from "./phrase.ts";
import {
  type Account,
  type Payload,
  type Post,
  type RunContext,
  textIn,
  textOf,
} from "./run-context.ts";

/** An event without a request. `isTried`: the phrase is at the start of a line, but it is ignored there. */
export interface NoRequest {
  type: "no-request";
  reason: string;
  isTried: boolean;
}

/** Who is behind an event, according to the event and the inputs. */
export type Requesters =
  /** Only somebody with access to the repository, or nobody. */
  | { type: "unguarded" }
  /** Those who need the permission. `post`: what may have been written by an app; null for nothing. */
  | { type: "people"; people: string[]; post: Post | null }
  /** An account is never allowed to make requests. */
  | ({ type: "not-allowed" } & Denial);

/** Where the text and the author are of what somebody wrote. */
const WRITTEN = new Map<string, "comment" | "review" | "issue" | "discussion" | "pull_request">([
  ["issue_comment", "comment"],
  ["pull_request_review_comment", "comment"],
  ["pull_request_review", "review"],
  ["issues", "issue"],
  ["discussion", "discussion"],
  ["discussion_comment", "comment"],
  ["commit_comment", "comment"],
  ["pull_request_target", "pull_request"],
]);

/** What somebody wrote, if that triggered the run. */
export function triggeringPost({ eventName, payload }: RunContext): Post | undefined {
  const name = WRITTEN.get(eventName);
  if (name === undefined) return undefined;
  const post = payload[name];
  return typeof post === "object" && post !== null ? post : undefined;
}

/** Reads the request from an event. Who made it is checked by {@link readRequesters}. */
export async function readTrigger(
  context: RunContext,
  phrase: string,
): Promise<
  | NoRequest
  /** The author wrote the phrase where it does not count. */
  | { type: "missed"; reason: string }
  /** The event needs no request. Who caused it decides: see {@link readCausers}. */
  | { type: "caused" }
  /** Somebody requests something. `doubt`: why a part is ignored, as the rest of a sentence; null for none. */
  | { type: "request"; post: Post; request: Request; doubt: string | null }
> {
  const { eventName, payload } = context;
  const rule = ruleOf(eventName, payload);
  if (rule === "closed") {
    const reason = `${nameOf(context)} cannot contain a request with ${phrase}`;
    return { type: "no-request", reason, isTried: false };
  }
  if (rule !== "asks") return { type: "caused" };
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
  return { type: "people", people: isNamed ? [] : [login], post };
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
 * Who is behind an event, for a run that needs no request: the text's author and the sender of an event that may ask;
 * the sender of any other that may be caused by somebody without access to the repository.
 *
 * @returns no request if the event starts nothing, whoever caused it
 * @throws ActionError `invalid-input` for an event that names no sender, whose permission nobody can check
 */
export function readCausers(context: RunContext, named: Named): Requesters | NoRequest {
  const { eventName, payload } = context;
  const { sender } = payload;
  switch (ruleOf(eventName, payload)) {
    case "runs":
      return { type: "unguarded" };
    case "after-run":
      return causersOfRun(context, named);
    case "asks": {
      const post = triggeringPost(context) ?? {};
      const people = peopleOf([post, { user: sender ?? post.user ?? null }], sender, named);
      return people.type === "people" ? { ...people, post } : people;
    }
    case "sender":
    case "closed":
      return peopleOf([{ user: senderOf(sender, context) }], sender, named);
  }
}

/** Who is behind a run, after which this one begins. A run of a fork starts nothing. */
function causersOfRun(context: RunContext, named: Named): Requesters | NoRequest {
  const { repository, payload } = context;
  const { workflow_run: run } = payload;
  const head = textOf(run?.head_repository?.full_name);
  if (head === null || head.toLowerCase() !== repository?.toLowerCase()) {
    const reason = "the run before this one is for a commit of a fork, or of no known repository";
    return { type: "no-request", reason, isTried: false };
  }
  if (RUNS_BEFORE.includes(textIn(run?.event))) return { type: "unguarded" };
  const { actor, triggering_actor: again } = run ?? {};
  const posts = [actor, again].map((account) => ({ user: senderOf(account, context) }));
  return peopleOf(posts, undefined, named);
}

function senderOf(sender: Account | null | undefined, context: RunContext): Account {
  if (textOf(sender?.login) !== null && sender) return sender;
  throw new ActionError(
    "invalid-input",
    `The event ${nameOf(context)} does not name who caused it, so that nobody's permission can be checked.`,
    "Nothing was started. Use another event in the workflow's `on:`.",
  );
}

function peopleOf(
  posts: readonly Post[],
  sender: Account | undefined,
  named: Named,
): Extract<Requesters, { type: "people" | "not-allowed" }> {
  const people = new Set<string>();
  for (const post of posts) {
    const requester = checkRequester(post, sender, named);
    if ("reason" in requester) return { ...requester, type: "not-allowed" };
    if (!requester.isNamed) people.add(requester.login);
  }
  return { type: "people", people: [...people], post: null };
}

/** An event and its action, for messages. */
function nameOf({ eventName, payload }: RunContext): string {
  return [eventName, textOf(payload.action)].filter(Boolean).join(" ") || "of this run";
}

/** Whether somebody set a label or merged a pull request: such a run needs no phrase, but a prompt. */
export function isLabelOrMerge({ eventName, payload }: RunContext): boolean {
  const rule = ruleOf(eventName, payload);
  return rule === "sender" || (rule === "runs" && payload.pull_request !== undefined);
}
