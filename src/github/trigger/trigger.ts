import { cut } from "../../text/markdown.ts";
import { checkRequester, type Denial, type Named } from "./permission.ts";
import { clean } from "./prompt-context.ts";
import type { Payload, Post, RunContext } from "./run-context.ts";

/** How the hidden marker begins that ends each comment of the action's own. */
export const MARKER_START = "<!-- docs-agent:";

/** Whether the event contains a request, according to the event alone. */
export type Trigger =
  /** `isTried`: the phrase is at the start of a line, but it is ignored there. */
  | { type: "no-request"; reason: string; isTried: boolean }
  /** The account is never allowed to make requests. */
  | ({ type: "not-allowed" } & Denial)
  /**
   * `people`: those who need the permission; null if no outsider can cause the event. `request`: null without a phrase.
   * `doubt`: why a part of the request is ignored, as the rest of a sentence; null for none.
   */
  | { type: "run"; people: string[] | null; request: Request | null; doubt: string | null };

const NO_PHRASE_NEEDED = { type: "run", people: null, request: null, doubt: null } as const;

export interface Request {
  /** The request without the phrase; empty if there is only the phrase. */
  text: string;
  /** Whether `--new` follows the phrase: the request is for a new job. */
  isNew: boolean;
}

/** What an outsider can write or cause. */
interface Written {
  /** Where its text and author are. Without, the event has no text, and its sender is the author. */
  post?: "comment" | "review" | "issue" | "discussion" | "pull_request";
  /** The action that asks by phrase. */
  asks?: string;
}

const WRITTEN = new Map<string, Written>([
  ["issue_comment", { post: "comment", asks: "created" }],
  ["pull_request_review_comment", { post: "comment", asks: "created" }],
  ["pull_request_review", { post: "review", asks: "submitted" }],
  ["issues", { post: "issue", asks: "opened" }],
  ["discussion", { post: "discussion" }],
  ["discussion_comment", { post: "comment" }],
  ["commit_comment", { post: "comment" }],
  ["pull_request_target", { post: "pull_request" }],
  ["fork", {}],
  ["gollum", {}],
  ["watch", {}],
]);

/** What somebody wrote, if that triggered the run. */
export function triggeringPost({ eventName, payload }: RunContext): Post | undefined {
  const written = WRITTEN.get(eventName);
  if (written === undefined) return undefined;
  return written.post === undefined ? { user: payload.sender ?? null } : payload[written.post];
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

/**
 * Reads the request from an event. The permission of the account is checked elsewhere.
 *
 * @param phrase null if a run needs none
 * @param namedFor gets the request, and returns the named accounts; not called if nothing is requested
 */
export async function readTrigger(
  context: RunContext,
  phrase: string | null,
  namedFor: (request: Request | null) => Named,
): Promise<Trigger> {
  const { eventName, payload } = context;
  if (runsWithoutPhrase(eventName, payload)) return NO_PHRASE_NEEDED;
  if (phrase === null) return guard(context, namedFor(null));
  const asks = WRITTEN.get(eventName)?.asks;
  const name = [eventName, payload.action].filter(Boolean).join(" ");
  if (asks === undefined || payload.action !== asks) {
    const reason = `${name || "the event"} cannot contain a request with ${phrase}`;
    return { type: "no-request", reason, isTried: false };
  }
  const post = triggeringPost(context);
  const none = (doubt: string | null): Trigger => {
    const reason = `the text contains no request with ${phrase}`;
    if (doubt === null) return { type: "no-request", reason, isTried: false };
    return { type: "no-request", reason: `${reason} that counts: ${doubt}`, isTried: true };
  };
  const search = await findRequest(post?.body ?? "", phrase, eventName === "issues");
  if (post === undefined || search.request === null) return none(search.doubt);
  const requester = checkRequester(post, payload.sender, namedFor(search.request));
  if ("reason" in requester) return { ...requester, type: "not-allowed" };
  const { login, isNamed } = requester;
  const others = whoseWords(payload, login);
  if (others !== null) return none(others);
  return { type: "run", people: isNamed ? [] : [login], ...search };
}

/** Why the sender of the event is not the author of the text; null if it is. */
function whoseWords({ changes, sender }: Payload, author: string): string | null {
  if (changes?.old_issue !== undefined) return "the issue was transferred from another repository";
  // GitHub always names the sender.
  const login = sender?.login ?? author;
  const isAuthor = login.toLowerCase() === author.toLowerCase();
  return isAuthor ? null : `${author} wrote it, and ${login} sent the event`;
}

/** Without a phrase, the text's author and the event's sender need the permission. To set a label, one is needed anyway. */
function guard(context: RunContext, named: Named): Trigger {
  const { eventName, payload } = context;
  const isLabel = payload.action === "labeled" || payload.action === "unlabeled";
  if (!WRITTEN.has(eventName) || isLabel) return NO_PHRASE_NEEDED;
  const post = triggeringPost(context) ?? {};
  const people = new Set<string>();
  for (const cause of [post, { user: payload.sender ?? post.user ?? null }]) {
    const requester = checkRequester(cause, payload.sender, named);
    if ("reason" in requester) return { ...requester, type: "not-allowed" };
    if (!requester.isNamed) people.add(requester.login);
  }
  return { type: "run", people: [...people], request: null, doubt: null };
}

/** Whether only somebody with access to the repository can cause the event. */
function runsWithoutPhrase(eventName: string, { action, pull_request: pull }: Payload): boolean {
  if (UNGUARDED.has(eventName)) return true;
  const isPull = eventName === "pull_request" || eventName === "pull_request_target";
  if (action === "labeled") return isPull || eventName === "issues";
  return isPull && action === "closed" && pull?.merged === true;
}

interface RequestSearch {
  /** The rest of the phrase's line and what follows it, as far as a reader sees it and the author wrote it. */
  request: Request | null;
  /** Why the phrase, or a part of the request, is ignored: the rest of a sentence; null if it is not. */
  doubt: string | null;
}

/**
 * Finds the phrase at the start of a line, in any case, before white space or the end, where a reader of
 * the page sees it as text, and before anything that somebody else wrote; and not in the action's own comments.
 *
 * @param isIssue whether the text is that of a new issue, which GitHub can create from other people's text
 */
export async function findRequest(
  body: string,
  phrase: string,
  isIssue = false,
): Promise<RequestSearch> {
  const lines = body.split(/\r\n|[\r\n]/);
  const isAsking = (line: string) => afterPhrase(line, phrase) !== null;
  const isOwn = body.includes(MARKER_START);
  // Most comments contain no request, and need no parser.
  if (isOwn || !lines.some(isAsking)) return { request: null, doubt: null };
  const mark = othersWords(lines);
  const own = lines.slice(0, mark?.line);
  if (mark !== null && (isIssue || !own.some(isAsking))) {
    const doubt = `the text repeats what somebody else wrote, as ${quoted(mark.text)} shows`;
    return { request: null, doubt };
  }
  const { findShownLine } = await import("../../text/shown-lines.ts");
  const { lines: shown, unclear } = findShownLine(own, isAsking);
  if (shown === null) {
    const doubt = unclear && `readers may not see it after ${quoted(unclear)}`;
    return { request: null, doubt };
  }
  const [first = "", ...others] = shown;
  const rest = clean([afterPhrase(first, phrase) ?? "", ...others].join("\n"));
  const [, flag, text = ""] = /^\s*(--new(?=\s|$))?([\s\S]*)$/i.exec(rest) ?? [];
  const request = { text: text.trim(), isNew: flag !== undefined };
  const end = unclear ?? mark?.text;
  const doubt = end === undefined ? null : `it ends before ${quoted(end)}`;
  return { request: request.text === "" && unclear !== null ? null : request, doubt };
}

/** What follows the phrase on a line that starts with it, but for spaces and tabs. */
function afterPhrase(line: string, phrase: string): string | null {
  const text = line.replace(/^[ \t]+/, "");
  if (text.slice(0, phrase.length).toLowerCase() !== phrase.toLowerCase()) return null;
  const rest = text.slice(phrase.length);
  return rest === "" || /^\s/.test(rest) ? rest : null;
}

/**
 * Lines that GitHub and mail programs put before or after another person's text, without quoting them. GitHub
 * writes `***@***.***` in place of the addresses in an e-mail.
 */
const OTHERS_WORDS = [
  /Originally posted by|discussions-op-text|^#+ Discussed in http/i,
  /notifications@github\.com|(?<!users\.no)reply\.github\.com|\*{3}@\*{3}\.\*{3}/i,
  /\bwrote:[ \t]*$/i,
  /^[ \t]*-{2,} ?(?:Original|Forwarded) message ?-{2,}|^[ \t]*Begin forwarded message:/i,
];
/** The first line of a header of several lines, and one of its next lines. */
const HEADERS: readonly [first: RegExp, next: RegExp][] = [
  [/^[ \t*_]*From:/i, /^[ \t*_]*(?:Sent|Date|To|Cc|Subject|Reply-To):/i],
  [/^[ \t]*On\b.*\d/i, /\bwrote:[ \t]*$/i],
];

/** The line where another person's text begins or ends, if GitHub or a mail program added any. */
function othersWords(lines: readonly string[]): { line: number; text: string } | null {
  const isMark = (text: string, line: number) =>
    OTHERS_WORDS.some((mark) => mark.test(text)) ||
    HEADERS.some(
      ([first, next]) =>
        first.test(text) && lines.slice(line + 1, line + 4).some((line) => next.test(line)),
    );
  const line = lines.findIndex((text, line) => !/^[ \t]*>/.test(text) && isMark(text, line));
  return line === -1 ? null : { line, text: lines[line] ?? "" };
}

function quoted(text: string): string {
  return JSON.stringify(cut(text.trim(), 60));
}
