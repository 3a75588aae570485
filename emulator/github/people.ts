/** The accounts of the local world, named after their roles. */

/** Permissions on the repository; `outsider` has none. */
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

/** The account of a workflow's token. */
export const WORKFLOW = "github-actions[bot]";

/** The account with which the documentation agent opens pull requests. */
export const AGENT = "docs-agent[bot]";

const LOGINS = [OWNER, ...Object.keys(PERMISSIONS), "outsider"];

/** The token of an account. */
export function tokenOf(login: string): string {
  return `ghs_local_${login.replaceAll(/\W+/g, "_").replace(/_$/, "")}`;
}

/**
 * Tokens for what GitHub does by itself. GitHub's own emulator takes 5,000 requests an hour with each
 * token, and what is done within should not count as anybody's.
 */
export const SITE_TOKENS = Array.from({ length: 20 }, (_, index) => `ghs_local_site_${index}`);

/** Every token, with its account. */
export const TOKENS: Record<string, { login: string; scopes: string[] }> = Object.fromEntries(
  [
    ...LOGINS.map((login) => [tokenOf(login), login] as const),
    ...SITE_TOKENS.map((token) => [token, OWNER] as const),
  ].map(([token, login]) => [token, { login, scopes: ["repo", "user", "admin:org"] }]),
);

/** A seed for GitHub's own emulator: the accounts, and a repository with nothing but a README. */
export function githubSeed(repository: string) {
  const [owner = "", name = ""] = repository.split("/");
  return {
    users: LOGINS.map((login) => ({ login })),
    orgs: [{ login: owner, members: [{ login: OWNER, role: "admin" as const }] }],
    repos: [{ owner, name, description: "The documentation", auto_init: true }],
  };
}
