import type { Log } from "../../runtime/log.ts";
import { pullRequestAt } from "../../text/link.ts";
import type { Connect } from "../api/connect.ts";
import { reasonOf, type Sent } from "../api/explain.ts";
import { unsentAfter } from "../api/sent.ts";
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
 * further requests there. It warns of what was not accepted.
 */
export async function invite(
  { requestedIn, phrase, link, marker }: Invitation,
  {
    serverUrl,
    repository,
    repositoryId,
  }: Pick<RunContext, "serverUrl" | "repository" | "repositoryId">,
  { connect, log, markers }: { connect: Connect; log: Log; markers: JobMarkers },
): Promise<Sent<unknown>> {
  // Jobs of version 1 accept no further requests.
  if (link === null || repository === null || marker.api !== "v2") return NOBODY;
  const pull = pullRequestAt(link, serverUrl);
  const isHere = pull?.repository.toLowerCase() === repository.toLowerCase();
  if (pull === null || !isHere || pull.number === requestedIn) return NOBODY;
  const place = { repository, repositoryId, issue: pull.number };
  const comments = new IssueComments(connect, place);
  const draft = `invitation ${marker.job}`;
  const text = renderInvitation(phrase, requestedIn);
  const isNamed = ({ body, id }: Comment) => markers.read(body, place, id)?.job === marker.job;
  const isOwn = (comment: Comment) =>
    isNamed(comment) || markers.isDraft(comment.body, place, draft);
  const post = async (): Promise<Sent<unknown>> => {
    const before = await comments.find(isOwn);
    if (before.type === "unread") return unsentAfter(before);
    if (before.type === "known" && isNamed(before.value)) return NOBODY;
    // A comment without a name is from a run that was killed.
    const first = markedText(text, markers.write(place, marker, draft));
    const begun = before.type === "known" ? before.value : await comments.create(first);
    if ("type" in begun && begun.type !== "accepted") return begun;
    const { id } = "type" in begun ? begun.value : begun;
    return await comments.edit(id, markedText(text, markers.write(place, marker, id)));
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
