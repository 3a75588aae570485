import { connector } from "../github/api/connect.ts";
import {
  type JobComment,
  jobMarkers,
  NOT_ALL_COMMENTS,
  recentJobs,
  unreadComments,
} from "../github/conversation/job-marker.ts";
import { news, pullLink, pullsText, reportNews } from "../github/conversation/news.ts";
import { inRepository, type RunContext, textIn } from "../github/trigger/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { MINUTE } from "../runtime/clock.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import { safeLink } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import { parseCollectInputs } from "./inputs.ts";
import type { CollectRun, FinishedComment, SweepResult } from "./sweep.ts";

/**
 * Finishes the comments of jobs that nobody waited for.
 *
 * @throws ActionError when the comments cannot be read, the key is refused, or the run is cancelled
 */
export async function collect(
  read: ReadInput,
  runContext: RunContext,
  dependencies: Dependencies,
): Promise<void> {
  const inputs = parseCollectInputs(read, runContext);
  const context = inRepository(runContext);
  const { stop } = dependencies.cancellation;
  const connect = connector(inputs, dependencies);
  const markers = jobMarkers(inputs.keys, inputs.projectId);
  const run = { inputs, context, connect, markers, dependencies };
  const { comments, now } = await findOpen(run);
  const idle = comments.filter((comment) => !mayStillWait(comment, now));
  let swept: SweepResult = { checked: 0, running: 0, finished: [], refused: null };
  if (idle.length > 0) {
    // Most sweeps have nothing to do, and do not load this.
    const { sweep } = await import("./sweep.ts");
    swept = await sweep(idle, now, run);
  }
  reportSweep(swept, comments.length - idle.length, dependencies);
  if (swept.refused !== null) throw swept.refused;
  if (stop.aborted) throw cancelledSweep();
}

function cancelledSweep(): ActionError {
  const problem = "This workflow run was cancelled. The next sweep does the rest.";
  return new ActionError("cancelled", problem);
}

/**
 * The comments that are not finished, newest first, and GitHub's time, in milliseconds since 1970.
 *
 * @throws ActionError `github-unavailable`, `github-refused`, `cancelled`
 */
async function findOpen(run: CollectRun): Promise<{ comments: JobComment[]; now: number }> {
  const { inputs, context, connect, markers, dependencies } = run;
  const { clock, log, cancellation } = dependencies;
  const since = clock.timeOfDay() - inputs.days;
  const recent = await recentJobs(connect, context, markers, since);
  if (recent.type === "unread") {
    const error = unreadComments(recent);
    // Requests that a signal interrupted say nothing about GitHub.
    const isStopped = cancellation.stop.aborted && error.kind === "github-unavailable";
    throw isStopped ? cancelledSweep() : error;
  }
  const { comments, isComplete, now } = recent.value;
  if (!isComplete) log.warning(NOT_ALL_COMMENTS);
  // The newest state of a comment comes first.
  const newest = new Map(comments.toReversed().map((comment) => [comment.id, comment]));
  const open = [...newest.values()].filter(({ marker }) => marker.ended === null).reverse();
  return { comments: open, now: now ?? clock.timeOfDay() };
}

/**
 * How long a run may need after it has waited, in milliseconds: for a last poll, and for writing to a slow GitHub.
 */
const MARGIN = 10 * MINUTE;

/** Whether the run that wrote a comment may still update it. @param now by GitHub's clock */
export function mayStillWait({ marker: { later }, updatedAt }: JobComment, now: number): boolean {
  const waits = later?.waits ?? null;
  return waits !== null && now < updatedAt + waits + MARGIN;
}

/** Reports a sweep in outputs, log and summary. @param skipped the number of comments that were left to their runs */
export function reportSweep(
  { checked, running, finished }: SweepResult,
  skipped: number,
  dependencies: Dependencies,
): void {
  const { outputs, log } = dependencies;
  outputs.setOutput("checkedCount", String(checked));
  outputs.setOutput("finishedCount", String(finished.length));
  outputs.setOutput("runningCount", String(running));
  outputs.setOutput("finished", JSON.stringify(finished.map(outputOf)));
  const unfinished = [
    running === 0 ? "" : `${counted(running, "comment")} still to finish: the job is at work.`,
    skipped === 0 ? "" : `${counted(skipped, "comment")} skipped: the run may still be waiting.`,
  ].filter((text) => text !== "");
  for (const text of unfinished) log.info(text);
  const withPull = finished.filter(({ prLink }) => prLink !== null);
  const others = finished.filter(({ prLink }) => prLink === null);
  const failed = others.filter(({ status }) => status === "failed");
  const withoutPull = others.filter(({ status }) => status !== "failed");
  const withoutText = `${counted(withoutPull.length, "job")} ended without a docs pull request`;
  const byResult = [
    ...news("Finished with a docs pull request", withPull, pullsText(withPull), line),
    ...news("Finished without one", withoutPull, withoutText, line),
    ...news("Failed", failed, `${counted(failed.length, "job")} failed`, line),
  ];
  reportNews(byResult, [unfinished.join(" ")], dependencies);
}

/** In the output, what is not known is an empty text. */
function outputOf({ jobId, status, prLink, commentUrl }: FinishedComment) {
  return { jobId, status: textIn(status), prLink: textIn(prLink), commentUrl };
}

/** The ends that the lists' titles tell. */
const USUAL = ["completed", "failed"];

/** Text from outside appears only as code. */
function line({ status, prLink, commentUrl }: FinishedComment): string {
  const comment = safeLink(commentUrl);
  const facts = [
    prLink === null ? null : pullLink("docs pull request", prLink),
    comment === null ? "comment" : `[comment](${comment})`,
    status === null ? "the service no longer knows the job" : null,
    status === null || USUAL.includes(status) ? null : inlineCode(status, 60),
  ];
  return `- ${facts.filter((fact) => fact !== null).join(" · ")}`;
}
