import { fitting } from "../runtime/bounded-outputs.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { tryWriteSummary } from "../runtime/step-outputs.ts";
import { pullNumber, safeLink } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import type { FinishedComment, SweepResult } from "./sweep-result.ts";

/** Most lines of the summary: the output has them all. */
const MAX_LINES = 100;

/** Tells what a sweep did: outputs, log, summary. @param left comments that were left to their runs */
export function reportSweep(
  { checked, running, finished }: SweepResult,
  left: number,
  { outputs, log }: Pick<Dependencies, "outputs" | "log">,
): void {
  outputs.setOutput("checkedCount", String(checked));
  outputs.setOutput("finishedCount", String(finished.length));
  outputs.setOutput("runningCount", String(running));
  outputs.setOutput("finished", JSON.stringify(fitting(finished)));
  const whose = left === 1 ? "its run" : "their runs";
  const counts = [
    `${finished.length} finished`,
    `${running} running`,
    ...(left === 0 ? [] : [`${left} skipped because ${whose} may still be waiting`]),
  ].join(", ");
  log.info(`Checked ${counted(checked, "comment")}: ${counts}.`);
  tryWriteSummary(outputs, log, renderSweep(finished, counts));
}

/** The Markdown of the summary. Text from outside stands only in code. */
export function renderSweep(finished: readonly FinishedComment[], counts: string): string {
  const lines = finished.slice(0, MAX_LINES).map(line);
  const more = finished.length - MAX_LINES;
  return [
    `### Docs agent: ${counts}`,
    [...lines, ...(more > 0 ? [`- … and ${more} more`] : [])].join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function line({ jobId, status, prLink, commentUrl }: FinishedComment): string {
  const comment = safeLink(commentUrl);
  const number = prLink === "" ? "" : pullNumber(prLink);
  const facts = [
    `Job ${inlineCode(jobId)}`,
    status === "" ? "" : inlineCode(status, 60),
    prLink === "" ? "" : `[pull request${number === "" ? "" : ` #${number}`}](${prLink})`,
    comment === null ? "" : `[comment](${comment})`,
  ];
  return `- ${facts.filter((fact) => fact !== "").join(" · ")}`;
}
