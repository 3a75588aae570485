import { isEnd, type PollState, pollContinued, pollCreated, pollExisting } from "../job/poll.ts";
import type { RequestState } from "../job/send.ts";
import { type JobTask, sendPrompt } from "../job/start.ts";
import type { Outcome } from "../job/step-result.ts";
import { waitForEnd } from "../job/wait.ts";
import { noteOfNewJob, type RunParts, UNKNOWN } from "./resolve-task.ts";

/** Why a job does not accept a message, by the status of the service's answer. */
const NOT_TAKEN: Record<number, string> = {
  400: "did not accept another message",
  404: UNKNOWN,
  409: "was still busy with the previous request",
  410: UNKNOWN,
};

/** Starts the job of a task, or takes it up, and waits for its end. */
export async function runJob(task: JobTask, parts: RunParts): Promise<Outcome> {
  const { inputs, agent, reporter, deadline, dependencies } = parts;
  const { log, clock, cancellation } = dependencies;
  const { pace, wait } = inputs;
  const isExisting = task.type === "take-up";
  const started = isExisting ? pollExisting(task.jobId) : await start(task, parts);
  if ("type" in started) return started;
  const { id, job } = started;
  const what =
    task.type === "create" ? "Started" : isExisting ? "Waiting for" : "Sent a follow-up to";
  // The log comes first, so that the ID is not lost if nothing else can be written.
  log.info(`${what} job ${id}.${job?.status ? ` It is ${job.status}.` : ""}`);
  reporter.running(id, job);
  const isStopped = cancellation.stop.aborted;
  if ((!wait || isStopped) && job !== null && isEnd(job.status)) return { type: "ended", id, job };
  if (!wait && !isExisting && !isStopped) return { type: "pending", id, job, known: "running" };
  // An existing job is polled once, even by a run that does not wait.
  return await waitForEnd(started, agent, dependencies, {
    pace,
    deadline: wait ? deadline : clock.now(),
    onPending: (job) => reporter.polled(job),
  });
}

/** Creates a job, sends a follow-up, or continues an existing job. */
export async function start(
  task: Exclude<JobTask, { type: "take-up" }>,
  { agent, inputs: { pace }, deadline, reporter, dependencies }: RunParts,
): Promise<PollState | Outcome> {
  let jobId = task.type === "create" ? null : task.jobId;
  const onRequest = (request: RequestState) => reporter.save({ request });
  const attempt = () => {
    reporter.save({ jobId: jobId ?? "", request: "refused" });
    return sendPrompt(agent, jobId, task.prompt, { pace, deadline, onRequest }, dependencies);
  };
  let sent = await attempt();
  const failure = sent.type === "refused" ? sent.error.failure : null;
  const why = failure?.type === "status" ? NOT_TAKEN[failure.status] : undefined;
  if (task.type === "continue" && why !== undefined) {
    reporter.note(noteOfNewJob(why));
    jobId = null;
    sent = await attempt();
  }
  if (sent.type !== "accepted") {
    const fields = { id: jobId ?? "", job: null, request: sent.request };
    return sent.type === "stopped"
      ? { type: "cancelled", ...fields }
      : { type: "error", ...fields, error: sent.explained };
  }
  const now = dependencies.clock.now();
  return jobId === null ? pollCreated(sent.reply, now) : pollContinued(sent.reply, now);
}
