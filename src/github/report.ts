import type { Level } from "../job/outcome.ts";
import type { Todo } from "../service/agent.ts";
import { codeBlock, duration, inlineCode } from "../text/markdown.ts";

/** What people are told of a run, in the comment and in the step summary. */
export interface Report {
  level: Level | "working";
  /** A few words, of the action's own. */
  headline: string;
  /** What happened, in words of the action's own. */
  what: string;
  /** What happened, in words that may come from outside. */
  quote: string;
  /** What to do next, of the action's own. */
  advice: string;
  /** What the agent says; empty when it says nothing, or when it is quoted already. */
  message: string;
  /** The agent's to-do list as it stands. */
  todos: readonly Todo[];
  /** The pull request, checked: an address that may stand in a link. */
  pullRequest: { link: string; number: string } | null;
  jobId: string;
  status: string;
  /** Milliseconds since the run began; undefined while the agent is at work. */
  took: number | undefined;
  runUrl: string;
}

const ICONS = { working: "⏳", ok: "✅", warning: "⚠️", error: "❌" };

/**
 * The Markdown of a report. Text from outside stands only in code, where GitHub reads nothing into it.
 */
export function renderReport(report: Report): string {
  const { level, headline, what, quote, advice, message, todos, pullRequest } = report;
  const paragraphs = [
    `### ${ICONS[level]} Docs agent: ${headline}`,
    pullRequest === null ? "" : pullRequestLine(pullRequest),
    what,
    quote === "" ? "" : codeBlock(quote),
    advice,
    message === "" ? "" : `The agent says:\n\n${codeBlock(message)}`,
    taskList(todos),
    factsLine(report),
  ];
  return paragraphs.filter((paragraph) => paragraph !== "").join("\n\n");
}

function pullRequestLine({ link, number }: { link: string; number: string }): string {
  return `**[Pull request${number === "" ? "" : ` #${number}`}](${link})**`;
}

/** The most items of a to-do list that are shown. */
const MAX_TASKS = 50;

function taskList(todos: readonly Todo[]): string {
  const more = todos.length - MAX_TASKS;
  const lines = todos.slice(0, MAX_TASKS).map(task);
  if (more > 0) lines.push(`- … and ${more} more`);
  return lines.join("\n");
}

function task({ content, status }: Todo): string {
  const text = inlineCode(content);
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
