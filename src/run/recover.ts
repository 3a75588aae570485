import { connector, Patience } from "../github/connect.ts";
import { jobMarkers } from "../github/job-marker.ts";
import type { RunContext } from "../github/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { readRecoverInputs } from "../inputs/shared.ts";
import { isEnd, STALE_LIMIT } from "../job/poll.ts";
import { type Outcome, resultOf } from "../job/step-result.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { createJobReader } from "../service/agent-v2.ts";
import { ServiceError } from "../service/errors.ts";
import { Transport } from "../service/transport.ts";
import { sentence } from "../text/sentence.ts";
import { RunReporter } from "./reporter.ts";
import type { SavedRun } from "./saved-run.ts";

/**
 * The post step: reports a run whose main step was killed before it could. Polls the job once, if it took
 * the request.
 *
 * @param state what the main step has left
 */
export async function recover(
  state: unknown,
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<void> {
  const saved = state as SavedRun;
  const { settings } = saved;
  const { apiKey, keys, githubToken } = readRecoverInputs(read);
  const github = { githubToken, githubApiUrl: new URL(settings.githubApiUrl) };
  const patience = new Patience(dependencies);
  const reporter = new RunReporter({
    ...{ settings, context, patience, dependencies },
    markers: jobMarkers(keys, settings.projectId),
    connect: connector(github, dependencies, patience),
  });
  reporter.resume(saved);
  const outcome = await outcomeOf(saved, apiKey, dependencies);
  await reporter.finish(outcome, resultOf(outcome, settings.policy));
}

async function outcomeOf(
  { jobId: id, request, oldEndSince, settings }: SavedRun,
  apiKey: string,
  dependencies: Dependencies,
): Promise<Outcome> {
  if (request !== "accepted") return { type: "cancelled", id, job: null, request };
  const { api, projectId } = settings;
  const baseUrl = new URL(settings.baseUrl);
  const transport = new Transport({ baseUrl, apiKey }, dependencies);
  try {
    const reader = await createJobReader(api, transport, projectId);
    const { job } = await reader.get(id);
    if (!isEnd(job.status)) return { type: "cancelled", id, job, request };
    // As while waiting, the end from before a follow-up is not reported as its result.
    const mayBeOld =
      oldEndSince !== null && dependencies.clock.timeOfDay() - oldEndSince < STALE_LIMIT;
    return mayBeOld ? { type: "cancelled", id, job: null, request } : { type: "ended", id, job };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    dependencies.log.warning(sentence(`The job could not be polled: ${error.message}`));
    return { type: "cancelled", id, job: null, request };
  }
}
