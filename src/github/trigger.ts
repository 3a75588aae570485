import type { Account, Given, Payload } from "./given.ts";
import { MARKER_START } from "./marker.ts";

/** Whether the event asks for anything, as far as the event alone can tell. */
export type Trigger =
  /** The phrase plays no part: none is set, or the event carries no text that could ask with it. */
  | { type: "untouched" }
  | { type: "not-asked"; why: string }
  /** Asked, by someone who never may. */
  | { type: "not-allowed"; why: string }
  | { type: "request"; request: Request };

/** What somebody asked for by phrase. */
export interface Request {
  /** Account that asked. */
  login: string;
  /** What is asked, without the phrase; empty when nothing but the phrase was written. */
  text: string;
  /** Whether a fresh job is asked for, by `--new` right after the phrase. */
  isNew: boolean;
}

/** Which actions of the events that carry text ask with it, and where the text and its author stand. */
const ASKING: Record<string, { action: string; said: (payload: Payload) => Said | undefined }> = {
  issue_comment: { action: "created", said: ({ comment }) => comment },
  pull_request_review_comment: { action: "created", said: ({ comment }) => comment },
  pull_request_review: { action: "submitted", said: ({ review }) => review },
  issues: { action: "opened", said: ({ issue }) => issue },
};

interface Said {
  body?: string | null;
  user?: Account | null;
}

/**
 * What the event asks for. Permission is another matter: a request still has to be checked for it.
 *
 * @param phrase as in `trigger-phrase`; empty when the workflow has none
 */
export function readTrigger({ eventName, payload }: Given, phrase: string): Trigger {
  const asking = ASKING[eventName];
  const isLabel = eventName === "issues" && payload.action === "labeled";
  if (phrase === "" || asking === undefined || isLabel) return { type: "untouched" };
  if (payload.action !== asking.action) {
    return { type: "not-asked", why: `${eventName} ${payload.action ?? ""} asks for nothing` };
  }
  const said = asking.said(payload);
  const found = findRequest(said?.body ?? "", phrase);
  if (found === null) return { type: "not-asked", why: `nothing asks with ${phrase}` };

  const login = said?.user?.login ?? "";
  const isBot = [said?.user, payload.sender].some((account) => account?.type === "Bot");
  if (isBot) return { type: "not-allowed", why: `${login || "the account"} is a bot` };
  if (login === "") return { type: "not-allowed", why: "the event does not say who asks" };
  return { type: "request", request: { login, ...found } };
}

/**
 * Finds the phrase at the start of a line, in any case, before white space or the end; not in quoted
 * lines, fenced or indented code, or hidden comments, and not in the action's own comments.
 *
 * @returns the rest of that line and what follows it; null when the phrase is not there
 */
export function findRequest(body: string, phrase: string): Pick<Request, "text" | "isNew"> | null {
  if (body.includes(MARKER_START)) return null;
  const lines = body.split(/\r\n|[\r\n]/);
  let fence: string | null = null;
  let isHidden = false;
  for (const [index, line] of lines.entries()) {
    const opened: string | undefined = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (closes(line, fence)) fence = null;
    } else if (isHidden) {
      isHidden = !line.includes("-->") || opensComment(line);
    } else if (opened !== undefined) {
      fence = opened;
    } else {
      const rest = afterPhrase(line, phrase);
      if (rest !== null) return split([rest, ...lines.slice(index + 1)].join("\n"));
      isHidden = opensComment(line) && hidesMore(lines.slice(index));
    }
  }
  return null;
}

/** The beginning of fenced code, in a list item too. */
const FENCE = /^ {0,3}(?:(?:[-+*]|\d{1,9}[.)]) {1,4})*(`{3,}(?=[^`]*$)|~{3,})/;

function opensComment(line: string): boolean {
  return line.lastIndexOf("<!--") > line.lastIndexOf("-->");
}

/**
 * Whether a comment that is opened on the first of these lines hides what follows: at the start of a line
 * it does up to its end, elsewhere only when it ends within the paragraph.
 */
function hidesMore(lines: readonly string[]): boolean {
  const [first = "", ...rest] = lines;
  if (/^ {0,3}<!--/.test(first)) return true;
  const blank = rest.findIndex((line) => line.trim() === "");
  const paragraph = blank === -1 ? rest : rest.slice(0, blank);
  return paragraph.some((line) => line.includes("-->"));
}

/** A fence ends at a line of nothing but the same sign, at least as often. */
function closes(line: string, fence: string): boolean {
  const [, run = ""] = /^ {0,3}(`+|~+)\s*$/.exec(line) ?? [];
  return run.length >= fence.length && run.startsWith(fence.charAt(0));
}

/** What follows the phrase on a line that starts with it; up to three spaces may stand before it. */
function afterPhrase(line: string, phrase: string): string | null {
  const text = line.replace(/^ {0,3}/, "");
  if (text.slice(0, phrase.length).toLowerCase() !== phrase.toLowerCase()) return null;
  const rest = text.slice(phrase.length);
  return rest === "" || /^\s/.test(rest) ? rest : null;
}

function split(rest: string): Pick<Request, "text" | "isNew"> {
  const [, flag, text = ""] = /^\s*(--new(?=\s|$))?([\s\S]*)$/i.exec(rest) ?? [];
  return { text: text.trim(), isNew: flag !== undefined };
}
