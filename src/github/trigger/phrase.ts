import { cut, visible } from "../../text/markdown.ts";

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
 * @returns `request`: the rest of the phrase's line and all that follows it, as its author wrote it, without HTML
 * comments and invisible characters. `doubt`: why the phrase, or a part of the request, is ignored: the rest of a
 * sentence; null if it is not
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
  const { findShownLine, codeLines } = await import("../../text/shown-lines.ts");
  const mark = othersWords(lines, isIssue ? [] : codeLines(lines));
  const own = lines.slice(0, mark?.line);
  if (mark !== null && (isIssue || !own.some(isAsking))) {
    const doubt = `the text repeats what somebody else wrote, as ${quoted(mark.text)} shows`;
    return { request: null, doubt };
  }
  const { line, unclear } = findShownLine(own, isAsking);
  if (line === null) {
    const doubt = unclear && `readers may not see it after ${quoted(unclear)}`;
    return { request: null, doubt };
  }
  const { withoutComments } = await import("../../text/html-comments.ts");
  const before = own.slice(0, line).join("\n").length + (line === 0 ? 0 : 1);
  const written = own.join("\n");
  const from = before + (written.slice(before).search(/[^ \t]/) + phrase.length);
  const rest = visible(withoutComments(written, from));
  const [, flag, text = ""] = /^(?:\s*(--new(?=\s|$)))?([\s\S]*)$/i.exec(rest) ?? [];
  return {
    request: { text: trimmed(text), isNew: flag !== undefined },
    doubt: mark && `it ends before ${quoted(mark.text)}, where somebody else's words may begin`,
  };
}

/** Without empty lines at its beginning, and white space at its end: code may begin with a line's indentation. */
function trimmed(text: string): string {
  const isBelow = /^[^\S\n]*\n/.test(text);
  return isBelow ? text.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd() : text.trim();
}

/**
 * What may be before the first word of a line: the marks of lists, tasks, quotations, headings and emphasis, mentions.
 */
const BEFORE_WORDS =
  /^(?:[ \t>*_#]|[-+][ \t]|\d{1,9}[.)][ \t]|\[[ x]\][ \t]|@[\w-]+(?:\[bot\])?[,:]?[ \t])*/i;

/**
 * Finds the phrase where the author wrote it as the first word of a line, but not as a request: after a bullet, in a
 * quoted line, right below a quotation, after a mention, after a part that may hide it, or right before a colon or
 * comma. A word of the phrase in a sentence, in code or in a URL is none, and neither is what somebody else wrote.
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
  const mark = othersWords(lines, []);
  const own = lines.slice(0, mark?.line);
  const isOwn = body.includes(MARKER_START) || (isIssue && mark !== null);
  const missOf = (line: string) => missIn(line, phrase);
  if (isOwn || !own.some((line) => missOf(line) !== null)) return null;
  const { shownTexts } = await import("../../text/shown-lines.ts");
  for (const { line, text } of shownTexts(own)) {
    const { [line]: written = "" } = own;
    const why = missOf(written);
    const isShown = text.toLowerCase().includes(phrase.toLowerCase());
    if (why !== null && isShown) return why;
  }
  return null;
}

/** Why the phrase, as the first word of a line, does not count; null if it is not the first word. */
function missIn(line: string, phrase: string): string | null {
  if (afterPhrase(line, phrase) !== null) {
    return "it is part of the text above it, which ends at an empty line";
  }
  const [before = ""] = BEFORE_WORDS.exec(line) ?? [];
  const words = line.slice(before.length);
  if (words.slice(0, phrase.length).toLowerCase() !== phrase.toLowerCase()) return null;
  const next = words.slice(phrase.length);
  if (/^[:,](?:\s|$)/.test(next) && before.trim() === "") return "a space must follow it";
  return /^(?:[*_]*(?:\s|$))/.test(next) ? "it is not at the start of a line" : null;
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

/**
 * The line where another person's text begins or ends, if GitHub or a mail program added any.
 *
 * @param code for each line, whether it is in code, where a mark is none
 */
function othersWords(
  lines: readonly string[],
  code: readonly boolean[],
): { line: number; text: string } | null {
  const isMark = (text: string, line: number) =>
    OTHERS_WORDS.some((mark) => mark.test(text)) ||
    HEADERS.some(
      ([first, next]) =>
        first.test(text) && lines.slice(line + 1, line + 4).some((line) => next.test(line)),
    );
  const line = lines.findIndex(
    (text, line) => code[line] !== true && !/^[ \t]*>/.test(text) && isMark(text, line),
  );
  const { [line]: text } = lines;
  return text === undefined ? null : { line, text };
}

function quoted(text: string): string {
  return JSON.stringify(cut(text.trim(), 60));
}
