import type { Clock } from "./clock.ts";
import type { Task } from "./inputs/inputs.ts";
import type { Ending } from "./job/outcome.ts";
import { type Running, start } from "./job/start.ts";
import { wait } from "./job/wait.ts";
import type { Remark } from "./job/watch.ts";
import type { Log } from "./log.ts";
import { duration } from "./text/markdown.ts";
import type { Run } from "./world.ts";

/** After a signal, in milliseconds: how long a create request may still bring the job's id. */
const CREATE_GRACE = 1_200;

/** Starts the job and waits for its end. */
export async function live(task: Task, run: Run): Promise<Ending> {
  const { inputs, agent, teller, deadline, world } = run;
  const { log, clock, random, cancellation } = world;
  const { pace } = inputs;
  const { stop } = cancellation;

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
  return await follow(running, run);
}

/** Looks at a job that runs until it ends or the run does. */
async function follow(running: Running, run: Run): Promise<Ending> {
  const { inputs, agent, teller, deadline, world } = run;
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
    // Whatever ends the wait, an error that nobody foresaw too: the minutes would be told for ever.
  }).finally(() => over.abort());

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
