import { linkOf, type ResultText, type Severity } from "../../job/step-result.ts";
import type { Job } from "../../service/agent.ts";
import { duration, inlineCode, quotation } from "../../text/markdown.ts";
import type { Reaction } from "./comments.ts";
import { pullLink } from "./news.ts";

/** What the comment and the step summary say about a run: its result, and the facts around it. */
export interface Report extends ResultText {
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
  const { severity, headline, detail, quote, notes, advice, job, id, took, runUrl } = report;
  const prLink = linkOf(job);
  // The quotation may be the message.
  const message = quote === null ? job?.message : null;
  const facts = [
    job?.status && `Status ${inlineCode(job.status, 60)}`,
    id === null ? "" : `Job ${inlineCode(id)}`,
    took === undefined ? "" : `Took ${duration(took)}`,
    runUrl && `[Workflow run](${runUrl})`,
  ];
  const paragraphs = [
    `### ${ICONS[severity]} Docs agent: ${headline}`,
    prLink && `**${pullLink("Pull request", prLink)}**`,
    detail,
    quote && quotation(quote),
    ...notes,
    advice,
    message && `The agent says:\n\n${quotation(message)}`,
    facts.filter(Boolean).join(" · "),
  ];
  return paragraphs.filter(Boolean).join("\n\n");
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
