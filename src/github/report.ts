import type { Severity } from "../job/step-result.ts";
import type { Todo } from "../service/agent.ts";
import { duration, inlineCode, quotation } from "../text/markdown.ts";

/** What the comment and the step summary say about a run. */
export interface Report {
  severity: Severity | "working";
  /** A few words. Written by the action. */
  headline: string;
  /** What happened. Written by the action. */
  what: string;
  /** What happened. May contain text from outside. */
  quote: string;
  /** Further information. Written by the action. */
  notes: readonly string[];
  /** What to do next. Written by the action. */
  advice: string;
  /** The agent's message; empty if there is none, or if `quote` contains it. */
  message: string;
  /** The agent's current to-do list. */
  todos: readonly Todo[];
  /** The pull request. Its URL is safe to link. */
  pullRequest: { link: string; number: string } | null;
  jobId: string;
  status: string;
  /** Milliseconds since the run began; undefined while the agent is working. */
  took: number | undefined;
  runUrl: string;
}

const ICONS = { working: "⏳", ok: "✅", warning: "⚠️", error: "❌" };

/** Whether a status comment reports a failure. */
export function tellsFailure(text: string): boolean {
  return text.startsWith(`### ${ICONS.error}`);
}

/**
 * The Markdown of a report. Text from outside appears only as code, where GitHub does not interpret it.
 */
export function renderReport(report: Report): string {
  const { severity, headline, what, quote, notes, advice, message, todos, pullRequest } = report;
  const paragraphs = [
    `### ${ICONS[severity]} Docs agent: ${headline}`,
    pullRequest === null ? "" : pullRequestLine(pullRequest),
    what,
    quotation(quote),
    ...notes,
    advice,
    message === "" ? "" : `The agent says:\n\n${quotation(message)}`,
    taskList(todos),
    factsLine(report),
  ];
  return paragraphs.filter((paragraph) => paragraph !== "").join("\n\n");
}

function pullRequestLine({ link, number }: { link: string; number: string }): string {
  return `**[Pull request${number === "" ? "" : ` #${number}`}](${link})**`;
}

/** Maximum number of to-do items. */
const MAX_TASKS = 50;

function taskList(todos: readonly Todo[]): string {
  const lines = todos.map(task).filter((line) => line !== "");
  const more = lines.length - MAX_TASKS;
  return [...lines.slice(0, MAX_TASKS), ...(more > 0 ? [`- … and ${more} more`] : [])].join("\n");
}

/** Empty for an item without visible text. */
function task({ content, status }: Todo): string {
  const text = inlineCode(content);
  if (text === "") return "";
  switch (status) {
    case "completed":
      return `- [x] ${text}`;
    case "in_progress":
      return `- [ ] ${text} ← now`;
    case "cancelled":
      return `- [ ] ~~${text}~~ cancelled`;
    default:
      return `- [ ] ${text}`;
  }
}

function factsLine({ jobId, status, took, runUrl }: Report): string {
  const facts = [
    status === "" ? "" : `Status ${inlineCode(status, 60)}`,
    jobId === "" ? "" : `Job ${inlineCode(jobId)}`,
    took === undefined ? "" : `Took ${duration(took)}`,
    runUrl === "" ? "" : `[Workflow run](${runUrl})`,
  ];
  return facts.filter((fact) => fact !== "").join(" · ");
}

/** The reply to a request that contains only the phrase. */
export function renderUsage(phrase: string): string {
  const shown = inlineCode(phrase);
  return [
    "### Docs agent",
    `In a new comment, start a line with ${shown}, followed by your request. For example: ${inlineCode(`${phrase} explain the new retry option`)}`,
    `Further requests on the same issue or pull request go to the same job. ${inlineCode(`${phrase} --new`)} starts a new one.`,
  ].join("\n\n");
}

/** The comment on the agent's pull request that explains how to continue the conversation there. */
export function renderInvitation(phrase: string, requestedIn: number | null): string {
  const origin = requestedIn === null ? "" : `, as requested in #${requestedIn}`;
  return [
    `### Docs agent\n\nThe documentation agent opened this pull request${origin}.`,
    `To request changes, post a new comment here that begins with ${inlineCode(phrase)} and describes the change.`,
  ].join("\n\n");
}
