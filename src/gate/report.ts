/** Shows verdicts: in the comment, the outputs, the log and the summary. */

import { explainRefusal } from "../github/api/refusal.ts";
import { forLog } from "../github/conversation/news.ts";
import type { GateInputs } from "../inputs/gate.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { GateRun } from "./docs-jobs.ts";
import type { Judged } from "./judge-pull.ts";
import { byVerdict, type PullVerdict } from "./verdict.ts";
import { groupText, reportText, verdictText } from "./verdict-text.ts";

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

/** Reports one pull request, or several, of which the most demanding verdict is in the outputs. */
export function report(
  all: readonly ShownVerdict[],
  inputs: GateInputs,
  { outputs, log }: Dependencies,
  isOne = all.length === 1,
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
  const text =
    isOne && decisive !== null ? reportText(decisive, inputs) : groupText(verdicts, inputs);
  // In the comment, a verdict that needs no action is one line. The summary has a heading.
  outputs.writeSummary(text.startsWith("#") ? text : `### ${text}`);
}

/** What to do about a pull request that needs documentation. */
export function neededMessage({ number, reason }: PullVerdict): string {
  return `Pull request #${number} needs documentation: ${reason}. Change the docs in it, ask the agent with /docs, set a label that says that it needs none, or say so with a line "docs: none, REASON".`;
}
