import type { Clock } from "../clock.ts";
import type { Inputs } from "../inputs/inputs.ts";
import type { Log } from "../log.ts";
import { ownPullNumber } from "../text/link.ts";
import { createComment, deleteComment, type Remembered, rememberedComments } from "./comments.ts";
import type { Connect } from "./connect.ts";
import { type Given, triggeringSubject } from "./given.ts";
import { jobMarkers, type Markers, type Memory, type RunMemory } from "./marker.ts";
import { commentPlace, permissionFor } from "./place.ts";
import { explainRefusal } from "./refusal.ts";
import { renderInvitation } from "./report.ts";
import type { Request } from "./trigger.ts";

/** A run, as far as it is part of a conversation. */
export interface Speaking {
  inputs: Inputs;
  given: Given;
  connect: Connect;
  log: Log;
  clock: Clock;
  /** Version of the agent interface. */
  api: string;
  /** What was asked for by phrase; null for a run that was not. */
  request: Request | null;
}

/** The job that the newest marker of an issue or pull request names; null when there is none. */
export async function findConversation(
  speaking: Pick<Speaking, "inputs" | "given" | "connect" | "log">,
): Promise<Memory | null> {
  const { inputs, given, connect, log } = speaking;
  const issue = inputs.issueNumber ?? triggeringSubject(given)?.number;
  if (issue === undefined) return null;
  const place = { repository: given.repository, issue };
  const markers = jobMarkers(inputs.apiKey, inputs.projectId);
  try {
    for await (const { memory } of rememberedComments(await connect(), place, markers)) {
      return memory;
    }
  } catch (error) {
    const { why } = explainRefusal(error, permissionFor(inputs, given));
    log.warning(`The conversation could not be read, so a new job is started: ${why}.`);
  }
  return null;
}

/**
 * On a pull request in the same repository that a request by phrase led to: one comment, once, from which
 * the conversation can go on there.
 *
 * @param link the pull request's address, checked
 * @param job its id
 */
export async function invite(
  { inputs, given, connect, log, clock, api, request }: Speaking,
  markers: Markers,
  run: Pick<RunMemory, "run" | "attempt" | "step">,
  link: string,
  job: string,
): Promise<void> {
  const issue = ownPullNumber(link, given.serverUrl, given.repository);
  const askedIn = commentPlace(inputs, given)?.issue ?? null;
  // Version 1 takes no further message: there is nothing to go on with.
  if (request === null || !inputs.comment || api === "v1") return;
  if (issue === null || issue === askedIn) return;
  const place = { repository: given.repository, issue };
  try {
    const github = await connect();
    const invitations = () => commentsOn(job, rememberedComments(github, place, markers));
    if ((await invitations()).length > 0) return;
    const marker = markers.write(place, { job, api, ended: true, at: clock.timeOfDay(), ...run });
    const text = renderInvitation(inputs.triggerPhrase, askedIn);
    const own = await createComment(github, place, `${text}\n\n${marker}`);
    // Another run of the same job may have done so at the same moment: the first one stays.
    const first = Math.min(...(await invitations()));
    if (first < own.id) await deleteComment(github, place, own.id);
  } catch (error) {
    const { why } = explainRefusal(error, "pull-requests: write");
    log.warning(`The pull request could not be commented on: ${why}. The job is not affected.`);
  }
}

/** Ids of the comments that tell of a job. */
async function commentsOn(job: string, found: AsyncIterable<Remembered>): Promise<number[]> {
  const ids: number[] = [];
  for await (const { comment, memory } of found) if (memory.job === job) ids.push(comment.id);
  return ids;
}
