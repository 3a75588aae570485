import { cut } from "../text/markdown.ts";
import { MARKER_START } from "./markers.ts";
import { clean } from "./prompt-context.ts";

/** What somebody wrote after the phrase. */
export interface PhraseRequest {
  /** The request without the phrase; empty if there is only the phrase. */
  text: string;
  /** Whether `--new` follows the phrase: the request is for a new job. */
  isNew: boolean;
}

interface FindOptions {
  /** Whether the text is that of a new issue, which GitHub can create from other people's text. */
  isIssue?: boolean;
  /** Called with the reason why a phrase in the text is ignored: the rest of a sentence about the request. */
  onDoubt?: (why: string) => void;
}

/**
 * Finds the phrase at the start of a line, in any case, before white space or the end, where a reader of
 * the page sees it as text, and before anything that somebody else wrote; and not in the action's own comments.
 *
 * @returns the rest of that line and what follows it, as far as a reader sees it and the author wrote it; null
 *   when the phrase is not there
 */
export async function findRequest(
  body: string,
  phrase: string,
  { isIssue = false, onDoubt = () => {} }: FindOptions = {},
): Promise<PhraseRequest | null> {
  if (body.includes(MARKER_START)) return null;
  const lines = body.split(/\r\n|[\r\n]/);
  const isAsking = (line: string) => afterPhrase(line, phrase) !== null;
  // Most comments contain no request, and need no parser.
  if (!lines.some(isAsking)) return null;
  const mark = othersWords(lines);
  const own = lines.slice(0, mark?.line);
  if (mark !== null && (isIssue || !own.some(isAsking))) {
    onDoubt(`the text repeats what somebody else wrote, which ${quoted(mark.text)} tells`);
    return null;
  }
  const { findShownLine } = await import("../text/shown-lines.ts");
  const found = findShownLine(own, isAsking);
  if (found.type === "unclear") onDoubt(`readers may not see it after ${quoted(found.after)}`);
  if (found.type !== "shown") return null;
  const [first = "", ...others] = found.lines;
  const request = split(clean([afterPhrase(first, phrase) ?? "", ...others].join("\n")));
  const end = found.end ?? mark?.text;
  if (end !== undefined) onDoubt(`it ends before ${quoted(end)}`);
  return request.text === "" && found.end !== null ? null : request;
}

/** Whether a line starts with the phrase, in a text that is not the action's own, wherever that line is. */
export function hasPhrase(body: string, phrase: string): boolean {
  if (body.includes(MARKER_START)) return false;
  return body.split(/\r\n|[\r\n]/).some((line) => afterPhrase(line, phrase) !== null);
}

/** What follows the phrase on a line that starts with it, but for spaces and tabs. */
function afterPhrase(line: string, phrase: string): string | null {
  const text = line.replace(/^[ \t]+/, "");
  if (text.slice(0, phrase.length).toLowerCase() !== phrase.toLowerCase()) return null;
  const rest = text.slice(phrase.length);
  return rest === "" || /^\s/.test(rest) ? rest : null;
}

function split(rest: string): PhraseRequest {
  const [, flag, text = ""] = /^\s*(--new(?=\s|$))?([\s\S]*)$/i.exec(rest) ?? [];
  return { text: text.trim(), isNew: flag !== undefined };
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
        first.test(text) && lines.slice(line + 1, line + 4).some((it) => next.test(it)),
    );
  const line = lines.findIndex((text, line) => !/^[ \t]*>/.test(text) && isMark(text, line));
  return line === -1 ? null : { line, text: lines[line] ?? "" };
}

/** A part of the text, for the log. */
function quoted(text: string): string {
  return JSON.stringify(cut(text.trim(), 60));
}
