import { linkOf, type Severity, type ShownResult } from "../../job/step-result.ts";
import type { Job } from "../../service/agent.ts";
import { duration, inlineCode, quotation } from "../../text/markdown.ts";
import type { Reaction } from "./comments.ts";
import { pullLink } from "./news.ts";

/** What the comment and the step summary say about a run: its result, and the facts around it. */
export interface Report extends ShownResult {
  severity: Severity | "working";
  /** The job's ID; null if there is none. */
  id: string | null;
  job: Job | null;
  notes: readonly string[];
  /** Null if it is not known. */
  runUrl: string | null;
  /** Milliseconds since the run began; undefined if the report leaves it out. */
  took: number | undefined;
}

const ICONS = { working: "⏳", ok: "✅", warning: "⚠️", error: "❌" };

/** The reaction that shows the result to the requester. */
export function reactionTo(severity: Severity): Reaction {
  return severity === "error" ? "confused" : "rocket";
}

/** The Markdown of a report. Text from outside appears only as code, where GitHub does not interpret it. */
export function renderReport(report: Report): string {
  const { severity, headline, detail, quote, notes, advice, job } = report;
  const prLink = linkOf(job);
  // The quotation may be the message.
  const message = quote === null ? job?.message : null;
  const paragraphs = [
    `### ${ICONS[severity]} Docs agent: ${headline}`,
    prLink && `**${pullLink("Pull request", prLink)}**`,
    detail,
    quote && quotation(quote),
    ...notes,
    advice,
    message && `The agent says:\n\n${quotation(message)}`,
    factsOf(report),
  ];
  return paragraphs.filter(Boolean).join("\n\n");
}

function factsOf({ job, id, request, took, runUrl }: Report): string {
  const status = job?.status ?? null;
  const named = [
    status === null ? "" : `Status ${inlineCode(status, 60)}`,
    id === null ? "" : `Job ${inlineCode(id)}`,
    request === null ? "" : `Request ${inlineCode(request)}`,
  ];
  const others = [
    took === undefined ? "" : `Took ${duration(took)}`,
    runUrl === null ? "" : `[Workflow run](${runUrl})`,
  ];
  return renderFacts(named, others);
}

/**
 * One line of facts that few readers need.
 *
 * @param named names of the service, with which the line is folded. Empty texts are left out
 */
export function renderFacts(named: readonly string[], others: readonly string[]): string {
  const line = [...named, ...others].filter((fact) => fact !== "").join(" · ");
  if (named.every((fact) => fact === "")) return line;
  return `<details><summary>Details</summary>\n\n${line}\n\n</details>`;
}

/** The reply to a request that contains only the phrase. @param title the action's name */
export function renderUsage(title: string, phrase: string): string {
  const shown = inlineCode(phrase);
  const example = inlineCode(`${phrase} explain the new retry option`);
  const afresh = inlineCode(`${phrase} --new`);
  return [
    `### ${title}`,
    `In a new comment, start a line with ${shown}, followed by your request. For example: ${example}`,
    `Further requests on the same issue or pull request continue the conversation. ${afresh} starts a new one.`,
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
