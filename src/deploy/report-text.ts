import type { BuildTarget } from "../job/build.ts";
import { resultMessage, type Severity, type StepResult } from "../job/step-result.ts";
import { codeBlock, duration, inlineCode, quotation } from "../text/markdown.ts";

/** What the comment and the step summary say about a build. */
export interface DeployReport {
  target: BuildTarget;
  severity: Severity | "working";
  result: StepResult;
  /** SHA of the commit that is built; null if it is not known. */
  commit: string | null;
  /** Address of the documentation or of the preview; null if it is not known. */
  url: string | null;
  runUrl: string | null;
  /** Milliseconds since the run began; null if the report leaves it out. */
  took: number | null;
}

const ICONS = { working: "⏳", ok: "✅", warning: "⚠️", error: "❌" };

/**
 * The Markdown of a report. Text from outside appears only as code, where GitHub does not interpret it.
 *
 * @param hasLog whether to show the end of a build's log, which not everybody who reads a comment may see
 */
export function renderDeploy(report: DeployReport, hasLog: boolean): string {
  const { target, severity, result, commit, url, runUrl, took } = report;
  const isPreview = target.type === "preview";
  const facts = [
    isPreview ? `Branch ${inlineCode(target.branch, 100)}` : null,
    commit === null ? null : `Commit ${inlineCode(commit.slice(0, 7))}`,
    took === null ? null : `Took ${duration(took)}`,
    runUrl === null ? null : `[Workflow run](${runUrl})`,
  ].filter((fact) => fact !== null);
  const paragraphs = [
    `### ${ICONS[severity]} Docs ${isPreview ? "preview" : "deployment"}: ${result.headline}`,
    url === null ? null : `**[View ${isPreview ? "the preview" : "the documentation"}](${url})**`,
    result.detail,
    quoteText(result, hasLog),
    result.advice,
    facts.length === 0 ? null : facts.join(" · "),
  ];
  return paragraphs.filter((paragraph) => paragraph !== null).join("\n\n");
}

function quoteText({ kind, quote }: StepResult, hasLog: boolean): string | null {
  if (quote === null) return null;
  if (kind !== "build-failed") return quotation(quote);
  return hasLog ? `The end of the build's log:\n\n${codeBlock(quote)}` : null;
}

/** The result as one text, without the build's log. */
export function deployMessage(result: StepResult): string {
  return resultMessage(result.kind === "build-failed" ? { ...result, quote: null } : result);
}
