import { MARKER_START } from "./markers.ts";

/** What somebody wrote after the phrase. */
export interface PhraseRequest {
  /** What is asked, without the phrase; empty when nothing but the phrase was written. */
  text: string;
  /** Whether a fresh job is asked for, by `--new` right after the phrase. */
  isNew: boolean;
}

/**
 * Finds the phrase at the start of a line, in any case, before white space or the end; not in quoted
 * lines, fenced or indented code, or hidden comments, and not in the action's own comments.
 *
 * @returns the rest of that line and what follows it; null when the phrase is not there
 */
export function findRequest(body: string, phrase: string): PhraseRequest | null {
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

function split(rest: string): PhraseRequest {
  const [, flag, text = ""] = /^\s*(--new(?=\s|$))?([\s\S]*)$/i.exec(rest) ?? [];
  return { text: text.trim(), isNew: flag !== undefined };
}
