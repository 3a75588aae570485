import type { Log } from "../runtime/log.ts";
import { ownPullNumber } from "../text/link.ts";
import { createComment, editComment, newestComments } from "./comments.ts";
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
  { requestedIn, phrase, link, marker }: Invitation,
  { serverUrl, repository }: Pick<RunContext, "serverUrl" | "repository">,
  { connect, log, markers }: { connect: Connect; log: Log; markers: JobMarkers },
): Promise<Refusal | null> {
  const issue = ownPullNumber(link, serverUrl, repository);
  if (issue === null || issue === requestedIn) return null;
  const place: Place = { repository, issue };
  const draft = `invitation ${marker.job}`;
  const text = renderInvitation(phrase, requestedIn);
  try {
    const github = await connect();
    let begun: { id: number } | undefined;
    for await (const { id, body } of newestComments(github, place)) {
      if (markers.read(body, place, id)?.job === marker.job) return null;
      // A run that was killed left it without its ID.
      if (markers.isDraft(body, place, draft)) begun = { id };
    }
    const first = markedText(text, markers.writeDraft(place, marker, draft));
    const { id } = begun ?? (await createComment(github, place, first));
    await editComment(github, place, id, markedText(text, markers.write(place, marker, id)));
    return null;
  } catch (error) {
    const refusal = explainRefusal(error, "pull-requests: write");
    const { why } = refusal;
    log.warning(`The pull request could not be commented on: ${why}. The job is not affected.`);
    return refusal;
  }
}
