/** Names and addresses of commits. */

import type { Signature } from "./git/objects.ts";

/** With what name and address GitHub itself commits, and where accounts have theirs. */
export interface Identity {
  name: string;
  email: string;
  /** Host of the addresses of accounts. */
  host: string;
}

export const GITHUB_COM: Identity = {
  name: "GitHub",
  email: "noreply@github.com",
  host: "users.noreply.github.com",
};

/** Of a server of its own. @param host of its pages */
export function enterpriseIdentity(host: string): Identity {
  return {
    name: "GitHub Enterprise",
    email: `noreply@${host}`,
    host: `users.noreply.${host}`,
  };
}

/** Author or committer of a commit. @param login `GitHub` for GitHub itself */
export function signature(identity: Identity, login: string, at: number): Signature {
  if (login === "GitHub") return { name: identity.name, email: identity.email, at };
  return { name: login, email: `${login}@${identity.host}`, at };
}

/** Login of the account that an address belongs to; empty if it is of nobody here. */
export function loginByEmail(identity: Identity, email: string): string {
  const [name = "", host] = email.split("@");
  return host === identity.host ? name.replace(/^\d+\+/, "") : "";
}
