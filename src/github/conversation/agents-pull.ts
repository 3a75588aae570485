import { ActionError } from "../../runtime/errors.ts";
import type { Connect } from "../api/connect.ts";
import { kindOfUnread } from "../api/explain.ts";
import { numberOrNull, type RunContext } from "../trigger/run-context.ts";
import { IssueComments } from "./comments.ts";
import type { JobMarker } from "./job-marker.ts";
import type { Markers } from "./markers.ts";

/**
 * Whether the event is about a pull request that the docs agent opened as an app of another name than the service's:
 * then the signed marker of an invitation is there.
 *
 * @throws ActionError if the comments cannot be read: by what is not known, nothing is started
 */
export async function isOnAgentsPull(
  { eventName, payload, repository, repositoryId }: RunContext,
  connect: Connect,
  markers: Markers<JobMarker>,
): Promise<boolean> {
  const pull = payload.pull_request;
  const issue = numberOrNull(pull?.number);
  const isPull = eventName === "pull_request" || eventName === "pull_request_target";
  const isByApp = isPull && pull?.user?.type === "Bot";
  if (!isByApp || issue === null || repository === null) return false;
  const comments = new IssueComments(connect, { repository, repositoryId, issue });
  for await (const comment of comments.marked(markers)) {
    if (comment.type === "unread") {
      throw new ActionError(
        kindOfUnread(comment),
        `Whether the docs agent opened #${issue} could not be read: ${comment.reason}.`,
        "Nothing was started. Run again when this is corrected.",
      );
    }
    if (comment.value.marker.ended === "unknown") return true;
  }
  return false;
}
