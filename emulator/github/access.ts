/** What a request needs: permissions of the token, and a role of whoever it belongs to. */

import { type Call, forbidden } from "./call.ts";
import type { Role } from "./people.ts";
import type { Permissions, Scope } from "./site.ts";

/**
 * By the path below the repository; the first match counts. One of the permissions is enough. The role is
 * that of a write; where it depends on who wrote what is changed, the route asks for it.
 */
const NEEDED: [path: RegExp, scopes: readonly Scope[], role: Role][] = [
  [/^\/pulls\/\d+\/merge$/, ["contents"], "write"],
  [/^\/pulls\/\d+\/requested_reviewers$/, ["pull_requests"], "triage"],
  [/^\/(pulls|commits\/[^/]+\/pulls)(\/|$)/, ["pull_requests"], "read"],
  // Comments and reactions are governed by what they belong to, an issue or a pull request.
  [/^\/issues\/(\d+\/(comments|reactions)|comments.*)$/, ["issues", "pull_requests"], "read"],
  [/^\/issues\/\d+\/(labels|assignees)(\/|$)/, ["issues", "pull_requests"], "triage"],
  [/^\/issues(\/|$)/, ["issues"], "read"],
  [/^\/(check-runs|commits\/.+\/check-runs)(\/|$)/, ["checks"], "write"],
  [/^\/(statuses|commits\/.+\/status(es)?)(\/|$)/, ["statuses"], "write"],
  [/^\/(branches|commits|compare|contents|git|releases|tags)(\/|$)/, ["contents"], "write"],
  [/^(\/collaborators\/[^/]+)?$/, [], "admin"],
];

/**
 * Refuses what a request has no permission for.
 *
 * @param path below the repository
 * @throws HttpError 401, 403
 */
export function checkAccess(call: Call, isRead: boolean, path: string, held: Permissions = {}) {
  const [, scopes, role] = NEEDED.find(([pattern]) => pattern.test(path)) ?? [null, [], "read"];
  if (!isRead) call.need(role);
  const isEnough = (scope: Scope) =>
    held[scope] === undefined || held[scope] === "write" || (isRead && held[scope] === "read");
  if (scopes.length > 0 && !scopes.some(isEnough)) throw forbidden();
}
