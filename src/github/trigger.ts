import { checkRequester, type Denial, type Named } from "./permission.ts";
import { findRequest, hasPhrase, type PhraseRequest } from "./phrase.ts";
import type { Account, Payload, Post, RunContext } from "./run-context.ts";

/** Whether the event contains a request, according to the event alone. */
export type Trigger =
  /** No outsider can cause the event. */
  | { type: "no-phrase-needed" }
  /** An outsider can cause it, and there is no phrase; `people` are those who need the permission. */
  | { type: "guarded"; people: string[] }
  /** `isTried`: somebody wrote the phrase at the start of a line, but it is ignored there. */
  | { type: "no-request"; why: string; isTried: boolean }
  /** Asked by an account that is never allowed to. */
  | ({ type: "not-allowed" } & Denial)
  /**
   * `doubt`: why a part of it is ignored, as the rest of a sentence; `isNamed`: the inputs list the account, so
   * that it needs no permission.
   */
  | { type: "request"; request: Request; doubt?: string | undefined; isNamed: boolean };

/** A request made by phrase. */
export interface Request extends PhraseRequest {
  /** Account that asked. */
  login: string;
}

/** What an outsider can write or cause, and where its text and author are; `asks`: the action that asks by phrase. */
const WRITTEN = new Map<string, { asks?: string; post: (payload: Payload) => Post | undefined }>([
  ["issue_comment", { asks: "created", post: ({ comment }) => comment }],
  ["pull_request_review_comment", { asks: "created", post: ({ comment }) => comment }],
  ["pull_request_review", { asks: "submitted", post: ({ review }) => review }],
  ["issues", { asks: "opened", post: ({ issue }) => issue }],
  ["discussion", { post: ({ discussion }) => discussion }],
  ["discussion_comment", { post: ({ comment }) => comment }],
  ["commit_comment", { post: ({ comment }) => comment }],
  ["pull_request_target", { post: ({ pull_request }) => pull_request }],
  ["fork", { post: sent }],
  ["gollum", { post: sent }],
  ["watch", { post: sent }],
]);

/** An event without a text: its sender is the author. */
function sent({ sender }: Payload): Post {
  return { user: sender ?? null };
}

/** What somebody wrote, if that triggered the run. */
export function triggeringPost({ eventName, payload }: RunContext): Post | undefined {
  return WRITTEN.get(eventName)?.post(payload);
}

/** Events that need access to the repository, or come from a workflow. */
const UNGUARDED = new Set([
  ...["schedule", "push", "release", "workflow_dispatch", "repository_dispatch"],
  ...["workflow_run", "workflow_call"],
]);

/**
 * Reads the request from an event. The permission of the account is checked elsewhere.
 *
 * @param phrase as in `trigger-phrase`; empty when the workflow has none
 * @param named accounts that the workflow allows to ask
 */
export async function readTrigger(
  context: RunContext,
  phrase: string,
  named: Named,
): Promise<Trigger> {
  const { eventName, payload } = context;
  if (runsWithoutPhrase(eventName, payload)) return { type: "no-phrase-needed" };
  if (phrase === "") return guard(context, named);
  const written = WRITTEN.get(eventName);
  const name = [eventName, payload.action].filter(Boolean).join(" ");
  const post = triggeringPost(context);
  if (written?.asks === undefined || payload.action !== written.asks) {
    const why = `${name || "the event"} cannot contain a request with ${phrase}`;
    // Whoever deletes a text no longer wants what it says.
    const isTried = payload.action !== "deleted" && hasPhrase(post?.body ?? "", phrase);
    return { type: "no-request", why, isTried };
  }
  const doubts: string[] = [];
  const onDoubt = (why: string) => void doubts.push(why);
  const isIssue = eventName === "issues";
  const found = await findRequest(post?.body ?? "", phrase, { isIssue, onDoubt });
  const none = `the text contains no request with ${phrase}`;
  if (post === undefined || found === null) {
    const why = [none, ...doubts].join(" that counts: ");
    return { type: "no-request", why, isTried: doubts.length > 0 };
  }
  const requester = checkRequester(post, payload.sender, named);
  if (requester.type === "refused") return { ...requester, type: "not-allowed" };
  const doubt = whoseWords(payload, requester.login);
  if (doubt !== null) {
    return { type: "no-request", why: `${none} that counts: ${doubt}`, isTried: true };
  }
  const request = { login: requester.login, ...found };
  return { type: "request", request, doubt: doubts[0], isNamed: requester.type === "named" };
}

/** Why the sender of the event is not the author of the text; null if it is. */
function whoseWords({ changes, sender }: Payload, author: string): string | null {
  if (changes?.old_issue !== undefined) return "the issue was transferred from another repository";
  return isSame(author, sender) ? null : `${author} wrote it, and ${sender?.login} sent the event`;
}

/** Without a phrase: whoever wrote the text, and whoever sent the event, need the permission. Labels take one anyway. */
function guard(context: RunContext, named: Named): Trigger {
  const { eventName, payload } = context;
  const isLabel = payload.action === "labeled" || payload.action === "unlabeled";
  if (!WRITTEN.has(eventName) || isLabel) return { type: "no-phrase-needed" };
  const post = triggeringPost(context) ?? {};
  const people = new Set<string>();
  for (const it of [post, { user: payload.sender ?? post.user ?? null }]) {
    const requester = checkRequester(it, payload.sender, named);
    if (requester.type === "refused") return { ...requester, type: "not-allowed" };
    if (requester.type === "person") people.add(requester.login);
  }
  return { type: "guarded", people: [...people] };
}

/** Whether this account sent the event. GitHub always names the sender. */
function isSame(login: string, sender: Account | undefined): boolean {
  return login.toLowerCase() === (sender?.login ?? login).toLowerCase();
}

/** Whether only somebody with access to the repository can cause the event. */
function runsWithoutPhrase(eventName: string, { action, pull_request: pull }: Payload): boolean {
  if (UNGUARDED.has(eventName)) return true;
  const isPull = eventName === "pull_request" || eventName === "pull_request_target";
  if (action === "labeled") return isPull || eventName === "issues";
  return isPull && action === "closed" && pull?.merged === true;
}
