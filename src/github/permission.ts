import type { Connect } from "./connect.ts";
import { explainRefusal } from "./refusal.ts";

/** Permissions on a repository, from the lowest. */
export const PERMISSIONS = ["read", "triage", "write", "maintain", "admin"] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** `isPassing`: GitHub may tell later. */
export type PermissionCheck =
  | { isAllowed: true }
  | { isAllowed: false; why: string; isPassing: boolean };

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
    const permission = permissionOf(data);
    if (reaches(permission, required)) return { isAllowed: true };
    return {
      isAllowed: false,
      isPassing: false,
      why: `${login} has ${permission ?? "no"} permission on ${repository}, and ${required} is required`,
    };
  } catch (error) {
    const { why, isPassing } = explainRefusal(error, "metadata: read");
    const what = `the permission of ${login} could not be read: ${why}`;
    return { isAllowed: false, why: what, isPassing };
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
