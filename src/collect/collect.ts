import { connector } from "../github/connect.ts";
import { jobMarkers } from "../github/job-marker.ts";
import type { RunContext } from "../github/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { parseCollectInputs } from "../inputs/collect.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import { findComments } from "./find-comments.ts";
import { planSweep } from "./plan-sweep.ts";
import { reportSweep } from "./report.ts";
import { NOTHING_SWEPT, type SweepResult } from "./sweep-result.ts";

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
  let swept: SweepResult = NOTHING_SWEPT;
  if (plan.jobs.size + plan.superseded.length > 0) {
    // Most sweeps have nothing to do: they need none of this.
    const [{ Sweep }, { createReaders }] = await Promise.all([
      import("./sweep.ts"),
      import("./readers.ts"),
    ]);
    const readerOf = createReaders(inputs, dependencies);
    const finishing = { context, connect, markers, phrase, dependencies };
    swept = await new Sweep({ readerOf, finishing, now, dependencies }).run(plan);
  }
  reportSweep(swept, plan.left, dependencies);
  if (swept.refused !== null) throw swept.refused;
  if (dependencies.cancellation.stop.aborted) throw new ActionError("cancelled", CANCELLED);
  return false;
}

const CANCELLED = "This workflow run was cancelled. The next sweep does the rest.";
