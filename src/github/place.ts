import type { Gate } from "../inputs/gate.ts";
import { type Given, isOnPullRequest, triggeringSubject } from "./given.ts";
import type { Place } from "./marker.ts";

/** Where a run's comment stands; null when there is nowhere, or none is wanted. */
export function commentPlace(
  { comment, issueNumber }: Pick<Gate, "comment" | "issueNumber">,
  given: Given,
): Place | null {
  const issue = issueNumber ?? triggeringSubject(given)?.number;
  const { repository } = given;
  return comment && issue !== undefined && repository !== "" ? { repository, issue } : null;
}

/** The permission that a token needs for the run's comment and reactions. */
export function permissionFor({ issueNumber }: Pick<Gate, "issueNumber">, given: Given): string {
  if (issueNumber !== null) return "issues: write` or `pull-requests: write";
  return isOnPullRequest(given) ? "pull-requests: write" : "issues: write";
}
