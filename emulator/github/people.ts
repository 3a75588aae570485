/** The accounts of the local world, named after their roles. */

/** Roles in a repository, from the least rights to the most. */
export const ROLES = ["none", "read", "triage", "write", "maintain", "admin"] as const;

export type Role = (typeof ROLES)[number];

/** Owner of the organization, with every right. */
export const OWNER = "octocat";

/** The account of a workflow's token. */
export const WORKFLOW = "github-actions[bot]";

/** The account with which the documentation agent opens pull requests. */
export const AGENT = "docs-agent[bot]";

/** The app that reports checks of pull requests. */
export const CHECKS = "ci[bot]";

/** Accounts with a role in each repository. */
export const COLLABORATORS: Record<string, Role> = {
  [OWNER]: "admin",
  maintainer: "maintain",
  writer: "write",
  triager: "triage",
  reader: "read",
  [WORKFLOW]: "write",
  [AGENT]: "write",
  [CHECKS]: "write",
};

export const LOGINS = [...Object.keys(COLLABORATORS), "outsider"];

export function tokenOf(login: string): string {
  return `ghs_local_${login.replaceAll(/\W+/g, "_").replace(/_$/, "")}`;
}
