import { isEnd } from "../job/poll.ts";
import { type Running, type StartOptions, start } from "../job/send.ts";
import type { Outcome } from "../job/step-result.ts";
import { type JobTask, noteOfNewJob } from "../job/task.ts";
import { waitForEnd } from "../job/wait.ts";
import type { Clock } from "../runtime/clock.ts";
import { duration } from "../text/markdown.ts";
import type { RunParts } from "./resolve-task.ts";

/** Starts the job and waits for its end. */
export async function runJob(task: JobTask, parts: RunParts): Promise<Outcome> {
  const { inputs, agent, reporter, deadline, dependencies } = parts;
  const { log, clock, cancellation } = dependencies;
  const { pace } = inputs;
  const { stop } = cancellation;

  if (task.type !== "take-up") reporter.starting(task.type === "create" ? "" : task.jobId);
  const options: StartOptions = {
    agent,
    rules: { pace, deadline },
    onRequest: (state) => reporter.requested(state),
    onNewJob: (why) => {
      reporter.note(noteOfNewJob(why));
      reporter.starting("");
    },
  };
  const started = await start(task, options, dependencies);
  if (started.type === "over") return started.outcome;
  const { running } = started;
  const { id, state } = running;
  const { job } = state;
  // Before anything else: an id that is in the log is not lost, whatever else cannot be written.
  log.info(describeStart(task, running));
  reporter.running(id, job);
  const isOver = !inputs.wait || stop.aborted;
  if (isOver && job !== null && isEnd(job.status)) return { type: "ended", id, job };
  if (!inputs.wait && task.type !== "take-up" && !stop.aborted) {
    return { type: "not-waited", id, job, known: "running" };
  }
  const begun = clock.now();
  const over = new AbortController();
  let status = job?.status ?? "";
  void everyMinute(clock, over.signal, () => {
    const known = status === "" ? "The job's status is not known yet" : `The job is ${status}`;
    log.info(`${known}, after ${duration(clock.now() - begun)}.`);
  });
  const waited = await waitForEnd(running, agent, dependencies, {
    pace,
    // A job that is taken up is polled once, even by a run that does not wait.
    deadline: inputs.wait ? deadline : begun,
    timeout: inputs.timeout,
    onPending: (it) => {
      status = it?.status ?? "";
      if (it !== null) reporter.polled(it);
    },
    // Whatever ends the wait, an unexpected error too: the minutes would be logged for ever.
  }).finally(() => over.abort());
  const isUnwaited = waited.type === "timed-out" && !inputs.wait;
  return isUnwaited ? { ...waited, type: "not-waited" } : waited;
}

async function everyMinute(clock: Clock, over: AbortSignal, log: () => void): Promise<void> {
  for (;;) {
    await clock.sleep(60_000, over);
    if (over.aborted) return;
    log();
  }
}

function describeStart(task: JobTask, { id, state: { job } }: Running): string {
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
