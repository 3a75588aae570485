import { commentPermission, commentPlace } from "../github/comment-place.ts";
import { findConversation } from "../github/conversation.ts";
import type { JobMarker } from "../github/markers.ts";
import { readPromptContext } from "../github/read-prompt-context.ts";
import { isEnd } from "../job/poll.ts";
import type { Task } from "../job/task.ts";
import { isStatus, ServiceError } from "../service/errors.ts";
import type { RunParts } from "./run-parts.ts";

const NO_MESSAGES = "cannot be sent a message by version 1 of the agent interface";

/** What is asked of the service: the task of the inputs, given what earlier runs did. */
export async function resolveTask(parts: RunParts): Promise<Task> {
  const { inputs, request, context, agent, reporter } = parts;
  const { task } = inputs;
  if (task.type === "take-up") return task;
  const earlier = context.attempt > 1 ? await findEarlierJob(parts) : null;
  if (earlier !== null) return { type: "take-up", jobId: earlier };

  const prompt = await withContext(task.prompt, parts);
  if (task.type !== "create" || request === null || request.isNew || !inputs.continueJob) {
    return { ...task, prompt };
  }
  const marker = await findMarker(parts);
  if (marker === null) return { type: "create", prompt };
  if (agent.version === "v2" && marker.api === "v2") {
    return { type: "continue", jobId: marker.job, prompt };
  }
  const why =
    agent.version === "v1" ? NO_MESSAGES : "was started by version 1 of the agent interface";
  reporter.note(`The job of this conversation ${why}, so a new one was started.`);
  return { type: "create", prompt };
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

/**
 * The job of an earlier attempt of this step, if it is not at its end, or has come to one that nobody
 * was told of: not to be started twice.
 */
async function findEarlierJob({ agent, reporter, dependencies }: RunParts): Promise<string | null> {
  const { stop } = dependencies.cancellation;
  const marker = await reporter.findEarlierAttempt();
  if (marker === null) return null;
  try {
    const { job } = await agent.get(marker.job, { signal: stop });
    return isEnd(job.status) && marker.ended ? null : marker.job;
  } catch (error) {
    const isUnknown = error instanceof ServiceError && isStatus(error.failure, 404, 410);
    return isUnknown ? null : marker.job;
  }
}
