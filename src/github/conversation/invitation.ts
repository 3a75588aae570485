import type { Log } from "../../runtime/log.ts";
import { pullRequestAt } from "../../text/link.ts";
import type { Connect } from "../api/connect.ts";
import { type Refusal, refusalOf } from "../api/refusal.ts";
import type { RunContext } from "../trigger/run-context.ts";
import { renderInvitation } from "./comment-text.ts";
import { type Comment, IssueComments } from "./comments.ts";
import { markedText } from "./feedback.ts";
import type { JobMarkers, MarkerWithJob } from "./job-marker.ts";

interface Invitation {
  /** The issue or pull request where the job was requested; null if there is none. */
  requestedIn: number | null;
  phrase: string;
  /** The pull request's address, checked; null if there is none. */
  link: string | null;
  marker: MarkerWithJob;
}

/**
 * Comments once on the pull request of a job that was requested by phrase, if it is in this repository, to invite to
 * further requests there. It returns a refusal, after a warning.
 */
export async function invite(
  { requestedIn, phrase, link, marker }: Invitation,
  {
    serverUrl,
    repository,
    repositoryId,
  }: Pick<RunContext, "serverUrl" | "repository" | "repositoryId">,
  { connect, log, markers }: { connect: Connect; log: Log; markers: JobMarkers },
): Promise<Refusal | null> {
  // Jobs of version 1 accept no further requests.
  if (link === null || repository === null || marker.api !== "v2") return null;
  const pull = pullRequestAt(link, serverUrl);
  const isHere = pull?.repository.toLowerCase() === repository.toLowerCase();
  if (pull === null || !isHere || pull.number === requestedIn) return null;
  const place = { repository, repositoryId, issue: pull.number };
  const comments = new IssueComments(connect, place);
  const draft = `invitation ${marker.job}`;
  const text = renderInvitation(phrase, requestedIn);
  const isNamed = ({ body, id }: Comment) => markers.read(body, place, id)?.job === marker.job;
  const isOwn = (comment: Comment) =>
    isNamed(comment) || markers.isDraft(comment.body, place, draft);
  const post = async () => {
    const before = await comments.find(isOwn);
    if (before !== null && isNamed(before)) return;
    // A comment without a name is from a run that was killed.
    const first = markedText(text, markers.write(place, marker, draft));
    const { id } = before ?? (await comments.create(first));
    await comments.edit(id, markedText(text, markers.write(place, marker, id)));
  };
  const refusal = await refusalOf(post, ["pull-requests: write"]);
  if (refusal !== null) {
    log.warning(
      `The pull request could not be commented on: ${refusal.reason}. The job is not affected.`,
    );
  }
  return refusal;
}
