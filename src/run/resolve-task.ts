import { commentPermission, commentPlace } from "../github/comment-place.ts";
import { findConversation } from "../github/conversation.ts";
import type { JobMarker } from "../github/job-marker.ts";
import { readPullRequest } from "../github/pull-request.ts";
import { readPromptContext } from "../github/read-prompt-context.ts";
import { NOTE_OF_SECOND_REQUEST, noteOfNewJob, type WhyNewJob } from "../job/notes.ts";
import type { JobTask } from "../job/task.ts";
import { isStatus, ServiceError } from "../service/errors.ts";
import { safeLink } from "../text/link.ts";
import { findEarlierAttempt, hasUnreportedJob } from "./earlier-attempt.ts";
import type { RunParts } from "./run-parts.ts";

/** What is asked of the service: the task of the inputs, given what earlier runs did. */
export async function resolveTask(parts: RunParts): Promise<JobTask> {
  const { inputs, request, context, reporter } = parts;
  const { task } = inputs;
  if (task.type === "take-up") return task;
  const left = context.attempt > 1 ? await findUnreportedJob(parts) : null;
  if (left !== null) return takeUp(left, parts);

  const prompt = await withContext(task.prompt, parts);
  if (task.type !== "create" || request === null || request.isNew || !inputs.continueJob) {
    return { ...task, prompt };
  }
  const marker = await findMarker(parts);
  if (marker === null) return { type: "create", prompt };
  const why = await whyNotContinue(marker, parts);
  if (why === null) return { type: "continue", jobId: marker.job, prompt };
  reporter.note(noteOfNewJob(why));
  return { type: "create", prompt };
}

/** The job of an earlier attempt whose end nobody was told; its comment is used again in any case. */
async function findUnreportedJob(parts: RunParts): Promise<JobMarker | null> {
  const { inputs, context, step, markers, connect, agent, reporter, dependencies } = parts;
  const place = inputs.comment ? commentPlace(inputs, context) : null;
  if (place === null) return null;
  const permission = commentPermission(inputs, context);
  const found = await findEarlierAttempt({ place, markers, step, connect, permission });
  if (found === null) return null;
  reporter.adoptComment(found.comment);
  const { marker } = found;
  if (marker.request === "uncertain") reporter.note(NOTE_OF_SECOND_REQUEST);
  if (!hasUnreportedJob(marker)) return null;
  const isGone = await isUnknown(() =>
    agent.get(marker.job, { signal: dependencies.cancellation.stop }),
  );
  if (isGone) return null;
  reporter.requestedEarlier(marker);
  return marker;
}

function takeUp({ job, later }: JobMarker, { dependencies: { clock } }: RunParts): JobTask {
  const task = { type: "take-up", jobId: job } as const;
  if (!later?.mayBeOld) return task;
  return { ...task, followUpAt: clock.now() - (clock.timeOfDay() - later.requestedAt) };
}

async function isUnknown(poll: () => Promise<unknown>): Promise<boolean> {
  try {
    await poll();
    return false;
  } catch (error) {
    return error instanceof ServiceError && isStatus(error.failure, 404, 410);
  }
}

async function withContext(prompt: string, parts: RunParts): Promise<string> {
  const { inputs, request, context, connect, dependencies } = parts;
  const { includeContext } = inputs;
  const isWanted = includeContext === "true" || (includeContext === "auto" && request !== null);
  if (!isWanted) return prompt;
  const quoted = await readPromptContext(context, connect, dependencies.log);
  return quoted === "" ? prompt : `${prompt}\n\n${quoted}`;
}

async function findMarker(parts: RunParts): Promise<JobMarker | null> {
  const { inputs, context, connect, markers, dependencies } = parts;
  const place = commentPlace(inputs, context);
  if (place === null) return null;
  const permission = commentPermission(inputs, context);
  return await findConversation({ place, markers, permission }, connect, dependencies.log);
}

/** Why the job of a conversation gets no further message; null: it does. */
async function whyNotContinue(marker: JobMarker, parts: RunParts): Promise<WhyNewJob | null> {
  const { agent, context, connect, dependencies } = parts;
  if (agent.version === "v1") return "runs-v1";
  if (marker.api !== "v2") return "started-by-v1";
  let prLink: string | null;
  try {
    const { job } = await agent.get(marker.job, { signal: dependencies.cancellation.stop });
    prLink = job.prLink;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // Any other failure is no reason: the answer to the message decides.
    return isStatus(error.failure, 404, 410) ? "unknown" : null;
  }
  const link = safeLink(prLink ?? "");
  if (link === null) return null;
  const { state } = await readPullRequest(link, context.serverUrl, connect);
  return state === "merged" || state === "closed" ? state : null;
}
