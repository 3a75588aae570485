/** Who a docs pull request and its commits are by. */

import type { CommitsAnswer, PersonAnswer } from "./docs-pull-answer.ts";
import type { AccountAnswer } from "./docs-pull-words.ts";

/** Empty if the account was deleted. */
export function loginOf(account: AccountAnswer): string {
  return account?.login ?? "";
}

/** In lower case; empty if there is none. */
export function emailOf(person: PersonAnswer): string {
  return person === null || person === undefined ? "" : person.email.toLowerCase();
}

/** GitHub's own address, the committer of commits that people make on its pages. */
const WEB_FLOW = "noreply@github.com";

/**
 * Whether anyone other than the agent has committed. The agent is the pull request's author, and the author of its first
 * commit. True if the history is too long to be read.
 */
export function isEditedByOthers(
  author: string,
  firstAuthor: string,
  commits: CommitsAnswer,
): boolean {
  const own = withoutBot(author);
  const isOwn = (person: PersonAnswer) => {
    const email = emailOf(person);
    const [, named = ""] = /^(?:\d+\+)?(.+)@users\.noreply\.github\.com$/.exec(email) ?? [];
    const name = withoutBot(loginOf(person?.user) || named);
    return (name !== "" && name === own) || (email !== "" && email === firstAuthor);
  };
  const isByAgent = ({ commit: { author, committer } }: CommitsAnswer["nodes"][number]) =>
    isOwn(author) && (emailOf(committer) === WEB_FLOW || isOwn(committer));
  return commits.totalCount > commits.nodes.length || !commits.nodes.every(isByAgent);
}

function withoutBot(login: string): string {
  return login.replace(/\[bot\]$/, "").toLowerCase();
}
