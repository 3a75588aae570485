import { connectorOf, findOut, skip } from "./asked.ts";
import type { Clock } from "./clock.ts";
import { asActionError } from "./errors.ts";
import type { Given } from "./github/given.ts";
import { renderUsage } from "./github/report.ts";
import { type SavedState, Teller, type TellerOptions } from "./github/teller.ts";
import type { Request } from "./github/trigger.ts";
import { type Inputs, parseInputs, type ReadInput, type Task } from "./inputs.ts";
import type { Ending } from "./job/outcome.ts";
import { type Running, start } from "./job/start.ts";
import { wait } from "./job/wait.ts";
import { isEnd, type Remark } from "./job/watch.ts";
import type { Log } from "./log.ts";
import type { Agent } from "./service/agent.ts";
import { AgentV2 } from "./service/agent-v2.ts";
import { isStatus, ServiceError } from "./service/errors.ts";
import { Transport } from "./service/transport.ts";
import { duration } from "./text/markdown.ts";
import type { World } from "./world.ts";

/** After a signal, in milliseconds: how long a create request may still bring the job's id. */
const CREATE_GRACE = 1_200;

const DEPRECATED =
  "Version 1 of the agent interface is deprecated by the service. Leave out `api-version` to use version 2, which chooses the branch and the model itself.";

const NO_MESSAGES = "cannot be sent a message by version 1 of the agent interface";

/**
 * Runs a docs agent job from beginning to end.
 *
 * @param read reads an input by its name
 * @returns whether the step fails
 */
export async function run(read: ReadInput, given: Given, world: World): Promise<boolean> {
  const begun = world.clock.now();
  const startedAt = world.clock.timeOfDay();
  const asked = await findOut(read, given, world, (gate) => renderUsage(gate.triggerPhrase));
  if (asked.type !== "run") return skip(asked, world);

  const { request } = asked;
  const inputs = parseInputs(read, given, request?.text);
  const { version: api } = inputs.api;
  const teller = createTeller(inputs, given, world, { startedAt, request, api });
  const over = new AbortController();

  teller.acknowledge();
  if (api === "v1") world.log.warning(DEPRECATED);
  let ending: Ending;
  try {
    const agent = await createAgent(inputs, world, over.signal);
    const task = await settleTask(inputs, request, given, agent, teller, world.cancellation.stop);
    ending = await live(task, inputs, agent, teller, world, begun + inputs.timeout);
  } catch (thrown) {
    if (thrown instanceof Error) world.log.debug(thrown.stack ?? thrown.message);
    ending = { type: "error", id: teller.jobId, job: null, error: asActionError(thrown) };
  }
  over.abort();
  return await teller.conclude(ending);
}

/**
 * The post step: tells of a run whose main step was killed before it could.
 *
 * @param state what the main step saved
 */
export async function recover(
  read: ReadInput,
  given: Given,
  world: World,
  state: SavedState,
): Promise<void> {
  // The prompt may come from a file that is gone by now; all that is wanted is to look at the job.
  const readForLook: ReadInput = (name) =>
    name === "job-id" ? state.id || "unknown" : name.startsWith("prompt") ? "" : read(name);
  const inputs = parseInputs(readForLook, given);
  const { startedAt } = state;
  const { version: api } = inputs.api;
  const teller = createTeller(inputs, given, world, { startedAt, request: null, api });
  teller.resume(state);
  const { id } = state;
  if (id === "") {
    await teller.conclude({ type: "cancelled", id, job: null, uncertain: true });
    return;
  }
  try {
    const agent = await createAgent(inputs, world, world.cancellation.stop);
    const { job } = await agent.get(id);
    const ended = isEnd(job.status);
    await teller.conclude(
      ended ? { type: "ended", job } : { type: "cancelled", id, job, uncertain: false },
    );
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    world.log.warning(`The job could not be looked at: ${error.message}.`);
    await teller.conclude({ type: "cancelled", id, job: null, uncertain: false });
  }
}

/** @param over aborted when nothing of the agent is wanted any more */
async function createAgent(inputs: Inputs, world: World, over: AbortSignal): Promise<Agent> {
  const { http, clock, log } = world;
  const { api, apiKey, projectId, baseUrl } = inputs;
  const transport = new Transport({ http, baseUrl, apiKey, timeOfDay: clock.timeOfDay });
  if (api.version === "v2") return new AgentV2(transport, projectId);
  // Loaded only by those who still ask for it.
  const { AgentV1 } = await import("./service/agent-v1.ts");
  const show = (text: string) => log.info(text);
  const { choices } = api;
  return new AgentV1({ transport, projectId, apiKey, choices, clock, over, show });
}

function createTeller(
  inputs: Inputs,
  given: Given,
  world: World,
  options: Pick<TellerOptions, "startedAt" | "request" | "api">,
): Teller {
  const { desk, log, clock, cancellation } = world;
  const connect = connectorOf(inputs, world);
  return new Teller({
    ...options,
    inputs,
    given,
    desk,
    log,
    clock,
    connect,
    stop: cancellation.stop,
  });
}

/** What is asked of the service: the inputs' task, in the light of what was there before. */
async function settleTask(
  inputs: Inputs,
  request: Request | null,
  given: Given,
  agent: Agent,
  teller: Teller,
  stop: AbortSignal,
): Promise<Task> {
  const { task } = inputs;
  if (task.type === "take-up") return task;
  const left = given.attempt > 1 ? await findLeftBehind(agent, teller, stop) : null;
  if (left !== null) return { type: "take-up", jobId: left };

  const context = await teller.readContext();
  const prompt = context === "" ? task.prompt : `${task.prompt}\n\n${context}`;
  if (task.type !== "create" || request === null || request.isNew || !inputs.continueJob) {
    return { ...task, prompt };
  }
  const memory = await teller.findConversation();
  if (memory === null) return { type: "create", prompt };
  if (agent.version === "v2" && memory.api === "v2") {
    return { type: "continue", jobId: memory.job, prompt };
  }
  const why =
    agent.version === "v1" ? NO_MESSAGES : "was started by version 1 of the agent interface";
  teller.note(`The job of this conversation ${why}, so a new one was started.`);
  return { type: "create", prompt };
}

/**
 * The job of an earlier attempt of this workflow run, if it is not at an end, or has come to one that
 * nobody was told of: not to be started twice.
 */
async function findLeftBehind(
  agent: Agent,
  teller: Teller,
  stop: AbortSignal,
): Promise<string | null> {
  const memory = await teller.findEarlierAttempt();
  if (memory === null) return null;
  try {
    const { job } = await agent.get(memory.job, { signal: stop });
    return isEnd(job.status) && memory.ended ? null : memory.job;
  } catch (error) {
    const isUnknown = error instanceof ServiceError && isStatus(error.failure, 404, 410);
    return isUnknown ? null : memory.job;
  }
}

/** Starts the job and waits for its end. */
async function live(
  task: Task,
  inputs: Inputs,
  agent: Agent,
  teller: Teller,
  world: World,
  deadline: number,
): Promise<Ending> {
  const { log, clock, random, cancellation } = world;
  const { pace } = inputs;
  const stop = cancellation.stop;

  if (task.type !== "take-up") teller.starting(task.type === "create" ? "" : task.jobId);
  const started = await start(task, {
    ...{ agent, clock, random, stop },
    rules: { pace, deadline },
    abandon: cancellation.after(CREATE_GRACE),
    onRetry: (error, after) => log.info(`${error.message}. Trying again in ${duration(after)}.`),
    onNewJob: (why) => {
      teller.note(`The job of this conversation ${why}, so a new one was started.`);
      teller.starting("");
    },
  });
  if (started.type === "ending") return started.ending;
  const { running } = started;
  teller.running(running.id, running.job);
  log.info(describeStart(task, running));
  if (!inputs.wait && task.type !== "take-up" && !stop.aborted) {
    return { type: "not-waited", id: running.id, job: running.job };
  }
  return await follow(running, inputs, agent, teller, world, deadline);
}

/** Looks at a job that runs until it ends or the run does. */
async function follow(
  running: Running,
  inputs: Inputs,
  agent: Agent,
  teller: Teller,
  world: World,
  deadline: number,
): Promise<Ending> {
  const { log, clock, random, cancellation } = world;
  const { id, watch } = running;
  const begun = clock.now();
  const over = new AbortController();
  let status = running.job?.status ?? "";
  void everyMinute(clock, over.signal, () => {
    const known = status === "" ? "Nothing is known of the job yet" : `The job is ${status}`;
    log.info(`${known}, after ${duration(clock.now() - begun)}.`);
  });

  const waited = await wait({
    ...{ agent, id, watch, clock, random, pace: inputs.pace },
    stop: cancellation.stop,
    lookFirst: running.job === null,
    // Whoever does not want to wait still wants to know how a job stands that was there before.
    deadline: inputs.wait ? deadline : begun,
    onRemark: (remark) => remarkOn(remark, log),
    onPending: (job) => {
      status = job?.status ?? "";
      if (job !== null) teller.seen(job);
    },
  });
  over.abort();

  switch (waited.type) {
    case "ended":
      return waited;
    case "timed-out":
      return inputs.wait
        ? { type: "timed-out", id, job: waited.job, timeout: inputs.timeout }
        : { type: "not-waited", id, job: waited.job };
    case "given-up":
      return { type: "error", id, job: waited.job, error: waited.error };
    case "stopped":
      return { type: "cancelled", id, job: waited.job, uncertain: false };
  }
}

async function everyMinute(clock: Clock, over: AbortSignal, tell: () => void): Promise<void> {
  for (;;) {
    await clock.sleep(60_000, over);
    if (over.aborted) return;
    tell();
  }
}

function describeStart(task: Task, { id, job }: Running): string {
  const status = job === null ? "" : ` It is ${job.status}.`;
  switch (task.type) {
    case "create":
      return `Started job ${id}.${status}`;
    case "follow-up":
    case "continue":
      return `Sent a follow-up to job ${id}.${status}`;
    case "take-up":
      return `Waiting for job ${id}.`;
  }
}

function remarkOn(remark: Remark, log: Log): void {
  switch (remark.type) {
    case "status":
      log.info(`Job ${remark.job.id} is ${remark.job.status}.`);
      break;
    case "unknown-status":
      log.warning(
        `The job has the status ${JSON.stringify(remark.status)}, which this version of the action does not know. It is not taken for an end.`,
      );
      break;
    case "unwell":
      log.warning(
        `${remark.error.message}. The action goes on looking, for up to 5 minutes without a good answer.`,
      );
      break;
    case "well-again":
      log.warning("The service gives good answers again.");
  }
}
