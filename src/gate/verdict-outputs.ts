/** Shows verdicts in the outputs, the log and the summary of the step. */

import { forLog } from "../github/conversation/news.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { plainReason } from "./reasons.ts";
import { byVerdict, type PullVerdict } from "./verdict.ts";
import { verdictText } from "./verdict-text.ts";

/** A pull request's verdict, and the comment that shows it. */
export interface ShownVerdict {
  judged: PullVerdict;
  /** Null for none. */
  commentUrl: string | null;
}

/**
 * Reports one pull request, or several, of which the most demanding verdict is in the outputs.
 *
 * @param summary all verdicts as Markdown
 */
export function reportVerdicts(
  all: readonly ShownVerdict[],
  summary: string,
  { outputs, log }: Dependencies,
): void {
  const verdicts = all.map(({ judged }) => judged);
  const [decisive = null] = byVerdict(verdicts);
  const shown = all.find(({ judged }) => judged === decisive) ?? null;
  outputs.setOutput("verdict", decisive?.verdict ?? null);
  const reason = decisive?.reason ?? null;
  outputs.setOutput(
    "reason",
    reason && JSON.stringify({ code: reason.code, text: forLog(plainReason(reason)) }),
  );
  outputs.setOutput("jobId", decisive?.job?.jobId ?? null);
  outputs.setOutput("prLink", decisive?.job?.prLink ?? null);
  outputs.setOutput("commentUrl", shown?.commentUrl ?? null);
  for (const judged of verdicts) {
    const text = forLog(verdictText(judged, plainReason(judged.reason)));
    log.info(`Pull request #${judged.number}: ${text}.`);
  }
  // In the comment, a verdict that needs no action is one line. The summary has a heading.
  outputs.writeSummary(summary.startsWith("#") ? summary : `### ${summary}`);
}
