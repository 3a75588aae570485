import type { Log } from "../runtime/log.ts";
import { ownPullNumber } from "../text/link.ts";
import {
  createComment,
  deleteComment,
  editComment,
  type MarkedComment,
  markedComments,
} from "./comments.ts";
import type { Connect } from "./connect.ts";
import type { JobMarker, JobMarkers } from "./job-marker.ts";
import type { Place } from "./markers.ts";
import { explainRefusal } from "./refusal.ts";
import { renderInvitation } from "./report.ts";
import type { RunContext } from "./run-context.ts";

export interface Invitation {
  /** The issue or pull request where the job was asked for; null when there is none. */
  askedIn: number | null;
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
 * Comments, once, on the pull request of a job that was asked for by phrase, so that the conversation can
 * go on there. Does nothing for a pull request of another repository. Never throws.
 */
export async function invite(
  { askedIn, phrase, link, marker, draft }: Invitation,
  { serverUrl, repository }: Pick<RunContext, "serverUrl" | "repository">,
  { connect, log, markers }: { connect: Connect; log: Log; markers: JobMarkers },
): Promise<void> {
  const issue = ownPullNumber(link, serverUrl, repository);
  if (issue === null || issue === askedIn) return;
  const place: Place = { repository, issue };
  try {
    const github = await connect();
    const existing = () => commentsOn(marker.job, markedComments(github, place, markers));
    if ((await existing()).length > 0) return;
    const text = renderInvitation(phrase, askedIn);
    const first = `${text}\n\n${markers.writeDraft(place, marker, draft)}`;
    const own = await createComment(github, place, first);
    const body = `${text}\n\n${markers.write(place, marker, own.id)}`;
    await editComment(github, place, own.id, body);
    // Another run of the same job may have done so at the same moment: the first one stays.
    const oldest = Math.min(...(await existing()));
    if (oldest < own.id) await deleteComment(github, place, own.id);
  } catch (error) {
    const { why } = explainRefusal(error, "pull-requests: write");
    log.warning(`The pull request could not be commented on: ${why}. The job is not affected.`);
  }
}

/** Ids of the comments about a job. */
async function commentsOn(
  job: string,
  found: AsyncIterable<MarkedComment<JobMarker>>,
): Promise<number[]> {
  const ids: number[] = [];
  for await (const { comment, marker } of found) if (marker.job === job) ids.push(comment.id);
  return ids;
}
