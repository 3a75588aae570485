import { connector } from "../github/connect.ts";
import { jobMarkers } from "../github/job-marker.ts";
import type { RunContext } from "../github/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { parseCollectInputs } from "../inputs/collect.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import { fitting, tryWriteSummary } from "../runtime/step-outputs.ts";
import { pullNumber, safeLink } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import { findComments, planSweep } from "./comments.ts";
import type { FinishedComment, SweepResult } from "./sweep.ts";

/**
 * Finishes the comments of jobs that nobody waited for.
 *
 * @returns false: what could not be finished is left to the next sweep
 * @throws ActionError when the comments cannot be read, the key is refused, or the run is cancelled
 */
export async function collect(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<boolean> {
  const inputs = parseCollectInputs(read, context);
  const { days: age, projectId, triggerPhrase: phrase } = inputs;
  const { repository } = context;
  dependencies.http.checkProxy(inputs.githubApiUrl);
  const connect = connector(inputs, dependencies);
  const markers = jobMarkers(inputs.keys, projectId);

  const { comments, now } = await findComments({ repository, markers, connect, age, dependencies });
  const plan = planSweep(comments, now);
  let swept: SweepResult = { checked: 0, running: 0, finished: [], refused: null };
  if (plan.jobs.size > 0) {
    // Most sweeps have nothing to do: they need none of this.
    const { Sweep } = await import("./sweep.ts");
    const finishing = { context, connect, markers, phrase, dependencies };
    swept = await new Sweep({ inputs, finishing, now, dependencies }).run(plan);
  }
  reportSweep(swept, plan.left, dependencies);
  if (swept.refused !== null) throw swept.refused;
  if (dependencies.cancellation.stop.aborted) throw new ActionError("cancelled", CANCELLED);
  return false;
}

const CANCELLED = "This workflow run was cancelled. The next sweep does the rest.";

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
