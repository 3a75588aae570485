import { findRequest, type PhraseRequest } from "./phrase.ts";
import { checkRequester, type Named } from "./requester.ts";
import type { Payload, Post, RunContext } from "./run-context.ts";

/** Whether the event asks for anything, as far as the event alone can tell. */
export type Trigger =
  /** The phrase does not matter: none is set, or no outsider can cause the event. */
  | { type: "no-phrase-needed" }
  | { type: "no-request"; why: string }
  /** Asked by an account that is never allowed to. */
  | { type: "not-allowed"; why: string }
  /**
   * `doubt`: why not all of it counts, as the rest of a sentence; `isNamed`: the workflow names the account, so
   * that it needs no permission.
   */
  | { type: "request"; request: Request; doubt?: string | undefined; isNamed: boolean };

/** A request made by phrase. */
export interface Request extends PhraseRequest {
  /** Account that asked. */
  login: string;
}

/** Which action of an event asks by phrase, and where its text and author are. */
const ASKING = new Map<string, { action: string; post: (payload: Payload) => Post | undefined }>([
  ["issue_comment", { action: "created", post: ({ comment }) => comment }],
  ["pull_request_review_comment", { action: "created", post: ({ comment }) => comment }],
  ["pull_request_review", { action: "submitted", post: ({ review }) => review }],
  ["issues", { action: "opened", post: ({ issue }) => issue }],
]);

/** Events that take access to the repository, or come from a workflow. */
const UNGUARDED = new Set([
  ...["schedule", "push", "release", "workflow_dispatch", "repository_dispatch"],
  ...["workflow_run", "workflow_call"],
]);

/**
 * What the event asks for. Whether the account has the permission to ask is checked elsewhere.
 *
 * @param phrase as in `trigger-phrase`; empty when the workflow has none
 * @param named accounts that the workflow allows to ask
 */
export async function readTrigger(
  { eventName, payload }: RunContext,
  phrase: string,
  named: Named,
): Promise<Trigger> {
  if (phrase === "" || runsWithoutPhrase(eventName, payload)) return { type: "no-phrase-needed" };
  const asking = ASKING.get(eventName);
  const name = [eventName, payload.action].filter(Boolean).join(" ");
  if (asking === undefined || payload.action !== asking.action) {
    return {
      type: "no-request",
      why: `${name || "the event"} cannot contain a request with ${phrase}`,
    };
  }
  const post = asking.post(payload);
  const doubts: string[] = [];
  const onDoubt = (why: string) => void doubts.push(why);
  const isIssue = eventName === "issues";
  const found = await findRequest(post?.body ?? "", phrase, { isIssue, onDoubt });
  const [doubt] = doubts;
  if (post === undefined || found === null) {
    const none = `the text contains no request with ${phrase}`;
    return {
      type: "no-request",
      why: doubt === undefined ? none : `${none} that counts: ${doubt}`,
    };
  }
  const requester = checkRequester(post, payload.sender, named);
  if (requester.type === "refused") return { type: "not-allowed", why: requester.why };
  const request = { login: requester.login, ...found };
  return { type: "request", request, doubt, isNamed: requester.type === "named" };
}

/** Whether only somebody with access to the repository can cause the event. */
function runsWithoutPhrase(eventName: string, { action, pull_request: pull }: Payload): boolean {
  if (UNGUARDED.has(eventName)) return true;
  const isPull = eventName === "pull_request" || eventName === "pull_request_target";
  if (action === "labeled") return isPull || eventName === "issues";
  return isPull && action === "closed" && pull?.merged === true;
}
