import type { Clock } from "../clock.ts";
import type { Task } from "../inputs/inputs.ts";
import type { Agent, Job, Reply } from "../service/agent.ts";
import type { ServiceError } from "../service/errors.ts";
import { type Starting as Doing, explain } from "./failures.ts";
import type { Ending } from "./outcome.ts";
import { type RetryRules, type Sending, type Sent, send } from "./send.ts";
import { type Watch, watchContinued, watchCreated, watchTakenUp } from "./watch.ts";

export interface Starting {
  agent: Agent;
  rules: RetryRules;
  clock: Clock;
  random: () => number;
  stop: AbortSignal;
  abandon: AbortSignal;
  onRetry: (error: ServiceError, after: number) => void;
  /** Told before a new job is started in place of one that does not take the message. */
  onNewJob: (why: string) => void;
}

/** A job that this run is to wait for. */
export interface Running {
  id: string;
  /** The record as the service answered; null for a job that has not been looked at. */
  job: Job | null;
  watch: Watch;
}

export type Started = { type: "running"; running: Running } | { type: "ending"; ending: Ending };

/** Answers to a message that say the job will not take it: it is unknown, unwilling or still busy. */
const NOT_TAKEN: Record<number, string> = {
  400: "did not take a further message",
  404: "is no longer known to the service",
  409: "was still busy with the request before",
  410: "is no longer known to the service",
};

/** Creates a job, sends a follow-up to one, or takes one up, as the task says. */
export async function start(task: Task, starting: Starting): Promise<Started> {
  const { agent, clock } = starting;
  switch (task.type) {
    case "create": {
      const sent = await send(sendingOf(starting, "create", (it) => agent.create(task.prompt, it)));
      return startedBy(sent, "", (job) => ({
        id: job.id,
        job,
        watch: watchCreated(job, clock.now()),
      }));
    }
    case "follow-up": {
      const { jobId: id, prompt } = task;
      const sent = await send(
        sendingOf(starting, "message", (it) => agent.message(id, prompt, it)),
      );
      return startedBy(sent, id, (answer) => continued(id, answer, clock));
    }
    case "continue": {
      const { jobId, prompt } = task;
      const sent = await send(
        sendingOf(starting, "message", (it) => agent.message(jobId, prompt, it)),
      );
      const why = sent.type === "refused" ? notTaken(sent.error) : undefined;
      if (why === undefined)
        return startedBy(sent, jobId, (answer) => continued(jobId, answer, clock));
      starting.onNewJob(why);
      return await start({ type: "create", prompt }, starting);
    }
    case "take-up":
      return {
        type: "running",
        running: { id: task.jobId, job: null, watch: watchTakenUp(clock.now()) },
      };
  }
}

function continued(id: string, answer: Job, clock: Clock): Running {
  const watch = watchContinued(answer, clock.now());
  return { id, job: watch.job, watch };
}

function notTaken({ failure }: ServiceError): string | undefined {
  return failure.type === "status" ? NOT_TAKEN[failure.status] : undefined;
}

function sendingOf(
  { rules, clock, random, stop, abandon, onRetry }: Starting,
  doing: Doing,
  sendIt: Sending<Reply>["send"],
): Sending<Reply> {
  return {
    send: sendIt,
    explain: (error) => explain(error, doing),
    rules: { ...rules, isToJob: doing === "message" },
    ...{ clock, random, stop, abandon, onRetry },
  };
}

/** @param id the job that is known even if sending fails; empty for one that was to be created */
function startedBy(sent: Sent<Reply>, id: string, running: (job: Job) => Running): Started {
  switch (sent.type) {
    case "accepted":
      return { type: "running", running: running(sent.reply.job) };
    case "stopped":
      return {
        type: "ending",
        ending: { type: "cancelled", id, job: null, uncertain: sent.uncertain },
      };
    case "refused":
      return { type: "ending", ending: { type: "error", id, job: null, error: sent.explained } };
  }
}
