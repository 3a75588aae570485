import type { Clock } from "../runtime/clock.ts";
import type { Agent, Job, Reply } from "../service/agent.ts";
import type { ServiceError } from "../service/errors.ts";
import { explain, type StartOperation } from "./failures.ts";
import type { WhyNewJob } from "./notes.ts";
import type { Outcome } from "./outcome.ts";
import { type PollState, pollContinued, pollCreated, pollTakenUp } from "./poll.ts";
import type { RequestState } from "./request-state.ts";
import type { RetryRules } from "./retry.ts";
import { type Sending, type SendResult, send } from "./send.ts";
import type { JobTask } from "./task.ts";

export interface StartOptions {
  agent: Agent;
  rules: RetryRules;
  clock: Clock;
  random: () => number;
  stop: AbortSignal;
  abandon: AbortSignal;
  onRetry: (error: ServiceError, after: number) => void;
  /** Told before each try and after each that failed: what became of the request so far. */
  onRequest: (state: RequestState) => void;
  /** Told before a new job is started in place of one that does not take the message. */
  onNewJob: (why: WhyNewJob) => void;
}

/** A job that this run is to wait for. */
export interface Running {
  id: string;
  /** The record as the service answered; null for a job that has not been polled. */
  job: Job | null;
  state: PollState;
}

export type Started = { type: "running"; running: Running } | { type: "over"; outcome: Outcome };

/** Answers to a message that say the job will not take it: it is unknown, unwilling or still busy. */
const NOT_TAKEN: Record<number, WhyNewJob> = {
  400: "not-taken",
  404: "unknown",
  409: "busy",
  410: "unknown",
};

/** Creates a job, sends a follow-up to one, or takes one up, as the task says. */
export async function start(task: JobTask, options: StartOptions): Promise<Started> {
  const { agent, clock } = options;
  switch (task.type) {
    case "create": {
      const sent = await send(sendingOf(options, "create", (it) => agent.create(task.prompt, it)));
      return startedBy(sent, "", (job) => ({
        id: job.id,
        job,
        state: pollCreated(job, clock.now()),
      }));
    }
    case "follow-up": {
      const { jobId: id, prompt } = task;
      const sent = await send(sendingOf(options, "message", (it) => agent.message(id, prompt, it)));
      return startedBy(sent, id, (answer) => continued(id, answer, clock));
    }
    case "continue": {
      const { jobId, prompt } = task;
      const sent = await send(
        sendingOf(options, "message", (it) => agent.message(jobId, prompt, it)),
      );
      const why = sent.type === "refused" ? notTaken(sent.error) : undefined;
      if (why === undefined)
        return startedBy(sent, jobId, (answer) => continued(jobId, answer, clock));
      options.onNewJob(why);
      return await start({ type: "create", prompt }, options);
    }
    case "take-up":
      return {
        type: "running",
        running: { id: task.jobId, job: null, state: pollTakenUp(task.followUpAt) },
      };
  }
}

function continued(id: string, answer: Job, clock: Clock): Running {
  const state = pollContinued(answer, clock.now());
  return { id, job: state.job, state };
}

function notTaken({ failure }: ServiceError): WhyNewJob | undefined {
  return failure.type === "status" ? NOT_TAKEN[failure.status] : undefined;
}

function sendingOf(
  { rules, clock, random, stop, abandon, onRetry, onRequest }: StartOptions,
  operation: StartOperation,
  sendIt: Sending<Reply>["send"],
): Sending<Reply> {
  return {
    send: sendIt,
    explain: (error) => explain(error, operation),
    rules: { ...rules, isToJob: operation === "message" },
    ...{ clock, random, stop, abandon, onRetry, onRequest },
  };
}

/** @param id the job that is known even if sending fails; empty for one that was to be created */
function startedBy(sent: SendResult<Reply>, id: string, running: (job: Job) => Running): Started {
  switch (sent.type) {
    case "accepted":
      return { type: "running", running: running(sent.reply.job) };
    case "stopped":
      return {
        type: "over",
        outcome: {
          type: "cancelled",
          id,
          job: null,
          request: sent.uncertain ? "uncertain" : "refused",
        },
      };
    case "refused":
      return {
        type: "over",
        outcome: {
          type: "error",
          id,
          job: null,
          request: requestAfter(sent),
          error: sent.explained,
        },
      };
  }
}

/** An answer that cannot be read, and one that never came, leave open whether something was started. */
function requestAfter({
  error,
  explained,
}: Extract<SendResult<Reply>, { type: "refused" }>): RequestState {
  const isOpen = explained.kind === "create-uncertain" || error.failure.type === "unreadable";
  return isOpen ? "uncertain" : "refused";
}
