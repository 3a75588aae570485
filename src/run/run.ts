import { renderUsage } from "../github/comment-text.ts";
import { connector, Patience } from "../github/connect.ts";
import { planFeedback } from "../github/feedback.ts";
import { jobMarkers } from "../github/job-marker.ts";
import { StepIdentity } from "../github/markers.ts";
import { resolveTrigger } from "../github/resolve-trigger.ts";
import type { RunContext } from "../github/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { parseRunInputs, type RunInputs } from "../inputs/run.ts";
import { readGitHubSettings, readTriggerPhrase } from "../inputs/shared.ts";
import { isEnd } from "../job/poll.ts";
import type { RequestState } from "../job/send.ts";
import { type JobTask, noteOfNewJob, start, type WhyNewJob } from "../job/start.ts";
import { type Outcome, resultOf } from "../job/step-result.ts";
import { waitForEnd } from "../job/wait.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { asActionError } from "../runtime/errors.ts";
import type { Agent, Job } from "../service/agent.ts";
import { AgentV2 } from "../service/agent-v2.ts";
import { Transport } from "../service/transport.ts";
import { type ReportSettings, RunReporter } from "./reporter.ts";
import { type RunParts, resolveTask } from "./resolve-task.ts";

const DEPRECATED =
  "The service has deprecated version 1 of the agent API. Remove `api-version` to use version 2, where the service chooses the branch and the model.";

/** The root action: starts or continues a job, and waits for it. @returns whether the step fails */
export async function run(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<boolean> {
  const { clock, log, random } = dependencies;
  const begun = clock.now();
  const startedAt = clock.timeOfDay();
  const access = readGitHubSettings(read, context);
  const patience = new Patience(dependencies);
  const connect = access === null ? null : connector(access, dependencies, patience);
  const phrase = readTriggerPhrase(read, context);
  // Without a phrase, every run of the workflow needs its inputs, so they are checked first.
  if (phrase === "") parseRunInputs(read, context);
  const hasKey = read("api-key").trim() !== "";
  const trigger = { phrase, hasKey, settings: access, connect, usage: renderUsage };
  const resolved = await resolveTrigger(context, dependencies, trigger);
  if (resolved.type === "skip") return false;

  const { request } = resolved;
  const inputs = parseRunInputs(read, context, request?.text);
  // After the job has started, it would be too late to find out that GitHub cannot be reached.
  dependencies.http.checkProxy(inputs.githubApiUrl);
  if (inputs.api.version === "v1") log.warning(DEPRECATED);
  const markers = jobMarkers(inputs.keys, inputs.projectId);
  const step = new StepIdentity(markers, context, inputs.matrix, requestParts(inputs.task));
  const parts = {
    ...{ inputs, context, request, dependencies, markers, step, patience },
    connect: connect ?? connector(inputs, dependencies, patience),
    deadline: begun + inputs.timeout,
  };
  const settings: ReportSettings = {
    ...settingsOf(inputs),
    ...{ startedAt, step: step.marker, phrase: request === null ? null : phrase },
    feedback: planFeedback(inputs, context, request !== null, random),
  };
  const reporter = new RunReporter({ ...parts, settings });
  void reporter.feedback.react("eyes");
  const over = new AbortController();
  let outcome: Outcome;
  try {
    const agent = await createAgent(inputs, dependencies, over.signal);
    const task = await resolveTask({ ...parts, agent, reporter });
    outcome = await runJob(task, { ...parts, agent, reporter });
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

function settingsOf(inputs: RunInputs) {
  const { api, projectId, baseUrl, githubApiUrl, wait, timeout, ifTimeout, ifNoChanges } = inputs;
  const urls = { baseUrl: baseUrl.href, githubApiUrl: githubApiUrl.href };
  return { api: api.version, projectId, wait, timeout, ifTimeout, ifNoChanges, ...urls };
}

/** @param over aborted at the end of the run, to stop open streams */
async function createAgent(
  inputs: RunInputs,
  dependencies: Dependencies,
  over: AbortSignal,
): Promise<Agent> {
  const { api, projectId } = inputs;
  const transport = new Transport(inputs, dependencies);
  if (api.version === "v2") return new AgentV2(transport, projectId);
  // Loaded only if the workflow uses version 1.
  const { AgentV1 } = await import("../service/agent-v1.ts");
  return new AgentV1({ transport, projectId, choices: api.choices, over, log: dependencies.log });
}

/** Starts the job and waits for its end. */
async function runJob(task: JobTask, parts: RunParts): Promise<Outcome> {
  const { inputs, agent, reporter, deadline, dependencies } = parts;
  const { log, clock, cancellation } = dependencies;
  const { pace, wait, timeout } = inputs;
  const { stop } = cancellation;

  const starting = (jobId: string) => reporter.save({ jobId, request: "refused" });
  if (task.type !== "take-up") starting(task.type === "create" ? "" : task.jobId);
  const starter = {
    ...{ agent, rules: { pace, deadline } },
    onRequest: (request: RequestState) => reporter.save({ request }),
    onNewJob: (why: WhyNewJob) => {
      reporter.note(noteOfNewJob(why));
      starting("");
    },
  };
  const started = await start(task, starter, dependencies);
  if ("outcome" in started) return started.outcome;
  const { id, state } = started.running;
  const { job } = state;
  const isNew = task.type === "create";
  const what = isNew ? "Started" : task.type === "take-up" ? "Waiting for" : "Sent a follow-up to";
  // The log comes first, so that the ID is not lost if nothing else can be written.
  log.info(`${what} job ${id}.${job?.status ? ` It is ${job.status}.` : ""}`);
  reporter.running(id, job);
  const isOver = !wait || stop.aborted;
  if (isOver && job !== null && isEnd(job.status)) return { type: "ended", id, job };
  if (!wait && task.type !== "take-up" && !stop.aborted) {
    return { type: "not-waited", id, job, known: "running" };
  }
  // An existing job is polled once, even by a run that does not wait.
  const limits = { pace, timeout, deadline: wait ? deadline : clock.now() };
  const options = { ...limits, onPending: (job: Job | null) => reporter.polled(job) };
  const waited = await waitForEnd(started.running, agent, dependencies, options);
  return waited.type === "timed-out" && !wait ? { ...waited, type: "not-waited" } : waited;
}
