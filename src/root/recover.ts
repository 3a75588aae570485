import { connector } from "../github/api/connect.ts";
import { Patience } from "../github/api/patience.ts";
import { jobMarkers } from "../github/conversation/job-marker.ts";
import type { RunContext } from "../github/trigger/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { hasEnded, STALE_LIMIT } from "../job/poll.ts";
import type { RequestState } from "../job/send.ts";
import type { Outcome } from "../job/step-result.ts";
import { endAfterOnePoll } from "../job/wait.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { cancelledRun } from "../runtime/errors.ts";
import type { Job } from "../service/agent.ts";
import { createAgent } from "../service/agent-v2.ts";
import { orServiceError, ServiceError } from "../service/errors.ts";
import { sentence } from "../text/sentence.ts";
import { parseRecoveryInputs } from "./inputs.ts";
import { RunReporter, type SavedRun } from "./reporter.ts";

/**
 * The post step of a killed main step: reports the run. It polls the job once, if the request was accepted.
 *
 * @param state the main step's state
 * @public
 */
export async function recover(
  state: unknown,
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<void> {
  const saved = state as SavedRun;
  const { settings } = saved;
  const { keys, ...github } = parseRecoveryInputs(read, context);
  const patience = new Patience(dependencies);
  const markers = jobMarkers(keys, settings.projectId);
  const connect = connector(github, dependencies, patience);
  const parts = { settings, context, patience, dependencies, markers, connect };
  const reporter = new RunReporter(parts, saved);
  await reporter.finish(await outcomeOf(saved, keys[0], dependencies));
}

async function outcomeOf(
  saved: SavedRun,
  apiKey: string,
  dependencies: Dependencies,
): Promise<Outcome> {
  const { progress, oldEndSince } = saved;
  const { projectId, baseUrl, api } = saved.settings;
  const { log, clock } = dependencies;
  const { request } = progress;
  const known = { request, oldEndSince };
  if (progress.request !== "accepted") return outcomeAfterPoll(known, null, clock.timeOfDay());
  const access = { baseUrl: new URL(baseUrl), apiKey, projectId };
  const agent = await createAgent(api, access, dependencies);
  const polled = await orServiceError(agent.get(progress.jobId));
  const isFailure = polled instanceof ServiceError;
  if (isFailure) log.warning(sentence(`The job could not be polled: ${polled.message}`));
  return outcomeAfterPoll(known, isFailure ? null : polled.job, clock.timeOfDay());
}

/**
 * The outcome of a run that was killed.
 *
 * @param job the job as it was polled just now; null if it was not, or could not be
 * @param now milliseconds since 1970
 */
export function outcomeAfterPoll(
  { request, oldEndSince }: { request: RequestState; oldEndSince: number | null },
  job: Job | null,
  now: number,
): Outcome {
  const cancelled: Outcome = { type: "error", job: null, request, error: cancelledRun() };
  if (job === null) return cancelled;
  if (!hasEnded(job)) return { ...cancelled, job };
  // As while waiting, the end from before a follow-up is not reported as its result.
  const mayBeOld = oldEndSince !== null && now - oldEndSince < STALE_LIMIT;
  return mayBeOld ? cancelled : endAfterOnePoll(job);
}
