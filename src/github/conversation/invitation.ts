import type { Fact } from "../../runtime/fact.ts";
import type { Log } from "../../runtime/log.ts";
import { pullRequestAt } from "../../text/link.ts";
import type { Connect } from "../api/connect.ts";
import { reasonOf, type Sent } from "../api/explain.ts";
import { unsentAfter } from "../api/sent.ts";
import { renderInvitation } from "./comment-text.ts";
import { type Comment, type CommentRef, IssueComments, type MarkedComment } from "./comments.ts";
import { markedText } from "./feedback.ts";
import type { JobMarker, MarkerWithJob } from "./job-marker.ts";
import type { CommentDraft, Markers, Place } from "./markers.ts";

/**
 * Comments once on the pull request of a job that was requested by phrase, if it is in this repository, to invite to
 * further requests there, or finishes the comment that a lost run began. It warns of what was not accepted.
 *
 * @param invitation `requestedIn`: where the job was requested; null for no issue or pull request. `link`: the pull
 * request's address, checked; null if there is none. `draft`: names the comment before it has an ID
 */
export async function invite(
  invitation: {
    requestedIn: number | null;
    phrase: string;
    link: string | null;
    draft: string;
    marker: MarkerWithJob;
  },
  place: { serverUrl: string; repository: string | null; repositoryId: number | null },
  { connect, log, markers }: { connect: Connect; log: Log; markers: Markers<JobMarker> },
): Promise<Sent<unknown>> {
  const { requestedIn, phrase, link, draft, marker } = invitation;
  const { serverUrl, repository, repositoryId } = place;
  // Jobs of version 1 accept no further requests.
  if (link === null || repository === null || marker.api !== "v2") return NOBODY;
  const pull = pullRequestAt(link, serverUrl);
  const isHere = pull?.repository.toLowerCase() === repository.toLowerCase();
  if (pull === null || !isHere || pull.number === requestedIn) return NOBODY;
  const there = { repository, repositoryId, issue: pull.number };
  const comments = new IssueComments(connect, there);
  const text = renderInvitation(phrase, requestedIn);
  const post = async (): Promise<Sent<unknown>> => {
    const before = await invitationIn(comments, there, markers, marker.job);
    if (before === "invited") return NOBODY;
    if (before.type === "unread") return unsentAfter(before);
    const begun: Sent<CommentRef> =
      before.type === "known"
        ? { type: "accepted", value: before.value.comment }
        : await comments.create(markedText(text, markers.write(there, marker, draft)));
    if (begun.type !== "accepted") return begun;
    const { id } = begun.value;
    return await comments.edit(id, markedText(text, markers.write(there, marker, id)));
  };
  const sent = await post();
  if (sent.type !== "accepted") {
    const reason = reasonOf(sent);
    log.warning(`The pull request could not be commented on: ${reason}. The job is not affected.`);
  }
  return sent;
}

/** Nobody is to be invited, or was invited before. */
const NOBODY = { type: "accepted", value: null } as const;

/** `invited`: a comment of the job is there. Otherwise the invitation that a lost run could not name. */
async function invitationIn(
  comments: IssueComments,
  there: Place,
  markers: Markers<JobMarker>,
  job: string,
): Promise<"invited" | Fact<MarkedComment<JobMarker>>> {
  // All are from one reading: another run may name its invitation meanwhile.
  const read: Comment[] = [];
  for await (const comment of comments.newest()) {
    if (comment.type === "unread") return comment;
    const { body, id } = comment.value;
    if (markers.read(body, there, id)?.job === job) return "invited";
    read.push(comment.value);
  }
  const isInvitation = ({ marker }: CommentDraft<JobMarker>) =>
    marker.job === job && marker.ended === "unknown" && marker.later === undefined;
  return await comments.draft(markers, isInvitation, read);
}
