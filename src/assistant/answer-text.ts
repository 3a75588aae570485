import { renderFacts } from "../github/conversation/comment-text.ts";
import { type ActionError, KIND_WORDS } from "../runtime/errors.ts";
import type { AnswerSource } from "../service/answer-stream.ts";
import { apartIn } from "../service/errors.ts";
import { inertLink, renderInert } from "../text/inert-markdown.ts";
import { cut, inlineCode, quotation } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";
import type { AssistantOutcome } from "./ask.ts";

/** Maximum length of a comment on GitHub, in characters. */
const MAX_COMMENT = 65_536;
/** Maximum length of the list of sources, and of each title, in characters. */
const MAX_SOURCES_LENGTH = 8 * 1024;
const MAX_TITLE = 200;
/** Maximum length of an error, in characters. */
const MAX_PROBLEM = 1000;

interface Answer extends Omit<AssistantOutcome, "threadId"> {
  /** What is no part of the question; null for nothing. */
  note: string | null;
}

/**
 * The Markdown of an answer with its sources, whose links are safe; these two parts are HTML. The service's text keeps
 * its formatting, but mentions nobody and references nothing. A text that does not fit into a comment is cut, with a
 * note.
 *
 * @param reserved the length of the comment's marker, in characters
 */
export function renderAnswer(
  { text, sources, error, note: remark }: Answer,
  runUrl: string | null,
  reserved: number,
): string {
  const heading =
    error === null ? "### 💬 Docs assistant" : `### ❌ Docs assistant: ${KIND_WORDS[error.kind]}`;
  const request = error === null ? null : apartIn(error)?.request;
  const facts = renderFacts(
    [request ? `Request ${inlineCode(request)}` : ""],
    [runUrl === null ? "" : `[Workflow run](${runUrl})`],
  );
  const problem = error === null ? "" : problemText(error);
  const end = [problem, renderSources(sources), remark ?? "", facts];
  const note = cutNote(runUrl !== null);
  const others = joined([heading, note, ...end]);
  const inert = renderInert(text, MAX_COMMENT - others.length - reserved - "\n\n".length);
  return joined([heading, inert.html, inert.isCut ? note : "", ...end]);
}

function problemText(error: ActionError): string {
  const { problem, advice } = error;
  const said = apartIn(error)?.said ?? problem;
  const quoted = quotation(sentence(said), MAX_PROBLEM);
  return advice === null ? quoted : joined([quoted, advice]);
}

function cutNote(hasLog: boolean): string {
  const note = "The answer is too long for a comment, so it was shortened.";
  const log = "The log of the workflow run contains the complete answer.";
  return hasLog ? `*${note} ${log}*` : `*${note}*`;
}

function renderSources(sources: readonly AnswerSource[]): string {
  const lines: string[] = [];
  let room = MAX_SOURCES_LENGTH;
  for (const { title, url } of sources) {
    const shown = title.trim() === "" ? url.replace(/^https?:\/\//i, "") : title;
    const line = `<li>${inertLink(cut(shown, MAX_TITLE), url)}</li>`;
    if (line.length > room) break;
    lines.push(line);
    room -= line.length;
  }
  const remaining = sources.length - lines.length;
  if (remaining > 0) lines.push(`<li>and ${remaining} more</li>`);
  return lines.length === 0 ? "" : joined(["**Sources**", `<ul>\n${lines.join("\n")}\n</ul>`]);
}

function joined(paragraphs: readonly string[]): string {
  return paragraphs.filter((paragraph) => paragraph !== "").join("\n\n");
}
