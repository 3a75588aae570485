import type { Log } from "../runtime/log.ts";
import { pullRequestAt } from "../text/link.ts";
import { renderInvitation } from "./comment-text.ts";
import { type Comment, IssueComments } from "./comments.ts";
import type { Connect } from "./connect.ts";
import { markedText } from "./feedback.ts";
import type { JobMarker, JobMarkers } from "./job-marker.ts";
import { type Refusal, refusalOf } from "./refusal.ts";
import type { RunContext } from "./run-context.ts";

interface Invitation {
  /** The issue or pull request where the job was requested; null if there is none. */
  requestedIn: number | null;
  phrase: string;
  /** The pull request's address, checked; null if there is none. */
  link: string | null;
  marker: JobMarker;
}

/**
 * Comments once on the pull request of a job that was requested by phrase, if it is in this repository, to invite to
 * further requests there. Never throws. It returns a refusal, after a warning.
 */
export async function invite(
  { requestedIn, phrase, link, marker }: Invitation,
  { serverUrl, repository }: Pick<RunContext, "serverUrl" | "repository">,
  { connect, log, markers }: { connect: Connect; log: Log; markers: JobMarkers },
): Promise<Refusal | null> {
  // Jobs of version 1 accept no further requests.
  if (link === null || marker.api !== "v2") return null;
  const pull = pullRequestAt(link, serverUrl);
  const isHere = pull?.repository.toLowerCase() === repository.toLowerCase();
  if (pull === null || !isHere || pull.number === requestedIn) return null;
  const place = { repository, issue: pull.number };
  const comments = new IssueComments(connect, place);
  const draft = `invitation ${marker.job}`;
  const text = renderInvitation(phrase, requestedIn);
  const isNamed = ({ body, id }: Comment) => markers.read(body, place, id)?.job === marker.job;
  const find = () =>
    comments.oldest((one) => isNamed(one) || markers.isDraft(one.body, place, draft));
  const name = (id: number) =>
    comments.edit(id, markedText(text, markers.write(place, marker, id)));
  const post = async () => {
    const before = await find();
    if (before !== null && isNamed(before)) return;
    // A comment without a name is from a run that was killed, or that is still writing it.
    const first = markedText(text, markers.write(place, marker, draft));
    const { id } = before ?? (await comments.create(first));
    await name(id);
    // Another run of the same job may have commented at the same time. The oldest comment stays.
    const oldest = await find();
    if (oldest === null || oldest.id >= id) return;
    if (!isNamed(oldest)) await name(oldest.id);
    await comments.delete(id);
  };
  const refusal = await refusalOf(post, "pull-requests: write");
  if (refusal !== null) {
    log.warning(
      `The pull request could not be commented on: ${refusal.why}. The job is not affected.`,
    );
  }
  return refusal;
}
