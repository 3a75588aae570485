import {
  type Entries,
  IssueComments,
  type MarkedComment,
  unreadBefore,
} from "../github/conversation/comments.ts";
import { commentPlace } from "../github/conversation/feedback.ts";
import { type JobMarker, type MarkerWithJob, namesJob } from "../github/conversation/job-marker.ts";
import type { StepIdentity } from "../github/conversation/markers.ts";
import type { Request } from "../github/trigger/phrase.ts";
import { readPromptContext } from "../github/trigger/prompt-context.ts";
import type { JobTask } from "../job/send.ts";
import { linkOf } from "../job/step-result.ts";
import { ABSENT, type Fact } from "../runtime/fact.ts";
import type { Agent } from "../service/agent.ts";
import { isUnknown, orServiceError, ServiceError } from "../service/errors.ts";
import type { RunInputs } from "./inputs.ts";
import type { RunReporter, RunReporterOptions } from "./reporter.ts";

/** The parts of a run of the root action. */
export interface RunParts extends RunReporterOptions {
  inputs: RunInputs;
  /** The request by phrase; null if there was none. */
  request: Request | null;
  step: StepIdentity;
  agent: Agent;
  reporter: RunReporter;
  /** When waiting ends, in milliseconds on the clock. */
  deadline: number;
}

/** The note about a new job instead of the conversation's. @param obstacle the rest of the sentence */
export function noteOfNewJob(obstacle: string): string {
  return `The job of this conversation ${obstacle}, so a new job was started.`;
}

/** Of a job, by the service's record of it or by its answer to a message. */
export const NO_LONGER_KNOWN = "is no longer known to the service";

/** The task for the service, from the inputs and what earlier runs did. */
export async function resolveTask(parts: RunParts): Promise<JobTask> {
  const { inputs, request, context, reporter } = parts;
  const { task } = inputs;
  const isRepeated = context.attempt > 1;
  if (task.type === "take-up") {
    if (isRepeated) await reuseComment(parts);
    return task;
  }
  const unreported = isRepeated ? await findUnreportedJob(parts) : null;
  if (unreported !== null) return unreported;

  const prompt = await withContext(task.prompt, parts);
  if (!mayContinue(task, request, inputs.continueJob)) return { ...task, prompt };
  const marker = await findMarker(parts);
  if (marker === null) return { type: "create", prompt };
  const obstacle = await findObstacle(marker, parts);
  if (obstacle === null) return { type: "continue", jobId: marker.job, prompt };
  reporter.note(noteOfNewJob(obstacle));
  return { type: "create", prompt };
}

/** Whether a task may go on with the job of the conversation: only if a request by phrase allows that. */
export function mayContinue(
  task: JobTask,
  request: { isNew: boolean } | null,
  continueJob: boolean,
): boolean {
  return task.type === "create" && request !== null && !request.isNew && continueJob;
}

/** The note if it is unknown whether an earlier attempt's request was received. */
const NOTE_OF_SECOND_REQUEST = [
  "An earlier attempt may have sent this request; it was sent again.",
  "If there are two results, check Mintlify's dashboard.",
].join(" ");

/** The job of an earlier attempt whose end was not reported. That attempt's comment is always reused. */
async function findUnreportedJob(parts: RunParts): Promise<JobTask | null> {
  const earlier = await adoptEarlier(parts);
  if (earlier.type === "absent") return null;
  if (earlier.type === "unread") {
    const consequence = "That attempt may have started a job, so no new job was started.";
    const { stop } = parts.dependencies.cancellation;
    throw unreadBefore(earlier, "earlier attempt", consequence, stop);
  }
  const { comment, marker } = earlier.value;
  if (marker.request === "uncertain") parts.reporter.note(NOTE_OF_SECOND_REQUEST);
  if (!hasUnreportedJob(marker)) return null;
  // The comment was written right after the request was accepted, and again once the job was seen at work on it.
  const oldEndSince = marker.later?.mayBeOld === true ? comment.updatedAt : null;
  return { type: "take-up", jobId: marker.job, oldEndSince };
}

/** A run that sends nothing reuses the comment of an earlier attempt, if it can be read. */
async function reuseComment(parts: RunParts): Promise<void> {
  const earlier = await adoptEarlier(parts);
  if (earlier.type !== "unread") return;
  parts.dependencies.log.warning(
    `The comments of the earlier attempt could not be read, so a new one is written: ${earlier.reason}.`,
  );
}

/** Adopts the comment of an earlier attempt. */
async function adoptEarlier(parts: RunParts): Promise<Fact<MarkedComment<JobMarker>>> {
  const { settings, reporter, connect, markers, step } = parts;
  const { place } = settings.feedback;
  if (place === null) return ABSENT;
  const comments = new IssueComments(connect, place);
  const isEarlier = (marker: JobMarker) => step.isEarlier(marker);
  const named = await chooseEarlier(comments.marked(markers), isEarlier);
  const earlier =
    named.type === "absent"
      ? await comments.draft(markers, (draft) => isEarlier(draft.marker))
      : named;
  if (earlier.type === "known") reporter.feedback.adopt(earlier.value.comment);
  return earlier;
}

/** The comment of an earlier attempt that has an unreported job, or the newest one. @param comments newest first */
export async function chooseEarlier(
  comments: Entries<MarkedComment<JobMarker>>,
  isEarlier: (marker: JobMarker) => boolean,
): Promise<Fact<MarkedComment<JobMarker>>> {
  let newest: Fact<MarkedComment<JobMarker>> = ABSENT;
  for await (const comment of comments) {
    if (comment.type === "unread") return comment;
    const { marker } = comment.value;
    if (!isEarlier(marker)) continue;
    if (hasUnreportedJob(marker)) return comment;
    if (newest.type === "absent") newest = comment;
  }
  return newest;
}

/** Whether there is a job whose end the comment does not report. */
export function hasUnreportedJob(marker: JobMarker): marker is MarkerWithJob {
  return namesJob(marker) && marker.request === "accepted" && marker.ended === null;
}

async function withContext(prompt: string, parts: RunParts): Promise<string> {
  const { inputs, request, context, connect, dependencies } = parts;
  if (!isContextWanted(inputs.includeContext, request !== null)) return prompt;
  const quoted = await readPromptContext(context, connect, dependencies.log);
  return quoted === "" ? prompt : `${prompt}\n\n${quoted}`;
}

export function isContextWanted(
  includeContext: RunInputs["includeContext"],
  isByPhrase: boolean,
): boolean {
  return includeContext === "auto" ? isByPhrase : includeContext === "true";
}

/** The newest marker that names a job; null if there is none. */
async function findMarker(parts: RunParts): Promise<MarkerWithJob | null> {
  const { inputs, context, connect, markers, dependencies } = parts;
  const place = commentPlace(inputs, context, true);
  if (place === null) return null;
  for await (const comment of new IssueComments(connect, place).marked(markers)) {
    if (comment.type === "unread") {
      const consequence =
        "They may name the job that the request belongs to, so no job was started.";
      throw unreadBefore(comment, "conversation", consequence, dependencies.cancellation.stop);
    }
    const { marker } = comment.value;
    if (namesJob(marker)) return marker;
  }
  return null;
}

/** Why a job of these API versions cannot get a message of this run, in the words of a note; null if it can. */
export function versionObstacle(api: "v1" | "v2", startedWith: string): string | null {
  if (api === "v1") return "cannot receive messages through version 1 of the agent API";
  return startedWith === "v2" ? null : "was started with version 1 of the agent API";
}

/** Why the job of a conversation is not continued, in the words of a note; null if it is. */
async function findObstacle(marker: MarkerWithJob, parts: RunParts): Promise<string | null> {
  const { agent, settings, context, connect, dependencies } = parts;
  const obstacle = versionObstacle(settings.api, marker.api);
  if (obstacle !== null) return obstacle;
  const polled = await orServiceError(
    agent.get(marker.job, { signal: dependencies.cancellation.stop }),
  );
  // After any other failure, the message is sent, and its answer decides.
  if (polled instanceof ServiceError) {
    return isUnknown(polled.failure) ? NO_LONGER_KNOWN : null;
  }
  const link = linkOf(polled.job);
  if (link === null) return null;
  // Most runs continue no job.
  const { readPullState } = await import("../github/changes/pull-state.ts");
  const read = await readPullState(link, context.serverUrl, connect);
  if (read.type !== "known" || read.value === "open") return null;
  return `has a ${read.value} pull request`;
}
