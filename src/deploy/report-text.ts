import type { BuildTarget } from "../job/build.ts";
import { resultMessage, type Severity, type StepResult } from "../job/step-result.ts";
import type { Build } from "../service/builds.ts";
import { codeBlock, duration, inlineCode, quotation } from "../text/markdown.ts";

/** What the comment and the step summary say about a build. */
export interface DeployReport {
  target: BuildTarget;
  severity: Severity | "working";
  result: StepResult;
  /** Null if no build was accepted. */
  statusId: string | null;
  build: Pick<Build, "status" | "commit"> | null;
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
  const { target, severity, result, statusId, build, url, runUrl, took } = report;
  const { headline, detail, quote, advice, kind } = result;
  const isPreview = target.type === "preview";
  const facts = [
    isPreview ? `Branch ${inlineCode(target.branch, 100)}` : "",
    build === null ? "" : `Status ${inlineCode(build.status, 60)}`,
    build?.commit ? `Commit ${inlineCode(build.commit.slice(0, 7))}` : "",
    statusId === null ? "" : `Build ${inlineCode(statusId)}`,
    took === null ? "" : `Took ${duration(took)}`,
    runUrl === null ? "" : `[Workflow run](${runUrl})`,
  ];
  const quoted = quote === null ? "" : quotation(quote);
  const shownLog = `The end of the build's log:\n\n${codeBlock(quote ?? "")}`;
  const log = hasLog ? shownLog : "The workflow run shows the end of the build's log.";
  const paragraphs = [
    `### ${ICONS[severity]} Docs ${isPreview ? "preview" : "deployment"}: ${headline}`,
    url === null ? "" : `**[View ${isPreview ? "the preview" : "the documentation"}](${url})**`,
    detail,
    kind === "build-failed" && quote !== null ? log : quoted,
    advice,
    facts.filter((fact) => fact !== "").join(" · "),
  ];
  return paragraphs.filter(Boolean).join("\n\n");
}

/** The result as one text, without the build's log. */
export function deployMessage(result: StepResult): string {
  return resultMessage(result.kind === "build-failed" ? { ...result, quote: null } : result);
}
