import type { Octokit } from "@octokit/core";
import type { Log } from "../runtime/log.ts";
import { ownPullNumber } from "../text/link.ts";
import { createComment, deleteComment, editComment, newestComments } from "./comments.ts";
import type { Connect } from "./connect.ts";
import type { JobMarker, JobMarkers } from "./job-marker.ts";
import type { Place } from "./markers.ts";
import { explainRefusal, type Refusal } from "./refusal.ts";
import { renderInvitation } from "./report.ts";
import type { RunContext } from "./run-context.ts";
import { markedText } from "./status-comment.ts";

interface Invitation {
  /** The issue or pull request where the job was asked for; null when there is none. */
  requestedIn: number | null;
  /** As in `trigger-phrase`. */
  phrase: string;
  /** The pull request's address, checked. */
  link: string;
  /** What the comment remembers. */
  marker: JobMarker;
  /** Names the comment before it has an id. */
  draft: string;
}

/**
 * Whether a job takes further requests, so that there is something to invite to: version 1 takes none.
 *
 * @param api version of the agent interface
 */
export function canGoOn(api: string): boolean {
  return api === "v2";
}

/**
 * Comments, once, on the pull request of a job that was asked for by phrase, so that the conversation can
 * go on there. Does nothing for a pull request of another repository. Never throws.
 *
 * @returns what GitHub refused, of which there was a warning; null: nothing
 */
export async function invite(
  invitation: Invitation,
  { serverUrl, repository }: Pick<RunContext, "serverUrl" | "repository">,
  { connect, log, markers }: { connect: Connect; log: Log; markers: JobMarkers },
): Promise<Refusal | null> {
  const issue = ownPullNumber(invitation.link, serverUrl, repository);
  if (issue === null || issue === invitation.requestedIn) return null;
  try {
    await inviteOnce(invitation, { repository, issue }, markers, await connect());
    return null;
  } catch (error) {
    const refusal = explainRefusal(error, "pull-requests: write");
    const { why } = refusal;
    log.warning(`The pull request could not be commented on: ${why}. The job is not affected.`);
    return refusal;
  }
}

async function inviteOnce(
  { requestedIn, phrase, marker, draft }: Invitation,
  place: Place,
  markers: JobMarkers,
  github: Octokit,
): Promise<void> {
  const existing = () => commentsOn(marker.job, place, markers, github);
  const before = await existing();
  if (before.some(({ isNamed }) => isNamed)) return;
  const text = renderInvitation(phrase, requestedIn);
  const name = (id: number) =>
    editComment(github, place, id, markedText(text, markers.write(place, marker, id)));
  // One without a name was left by a run that was killed, or is being written by another one just now.
  const first = markedText(text, markers.writeDraft(place, marker, draft));
  const { id } = before[0] ?? (await createComment(github, place, first));
  await name(id);
  // Another run of the same job may have done so at the same moment: the first one stays.
  const [oldest] = await existing();
  if (oldest === undefined || oldest.id >= id) return;
  if (!oldest.isNamed) await name(oldest.id);
  await deleteComment(github, place, id);
}

/** A comment about a job; one that is not named yet is an invitation on its way. */
interface OnPull {
  id: number;
  isNamed: boolean;
}

/** The comments about a job, oldest first. */
async function commentsOn(
  job: string,
  place: Place,
  markers: JobMarkers,
  github: Octokit,
): Promise<OnPull[]> {
  const found: OnPull[] = [];
  for await (const { id, body } of newestComments(github, place)) {
    const verified = markers.verify(body, place);
    if (verified?.marker.job !== job) continue;
    const isNamed = verified.comment === id;
    const isDraft = verified.comment === null && verified.marker.later === undefined;
    if (isNamed || isDraft) found.push({ id, isNamed });
  }
  return found.sort((one, other) => one.id - other.id);
}
