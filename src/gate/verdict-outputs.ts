/** Shows verdicts: in the comment, the outputs, the log and the summary. */

import { explainRefusal } from "../github/api/refusal.ts";
import { forLog } from "../github/conversation/news.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { Judged } from "./judge-pull.ts";
import type { GateRun } from "./run.ts";
import { byVerdict, type PullVerdict } from "./verdict.ts";
import { reportText, verdictText } from "./verdict-text.ts";

/** A pull request's verdict, and the comment that shows it. */
export interface ShownVerdict {
  judged: PullVerdict;
  /** Null for none. */
  commentUrl: string | null;
}

/** Keeps the comment on a pull request. @returns its URL; null for none */
export async function keepComment(
  { judged, comments, readComments }: Judged,
  { inputs, dependencies }: GateRun,
): Promise<string | null> {
  if (!inputs.comment) return null;
  const options = { comments: await readComments(), mayCreate: judged.verdict === "needed" };
  try {
    const mark = `docs-agent-gate:${inputs.name}`;
    return await comments.keep(mark, reportText(judged, inputs), options);
  } catch (error) {
    const { reason } = explainRefusal(error, ["pull-requests: write"]);
    dependencies.log.warning(
      `The comment could not be written: ${reason}. The verdict is in the step summary.`,
    );
    return null;
  }
}

/**
 * Reports one pull request, or several, of which the most demanding verdict is in the outputs.
 *
 * @param summary all verdicts as Markdown
 */
export function report(
  all: readonly ShownVerdict[],
  summary: string,
  { outputs, log }: Dependencies,
): void {
  const verdicts = all.map(({ judged }) => judged);
  const [decisive = null] = byVerdict(verdicts);
  const shown = all.find(({ judged }) => judged === decisive) ?? null;
  outputs.setOutput("verdict", decisive?.verdict ?? null);
  outputs.setOutput("jobId", decisive?.job?.jobId ?? null);
  outputs.setOutput("prLink", decisive?.job?.prLink ?? null);
  outputs.setOutput("commentUrl", shown?.commentUrl ?? null);
  for (const judged of verdicts) {
    const text = forLog(verdictText(judged, judged.reason));
    log.info(`Pull request #${judged.number}: ${text}.`);
  }
  // In the comment, a verdict that needs no action is one line. The summary has a heading.
  outputs.writeSummary(summary.startsWith("#") ? summary : `### ${summary}`);
}

/** What to do about a pull request that needs documentation. */
export function neededMessage({ number, reason }: PullVerdict): string {
  return `Pull request #${number} needs documentation: ${reason}. Change the docs in it, ask the agent with /docs, set a label that says that it needs none, or say so with a line "docs: none, REASON".`;
}
