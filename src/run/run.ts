import { renderUsage } from "../github/comment-text.ts";
import { jobMarkers } from "../github/job-marker.ts";
import { StepIdentity } from "../github/markers.ts";
import type { RunContext } from "../github/run-context.ts";
import type { Request } from "../github/trigger.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { resolveInputs } from "../inputs/resolve-inputs.ts";
import { parseRunInputs } from "../inputs/run.ts";
import type { JobTask } from "../job/start.ts";
import { type Outcome, resultOf } from "../job/step-result.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { asActionError } from "../runtime/errors.ts";
import { createAgent } from "../service/agent-v2.ts";
import { Transport } from "../service/transport.ts";
import { RunReporter } from "./reporter.ts";
import { resolveTask } from "./resolve-task.ts";
import { runJob } from "./run-job.ts";

const DEPRECATED =
  "The service has deprecated version 1 of the agent API. Remove `api-version` to use version 2, where the service chooses the branch and the model.";

/** The root action: starts or continues a job, and waits for it. @returns whether the step fails */
export async function run(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<boolean> {
  const { clock, log } = dependencies;
  const begun = clock.now();
  const startedAt = clock.timeOfDay();
  const parse = (request: Request | null) => parseRunInputs(read, context, request?.text);
  const resolved = await resolveInputs(read, context, dependencies, parse, renderUsage);
  if (resolved === null) return false;

  const { inputs, request, phrase, connect, patience, feedback } = resolved;
  const { api, projectId, baseUrl, githubApiUrl, wait, timeout, ifTimeout, ifNoChanges } = inputs;
  if (api.version === "v1") log.warning(DEPRECATED);
  const markers = jobMarkers(inputs.keys, projectId);
  const step = new StepIdentity(markers, context, inputs.matrix, requestParts(inputs.task));
  const settings = {
    ...{ api: api.version, projectId, wait, timeout, ifTimeout, ifNoChanges },
    ...{ baseUrl: baseUrl.href, githubApiUrl: githubApiUrl.href },
    ...{ phrase, feedback, step: step.marker, startedAt },
  };
  const options = { settings, markers, context, connect, patience, dependencies };
  const reporter = new RunReporter(options);
  void reporter.feedback.reactions.add("eyes");
  const over = new AbortController();
  let outcome: Outcome;
  try {
    const transport = new Transport(inputs, dependencies);
    const starts = { choices: api.choices, over: over.signal, log };
    const agent = await createAgent(api.version, transport, projectId, starts);
    const deadline = begun + timeout;
    const parts = { ...options, inputs, request, step, agent, reporter, deadline };
    outcome = await runJob(await resolveTask(parts), parts);
  } catch (thrown) {
    if (thrown instanceof Error) log.debug(thrown.stack ?? thrown.message);
    const { jobId: id, request } = reporter.progress;
    outcome = { type: "error", id, job: null, request, error: asActionError(thrown) };
  }
  over.abort();
  const result = resultOf(outcome, inputs);
  await reporter.finish(outcome, result);
  return result.severity === "error";
}

/** What a step requests. It distinguishes steps of the same name. */
function requestParts(task: JobTask): string[] {
  return ["prompt" in task ? task.prompt : "", "jobId" in task ? task.jobId : ""];
}
