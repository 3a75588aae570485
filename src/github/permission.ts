import type { Connect } from "./connect.ts";
import { explainRefusal } from "./refusal.ts";
import type { RunContext } from "./run-context.ts";

/** Permissions on a repository, from the lowest. */
export const PERMISSIONS = ["read", "triage", "write", "maintain", "admin"] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** `isPassing`: GitHub may say something else a moment later. */
export type PermissionCheck =
  | { isAllowed: true }
  | { isAllowed: false; why: string; isPassing?: boolean };

/**
 * Whether an account has at least the required permission. Fails closed: if GitHub does not say so, it has not.
 *
 * @param repository `owner/name`
 */
export async function checkPermission(
  connect: Connect,
  repository: string,
  login: string,
  required: Permission,
): Promise<PermissionCheck> {
  const [owner = "", repo = ""] = repository.split("/");
  const github = await connect();
  try {
    const { data } = await github.request(
      "GET /repos/{owner}/{repo}/collaborators/{username}/permission",
      { owner, repo, username: login },
    );
    const permission = permissionOf(data ?? {});
    if (reaches(permission, required)) return { isAllowed: true };
    return {
      isAllowed: false,
      why: `${login} has ${permission ?? "no"} permission on ${repository}, and ${required} is required`,
    };
  } catch (error) {
    const { why, isPassing, isLimit = false } = explainRefusal(error, "metadata: read");
    const what = `the permission of ${login} could not be read: ${why}`;
    return { isAllowed: false, why: what, isPassing: isPassing || isLimit };
  }
}

/**
 * The app that wrote an issue, or a comment on one, in a person's name, for an event that does not tell. Null when
 * GitHub names none; of reviews and their comments it names none to anybody.
 */
export async function readApp(
  connect: Connect,
  { eventName, payload: { comment, issue }, repository }: RunContext,
): Promise<{ slug?: string } | null> {
  const id = eventName === "issue_comment" ? comment?.id : undefined;
  const number = eventName === "issues" ? issue?.number : undefined;
  if (id === undefined && number === undefined) return null;
  const path = id === undefined ? `issues/${number}` : `issues/comments/${id}`;
  try {
    const github = await connect();
    const { data } = await github.request(`GET /repos/${repository}/${path}`);
    return data.performed_via_github_app ?? null;
  } catch {
    return null;
  }
}

/**
 * The permission that GitHub's answer stands for. `role_name` tells triage and maintain apart, which
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
