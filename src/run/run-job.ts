import { noteOfNewJob } from "../job/notes.ts";
import type { Outcome } from "../job/outcome.ts";
import { isEnd, type PollNotice } from "../job/poll.ts";
import { type Running, start } from "../job/start.ts";
import type { JobTask } from "../job/task.ts";
import { wait } from "../job/wait.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { duration } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";
import type { RunParts } from "./run-parts.ts";

/** After a signal, in milliseconds: how long a create request may still bring the job's id. */
const CREATE_GRACE = 1_200;

/** Starts the job and waits for its end. */
export async function runJob(task: JobTask, parts: RunParts): Promise<Outcome> {
  const { inputs, agent, reporter, deadline, dependencies } = parts;
  const { log, clock, random, cancellation } = dependencies;
  const { pace } = inputs;
  const { stop } = cancellation;

  if (task.type !== "take-up") reporter.starting(task.type === "create" ? "" : task.jobId);
  const started = await start(task, {
    ...{ agent, clock, random, stop },
    rules: { pace, deadline },
    abandon: cancellation.after(CREATE_GRACE),
    onRetry: (error, after) =>
      log.info(`${sentence(error.message)} Trying again in ${duration(after)}.`),
    onRequest: (state) => reporter.requested(state),
    onNewJob: (why) => {
      reporter.note(noteOfNewJob(why));
      reporter.starting("");
    },
  });
  if (started.type === "over") return started.outcome;
  const { running } = started;
  const { id, job } = running;
  // Before anything else: an id that is in the log is not lost, whatever else cannot be written.
  log.info(describeStart(task, running));
  reporter.running(id, job);
  const isOver = !inputs.wait || stop.aborted;
  if (isOver && job !== null && isEnd(job.status)) return { type: "ended", id, job };
  if (!inputs.wait && task.type !== "take-up" && !stop.aborted) {
    return { type: "not-waited", id, job, known: "running" };
  }
  return await waitForEnd(running, parts);
}

async function waitForEnd(running: Running, parts: RunParts): Promise<Outcome> {
  const { inputs, agent, reporter, deadline, dependencies } = parts;
  const { log, clock, random, cancellation } = dependencies;
  const { id, state } = running;
  const begun = clock.now();
  const over = new AbortController();
  let status = running.job?.status ?? "";
  void everyMinute(clock, over.signal, () => {
    const known = status === "" ? "It is not known yet how the job stands" : `The job is ${status}`;
    log.info(`${known}, after ${duration(clock.now() - begun)}.`);
  });

  const waited = await wait({
    ...{ agent, id, state, clock, random, pace: inputs.pace },
    stop: cancellation.stop,
    pollFirst: running.job === null,
    // A job that is taken up is polled once, even by a run that does not wait.
    deadline: inputs.wait ? deadline : begun,
    onNotice: (notice) => logNotice(notice, log),
    onPending: (job) => {
      status = job?.status ?? "";
      if (job !== null) reporter.polled(job);
    },
    // Whatever ends the wait, an unexpected error too: the minutes would be logged for ever.
  }).finally(() => over.abort());

  switch (waited.type) {
    case "ended":
      return { ...waited, id };
    case "timed-out":
      return inputs.wait
        ? { ...waited, id, timeout: inputs.timeout }
        : { ...waited, type: "not-waited", id };
    case "given-up":
      return { type: "error", id, job: waited.job, request: "accepted", error: waited.error };
    case "stopped":
      return { type: "cancelled", id, job: waited.job, request: "accepted" };
  }
}

async function everyMinute(clock: Clock, over: AbortSignal, log: () => void): Promise<void> {
  for (;;) {
    await clock.sleep(60_000, over);
    if (over.aborted) return;
    log();
  }
}

function describeStart(task: JobTask, { id, job }: Running): string {
  const status = job === null || job.status === "" ? "" : ` It is ${job.status}.`;
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

function logNotice(notice: PollNotice, log: Log): void {
  switch (notice.type) {
    case "status":
      log.info(`Job ${notice.job.id} is ${notice.job.status}.`);
      break;
    case "old-end":
      log.info(
        `The job is still ${notice.status}, as it may have been before the follow-up. That counts as its end once the record has changed, or ${duration(notice.limit)} after the follow-up.`,
      );
      break;
    case "unknown-status":
      log.warning(
        `The job has the status ${JSON.stringify(notice.status)}, which this version of the action does not know. The action goes on polling.`,
      );
      break;
    case "failing":
      log.warning(
        `${sentence(notice.error.message)} While it waits, the action goes on polling, and gives up after 5 minutes of failed polls.`,
      );
      break;
    case "recovered":
      log.warning("The service gives good answers again.");
  }
}
