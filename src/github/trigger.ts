import { findRequest, type PhraseRequest } from "./phrase.ts";
import type { Account, Payload, RunContext } from "./run-context.ts";

/** Whether the event asks for anything, as far as the event alone can tell. */
export type Trigger =
  /** The phrase does not matter: none is set, or the event carries no text that could ask with it. */
  | { type: "no-phrase-needed" }
  | { type: "not-asked"; why: string }
  /** Asked by an account that is never allowed to. */
  | { type: "not-allowed"; why: string }
  | { type: "request"; request: Request };

/** A request made by phrase. */
export interface Request extends PhraseRequest {
  /** Account that asked. */
  login: string;
}

/** Which action of an event asks by phrase, and where its text and author are. */
const ASKING: Record<string, { action: string; post: (payload: Payload) => Post | undefined }> = {
  issue_comment: { action: "created", post: ({ comment }) => comment },
  pull_request_review_comment: { action: "created", post: ({ comment }) => comment },
  pull_request_review: { action: "submitted", post: ({ review }) => review },
  issues: { action: "opened", post: ({ issue }) => issue },
};

interface Post {
  body?: string | null;
  user?: Account | null;
}

/**
 * What the event asks for. Whether the account has the permission to ask is checked elsewhere.
 *
 * @param phrase as in `trigger-phrase`; empty when the workflow has none
 */
export function readTrigger({ eventName, payload }: RunContext, phrase: string): Trigger {
  const asking = ASKING[eventName];
  const isLabel = eventName === "issues" && payload.action === "labeled";
  if (phrase === "" || asking === undefined || isLabel) return { type: "no-phrase-needed" };
  if (payload.action !== asking.action) {
    return { type: "not-asked", why: `${eventName} ${payload.action ?? ""} asks for nothing` };
  }
  const post = asking.post(payload);
  const found = findRequest(post?.body ?? "", phrase);
  if (found === null) return { type: "not-asked", why: `nothing asks with ${phrase}` };

  const login = post?.user?.login ?? "";
  const isBot = [post?.user, payload.sender].some((account) => account?.type === "Bot");
  if (isBot) return { type: "not-allowed", why: `${login || "the account"} is a bot` };
  if (login === "") return { type: "not-allowed", why: "the event does not say who asks" };
  return { type: "request", request: { login, ...found } };
}
