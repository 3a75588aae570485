import { connector } from "../github/connect.ts";
import { jobMarkers } from "../github/job-marker.ts";
import { type Link, type News, news, pullLink, pullsText, tellNews } from "../github/news.ts";
import type { RunContext } from "../github/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { parseCollectInputs } from "../inputs/collect.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import { fitting } from "../runtime/step-outputs.ts";
import { safeLink } from "../text/link.ts";
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

/** Tells what a sweep did: outputs, log, summary. @param left comments that were left to their runs */
export function reportSweep(
  { checked, running, finished }: SweepResult,
  left: number,
  dependencies: Dependencies,
): void {
  const { outputs, log } = dependencies;
  outputs.setOutput("checkedCount", String(checked));
  outputs.setOutput("finishedCount", String(finished.length));
  outputs.setOutput("runningCount", String(running));
  outputs.setOutput("finished", JSON.stringify(fitting(finished)));
  const rest = [
    running === 0 ? "" : `${counted(running, "comment")} still to finish: the job is at work.`,
    left === 0 ? "" : `${counted(left, "comment")} skipped: the run may still be waiting.`,
  ].filter((it) => it !== "");
  for (const text of rest) log.info(text);
  const newsOf = (link: Link) => newsOfSweep(finished, link);
  const after = [rest.join(" ")];
  tellNews({ newsOf, error: null, after }, dependencies);
}

/** Finished comments, by what came of their jobs. */
function newsOfSweep(finished: readonly FinishedComment[], link: Link): News[] {
  const kinds = Map.groupBy(finished, ({ prLink, status }) =>
    prLink !== "" ? "pull" : status === "failed" ? "failed" : "none",
  );
  const { pull = [], none = [], failed = [] } = Object.fromEntries(kinds);
  const pulls = () =>
    pullsText(
      pull.map(({ prLink }) => prLink),
      link,
    );
  return [
    ...news("Finished with a docs pull request", pull, pulls, line),
    ...news(
      "Finished without one",
      none,
      () => `${counted(none.length, "job")} ended without a docs pull request`,
      line,
    ),
    ...news("Failed", failed, () => `${counted(failed.length, "job")} failed`, line),
  ];
}

/** Text from outside stands only in code. */
function line({ jobId, status, prLink, commentUrl }: FinishedComment): string {
  const comment = safeLink(commentUrl);
  const facts = [
    prLink === "" ? null : pullLink("docs pull request", prLink),
    comment === null ? null : `[comment](${comment})`,
    `job ${inlineCode(jobId)}`,
    status === "" ? null : inlineCode(status, 60),
  ];
  return `- ${facts.filter((fact) => fact !== null).join(" · ")}`;
}
