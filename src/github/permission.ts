import type { Connect } from "./connect.ts";
import { explainRefusal } from "./refusal.ts";
import { checkRequester, type Denial, type Named } from "./requester.ts";
import { owned } from "./rest.ts";
import type { RunContext } from "./run-context.ts";
import { triggeringPost } from "./trigger.ts";

/** Permissions on a repository, from the lowest. */
export const PERMISSIONS = ["read", "triage", "write", "maintain", "admin"] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** `isPassing`: a later request may get another answer. */
type PermissionCheck = { isAllowed: true } | ({ isAllowed: false; isPassing: boolean } & Denial);

/**
 * Whether an account has at least the required permission. Fails closed: no answer means no permission.
 *
 * @param repository `owner/name`
 */
export async function checkPermission(
  connect: Connect,
  repository: string,
  login: string,
  required: Permission,
): Promise<PermissionCheck> {
  const github = await connect();
  try {
    const { data } = await github.request(
      "GET /repos/{owner}/{repo}/collaborators/{username}/permission",
      { ...owned({ repository }), username: login },
    );
    const permission = permissionOf(data ?? {});
    if (reaches(permission, required)) return { isAllowed: true };
    return {
      isAllowed: false,
      isPassing: false,
      why: `\`${login}\` has ${permission === null ? "no" : `\`${permission}\``} permission on \`${repository}\`, and \`${required}\` is required`,
      advice: `Someone with this permission can make the request. To allow \`${login}\`, add them to \`allowed-users\`, or lower \`required-permission\`.`,
    };
  } catch (error) {
    return notRead(`the permission of \`${login}\``, error, "metadata: read");
  }
}

/**
 * Asks GitHub whether an app posted the issue or comment on behalf of a person, if the event does not say so.
 * GitHub never says so of reviews and their comments.
 */
export async function checkApp(
  connect: Connect,
  context: RunContext,
  named: Named,
): Promise<PermissionCheck> {
  const { eventName, payload, repository } = context;
  const post = triggeringPost(context) ?? {};
  const ofComment = eventName === "issue_comment" && `issues/comments/${post.id}`;
  const path = eventName === "issues" ? `issues/${payload.issue?.number}` : ofComment;
  if (path === false || post.performed_via_github_app !== undefined) return { isAllowed: true };
  const github = await connect();
  try {
    const { data } = await github.request(`GET /repos/${repository}/${path}`);
    const performed_via_github_app = data.performed_via_github_app ?? null;
    const requester = checkRequester({ ...post, performed_via_github_app }, payload.sender, named);
    return requester.type === "refused"
      ? { ...requester, isAllowed: false, isPassing: false }
      : { isAllowed: true };
  } catch (error) {
    return notRead("whether an app wrote it", error, "issues: read");
  }
}

function notRead(what: string, error: unknown, permission: string): PermissionCheck {
  const { why, isPassing } = explainRefusal(error, permission);
  const advice = "Correct this, and make the request again.";
  return { isAllowed: false, why: `${what} could not be read: ${why}`, advice, isPassing };
}

/**
 * The permission in GitHub's answer. `role_name` distinguishes triage and maintain, which
 * `permission` counts as read and write; a custom role is judged by its base, `permission`.
 */
export function permissionOf(answer: {
  permission?: unknown;
  role_name?: unknown;
}): Permission | null {
  return asPermission(answer.role_name) ?? asPermission(answer.permission);
}

function asPermission(name: unknown): Permission | null {
  return PERMISSIONS.find((permission) => permission === name) ?? null;
}

/** Whether a permission is the required one or a higher one. */
export function reaches(permission: Permission | null, required: Permission): boolean {
  return permission !== null && PERMISSIONS.indexOf(permission) >= PERMISSIONS.indexOf(required);
}
