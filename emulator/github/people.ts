/** The people of the local world: roles, not persons. */

/** Who has which permission on the world's repository; `outsider` has none. */
export const PERMISSIONS = {
  maintainer: "maintain",
  writer: "push",
  triager: "triage",
  reader: "pull",
  "github-actions[bot]": "push",
  "docs-agent[bot]": "push",
} as const;

/** Owner of the organization, with every right. */
export const OWNER = "octocat";

/** The account of a workflow's own token. */
export const WORKFLOW = "github-actions[bot]";

/** The account by which the documentation agent opens pull requests. */
export const AGENT = "docs-agent[bot]";

const LOGINS = [OWNER, ...Object.keys(PERMISSIONS), "outsider"];

/** The token of a person of the local world. */
export function tokenOf(login: string): string {
  return `ghs_local_${login.replaceAll(/\W+/g, "_").replace(/_$/, "")}`;
}

/** Every token, with whom it stands for. */
export const TOKENS: Record<string, { login: string; scopes: string[] }> = Object.fromEntries(
  LOGINS.map((login) => [tokenOf(login), { login, scopes: ["repo", "user", "admin:org"] }]),
);

/** A seed for GitHub's emulator: the people, and a repository that is empty but for its README. */
export function githubSeed(repository: string) {
  const [owner = "", name = ""] = repository.split("/");
  return {
    users: LOGINS.map((login) => ({ login })),
    orgs: [{ login: owner, members: [{ login: OWNER, role: "admin" as const }] }],
    repos: [{ owner, name, description: "The documentation", auto_init: true }],
  };
}
