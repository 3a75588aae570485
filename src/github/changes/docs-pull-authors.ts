/** Who a docs pull request and its commits are by. */

import type { AccountAnswer, CommitsAnswer, PersonAnswer } from "./docs-pull-answer.ts";

/** Empty if the account was deleted. */
export function loginOf(account: AccountAnswer): string {
  return account?.login ?? "";
}

/** In lower case; empty if there is none. */
export function emailOf(person: PersonAnswer): string {
  return person === null || person === undefined ? "" : person.email.toLowerCase();
}

/** The address of github.com itself, the committer of commits that people make on its pages. */
const WEB_FLOW = "noreply@github.com";

/**
 * Whether an address is GitHub's own. An administrator of a server sets it: `noreply@HOST` by default, or one of the
 * domain that the server is in.
 */
function isOfServer(email: string, host: string): boolean {
  const [, domain = ""] = /^no-?reply@([^@]+\.[^@]+)$/.exec(email) ?? [];
  return email === WEB_FLOW || domain === host || (domain !== "" && host.endsWith(`.${domain}`));
}

/** The account in an address that GitHub gives to accounts; empty for any other address. */
function accountIn(email: string, host: string): string {
  const [, account = "", server] = /^(?:\d+\+)?([^@]+)@users\.noreply\.([^@]+)$/.exec(email) ?? [];
  return server === "github.com" || server === host ? account : "";
}

/**
 * Whether anyone other than the agent has committed. The agent is the pull request's author, and the author of its first
 * commit. True if the history is too long to be read.
 *
 * @param url of the pull request: addresses at its server are GitHub's
 */
export function isEditedByOthers(
  author: string,
  firstAuthor: string,
  commits: CommitsAnswer,
  url: string,
): boolean {
  const own = withoutBot(author);
  const host = URL.parse(url)?.hostname ?? "";
  const isOwn = (person: PersonAnswer) => {
    const email = emailOf(person);
    const name = withoutBot(loginOf(person?.user) || accountIn(email, host));
    return (name !== "" && name === own) || (email !== "" && email === firstAuthor);
  };
  const isByAgent = ({ commit: { author, committer } }: CommitsAnswer["nodes"][number]) =>
    isOwn(author) && (isOfServer(emailOf(committer), host) || isOwn(committer));
  return commits.totalCount > commits.nodes.length || !commits.nodes.every(isByAgent);
}

function withoutBot(login: string): string {
  return login.replace(/\[bot\]$/, "").toLowerCase();
}
