import { isOnAgentsPull } from "../github/conversation/agents-pull.ts";
import type { GitHubSettings } from "../github/conversation/feedback.ts";
import { jobMarkers } from "../github/conversation/job-marker.ts";
import { StepIdentity } from "../github/conversation/markers.ts";
import { AGENTS_OWN, skipRun } from "../github/conversation/trigger-answer.ts";
import type { Request } from "../github/trigger/phrase.ts";
import type { RunContext } from "../github/trigger/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { hasPrompt } from "../inputs/prompt.ts";
import { resolveInputs } from "../inputs/resolve-inputs.ts";
import {
  hasEnded,
  isUnseen,
  type PollPace,
  type PollState,
  pollContinued,
  pollCreated,
  pollExisting,
  STALE_LIMIT,
} from "../job/poll.ts";
import { BUSY_LIMIT } from "../job/retry.ts";
import { isGone, type JobTask, sendPrompt, type UnacceptedState } from "../job/send.ts";
import type { Outcome, Policy } from "../job/step-result.ts";
import { endAfterOnePoll, waitForEnd } from "../job/wait.ts";
import type { Watch } from "../runtime/clock.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { asActionError } from "../runtime/errors.ts";
import type { Agent, Job } from "../service/agent.ts";
import { createAgent } from "../service/agent-v2.ts";
import { type Failure, isFromBetween, isStatus } from "../service/errors.ts";
import { hasTask, parseRunInputs, V1_DEPRECATED } from "./inputs.ts";
import { RunReporter } from "./reporter.ts";
import { NO_LONGER_KNOWN, noteOfNewJob, type RunParts, resolveTask } from "./resolve-task.ts";

/** Why a conversation's job does not take a message, by the status of the service's answer. */
const NOT_ACCEPTED = "did not accept another message";
const OBSTACLES = new Map([
  [400, NOT_ACCEPTED],
  [404, NO_LONGER_KNOWN],
  [410, NO_LONGER_KNOWN],
  [413, NOT_ACCEPTED],
  [422, NOT_ACCEPTED],
]);

/** Why a new job takes the place of a conversation's that refused a message; null if none does. */
export function messageObstacle(failure: Failure): string | null {
  if (failure.type !== "status" || isFromBetween(failure)) return null;
  return OBSTACLES.get(failure.status) ?? null;
}

/** The same. A job that the service does not know is gone only if a poll says so, too. */
async function obstacleOf(
  jobId: string,
  failure: Failure,
  agent: Agent,
  dependencies: Dependencies,
): Promise<string | null> {
  const mayBeThere = isStatus(failure, 404) && !(await isGone(agent, jobId, dependencies));
  return mayBeThere ? null : messageObstacle(failure);
}

/** The root action: starts or continues a job, and waits for it. @returns whether the step fails */
export async function root(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<boolean> {
  const { clock, log } = dependencies;
  const begun = clock.now();
  const startedAt = clock.timeOfDay();
  const parse = (request: Request | null, settings: GitHubSettings | null) =>
    parseRunInputs(read, context, request?.text ?? null, settings);
  const task = {
    input: "prompt",
    isThere: () => hasTask(read),
    isInstruction: () => hasPrompt(read),
  } as const;
  const resolved = await resolveInputs(read, context, dependencies, parse, task);
  if (resolved === null) return false;

  const { inputs, request, phrase, note, connect, patience, feedback } = resolved;
  const { api, projectId, baseUrl, policy } = inputs;
  if (api.version === "v1") log.warning(V1_DEPRECATED);
  const markers = jobMarkers(inputs.keys, projectId);
  if (request === null && (await isOnAgentsPull(context, connect, markers))) {
    skipRun(AGENTS_OWN, dependencies);
    return false;
  }
  const step = new StepIdentity(markers, context, inputs.matrix, askedBy(inputs.task));
  const settings = {
    api: api.version,
    projectId,
    policy,
    baseUrl: baseUrl.href,
    phrase,
    feedback,
    step: step.marker,
    startedAt,
  };
  const options = { settings, markers, context, connect, patience, dependencies };
  const reporter = new RunReporter(options);
  void reporter.feedback.react("eyes");
  if (note !== null) reporter.note(note);
  const over = new AbortController();
  let outcome: Outcome;
  try {
    const starts = { choices: api.choices, over: over.signal, log };
    const agent = await createAgent(api.version, inputs, dependencies, starts);
    const deadline = begun + policy.timeout;
    const parts = { ...options, inputs, request, step, agent, reporter, deadline };
    outcome = await runJob(await resolveTask(parts), parts);
  } catch (thrown) {
    if (thrown instanceof Error) log.debug(thrown.stack ?? thrown.message);
    const { request } = reporter.saved.progress;
    outcome = { type: "error", job: null, request, error: asActionError(thrown) };
  }
  over.abort();
  return await reporter.finish(outcome);
}

/** What a task asks for, for the step's identity: the prompt and the job's ID. Null is what the task lacks. */
export function askedBy(task: JobTask): readonly [prompt: string | null, jobId: string | null] {
  switch (task.type) {
    case "create":
      return [task.prompt, null];
    case "take-up":
      return [null, task.jobId];
    case "follow-up":
    case "continue":
      return [task.prompt, task.jobId];
  }
}

const NO_WORK_SEEN =
  "No work on the follow-up was seen: two minutes after it, the service still shows the job's end from before it.";

/** Starts the job of a task, or takes it up, and waits for its end. */
async function runJob(task: JobTask, parts: RunParts): Promise<Outcome> {
  const { inputs, agent, reporter, deadline, dependencies } = parts;
  const { log, clock, cancellation } = dependencies;
  const { pace, policy } = inputs;
  const { wait } = policy;
  const isExisting = task.type === "take-up";
  const started = isExisting ? pollTakenUp(task, clock) : await start(task, parts);
  if ("type" in started) return started;
  const { id, job, isNew } = started;
  // The log comes first, so that the ID is not lost if nothing else can be written.
  log.info(beginningText(isNew ? "create" : task.type, id, job));
  reporter.running(started);
  const isStopped = cancellation.stop.aborted;
  if ((!wait || isStopped) && job !== null && hasEnded(job)) return endAfterOnePoll(job);
  if (!wait && !isExisting && !isStopped) return { type: "running", job };
  // An existing job is polled once, even by a run that does not wait.
  let last = started;
  const outcome = await waitForEnd(started, agent, dependencies, {
    pace,
    deadline: wait ? deadline : clock.now(),
    onPending: (state) => {
      last = state;
      reporter.polled(state);
    },
  });
  if (outcome.type === "ended" && isUnseen(last, outcome.job)) reporter.note(NO_WORK_SEEN);
  return outcome;
}

/**
 * The state for a job that a run takes up. If an earlier attempt sent it a message just now, its end may be an old one.
 */
export function pollTakenUp(
  { jobId, oldEndSince }: Extract<JobTask, { type: "take-up" }>,
  clock: Watch,
): PollState {
  const existing = pollExisting(jobId);
  const age = oldEndSince === null ? STALE_LIMIT : Math.max(0, clock.timeOfDay() - oldEndSince);
  if (age >= STALE_LIMIT) return existing;
  return { ...existing, stale: { since: clock.now() - age, record: null } };
}

/** The line in the log about the beginning. */
export function beginningText(type: JobTask["type"], id: string, job: Job | null): string {
  const status = job === null || job.status === null ? "" : ` It is ${job.status}.`;
  if (type === "create") return `Started job ${id}.${status}`;
  if (type === "take-up") return `Waiting for job ${id}.${status}`;
  return `Sent a follow-up to job ${id}.${status}`;
}

/** Creates a job, sends a follow-up, or continues an existing job. */
export async function start(
  task: Exclude<JobTask, { type: "take-up" }>,
  parts: {
    agent: Agent;
    inputs: { pace: PollPace; policy: Pick<Policy, "wait"> };
    deadline: number;
    reporter: Pick<RunReporter, "save" | "note">;
    dependencies: Dependencies;
  },
): Promise<PollState | Outcome> {
  const { agent, deadline, reporter, dependencies } = parts;
  const { pace, policy } = parts.inputs;
  // A job that is at work takes the message after that. A second one would be paid for, too.
  const busyLimit = policy.wait ? Number.POSITIVE_INFINITY : BUSY_LIMIT;
  let jobId = task.type === "create" ? null : task.jobId;
  const onRequest = (request: UnacceptedState) => reporter.save({ progress: { request, jobId } });
  const attempt = () => {
    onRequest("refused");
    const sending = { pace, deadline, busyLimit, onRequest };
    return sendPrompt(agent, jobId, task.prompt, sending, dependencies);
  };
  let sent = await attempt();
  const obstacle =
    task.type === "continue" && sent.type !== "accepted"
      ? await obstacleOf(task.jobId, sent.error.failure, agent, dependencies)
      : null;
  if (obstacle !== null) {
    reporter.note(noteOfNewJob(obstacle));
    jobId = null;
    sent = await attempt();
  }
  if (sent.type !== "accepted") {
    return { type: "error", job: null, request: sent.type, error: sent.explained };
  }
  const now = dependencies.clock.now();
  return jobId === null ? pollCreated(sent.reply) : pollContinued(sent.reply, now);
}
