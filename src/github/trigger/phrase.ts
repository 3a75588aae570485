import { cut } from "../../text/markdown.ts";
import { clean } from "./prompt-context.ts";

/** How the hidden marker begins that ends each comment of the action's own. */
export const MARKER_START = "<!-- docs-agent:";

export interface Request {
  /** The request without the phrase; empty if there is only the phrase. */
  text: string;
  /** Whether `--new` follows the phrase: the request is for a new job. */
  isNew: boolean;
}

/**
 * Finds the phrase at the start of a line, in any case, before white space or the end, where a reader of
 * the page sees it as text, and before anything that somebody else wrote; and not in the action's own comments.
 *
 * @param isIssue whether the text is that of a new issue, which GitHub can create from other people's text
 * @returns `request`: the rest of the phrase's line and what follows it, as far as a reader sees it and the author wrote
 * it. `doubt`: why the phrase, or a part of the request, is ignored: the rest of a sentence; null if it is not
 */
export async function findRequest(
  body: string,
  phrase: string,
  isIssue = false,
): Promise<{ request: Request | null; doubt: string | null }> {
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
  const rest = clean([afterPhrase(first, phrase), ...others].join("\n"));
  const [, flag, text = ""] = /^\s*(--new(?=\s|$))?([\s\S]*)$/i.exec(rest) ?? [];
  const request = { text: text.trim(), isNew: flag !== undefined };
  const end = unclear ?? mark?.text;
  const doubt = end === undefined ? null : `it ends before ${quoted(end)}`;
  return { request: request.text === "" && unclear !== null ? null : request, doubt };
}

/**
 * Finds the phrase where the author wrote it as text, but not as a request: in the middle of a line, after a bullet,
 * right below a quotation, after a part that may hide it, or right before a colon or comma. A word of the phrase in
 * code, in a quotation or in a URL is none, and neither is what somebody else wrote.
 *
 * @param isIssue whether the text is that of a new issue
 * @returns why it does not count, as the rest of a sentence; null if it is not there
 */
export async function findMiss(
  body: string,
  phrase: string,
  isIssue = false,
): Promise<string | null> {
  const lines = body.split(/\r\n|[\r\n]/);
  const mark = othersWords(lines);
  const own = lines.slice(0, mark?.line);
  const escaped = phrase.replace(/[^\w\s]/g, "\\$&");
  const word = new RegExp(`(?<=^|[\\s*_])${escaped}(?=$|\\s)`, "i");
  const salutation = new RegExp(`^[ \\t]*${escaped}[:,](?=$|\\s)`, "i");
  const isOwn = body.includes(MARKER_START) || (isIssue && mark !== null);
  if (isOwn || !own.some((line) => word.test(line) || salutation.test(line))) return null;
  const { shownTexts } = await import("../../text/shown-lines.ts");
  for (const { line, text } of shownTexts(own)) {
    const { [line]: written = "" } = own;
    const isSalutation = salutation.test(text) && salutation.test(written);
    if (isSalutation) return "a space must follow it";
    if (!word.test(text)) continue;
    const isAtStart = afterPhrase(written, phrase) !== null;
    return isAtStart
      ? "it is part of the text above it, which ends at an empty line"
      : "it is not at the start of a line";
  }
  return null;
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
  const { [line]: text } = lines;
  return text === undefined ? null : { line, text };
}

function quoted(text: string): string {
  return JSON.stringify(cut(text.trim(), 60));
}
