import type { Connect } from "./connect.ts";
import { explainRefusal } from "./refusal.ts";

/** Permissions on a repository, from the lowest. */
export const LEVELS = ["read", "triage", "write", "maintain", "admin"] as const;

export type Level = (typeof LEVELS)[number];

export type Admission = { isAllowed: true } | { isAllowed: false; why: string };

/**
 * Whether an account has at least the required permission. It has not when GitHub does not say so.
 *
 * @param repository `owner/name`
 */
export async function admit(
  connect: Connect,
  repository: string,
  login: string,
  required: Level,
): Promise<Admission> {
  const [owner = "", repo = ""] = repository.split("/");
  try {
    const github = await connect();
    const { data } = await github.request(
      "GET /repos/{owner}/{repo}/collaborators/{username}/permission",
      { owner, repo, username: login },
    );
    const level = levelOf(data);
    if (reaches(level, required)) return { isAllowed: true };
    return {
      isAllowed: false,
      why: `${login} has ${level ?? "no"} permission on ${repository}, and ${required} is required`,
    };
  } catch (error) {
    const { why } = explainRefusal(error, "metadata: read");
    return { isAllowed: false, why: `the permission of ${login} could not be read: ${why}` };
  }
}

/**
 * The level that GitHub's answer stands for. `role_name` tells triage and maintain apart, which
 * `permission` counts as read and write; a custom role is judged by its base, `permission`.
 */
export function levelOf(answer: { permission?: unknown; role_name?: unknown }): Level | null {
  return asLevel(answer.role_name) ?? asLevel(answer.permission);
}

function asLevel(name: unknown): Level | null {
  return LEVELS.find((level) => level === name) ?? null;
}

/** Whether a level is the required one or a higher one. */
export function reaches(level: Level | null, required: Level): boolean {
  return level !== null && LEVELS.indexOf(level) >= LEVELS.indexOf(required);
}
