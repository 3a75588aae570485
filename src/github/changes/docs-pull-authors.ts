/** Who a docs pull request and its commits are by. */

import type {
  AccountAnswer,
  CommitsAnswer,
  IdentifiedAnswer,
  PersonAnswer,
} from "./docs-pull-answer.ts";

/** The ID in the REST API, which ledgers contain; if there is none, the one in GraphQL. */
export function idOf({ id, databaseId }: IdentifiedAnswer): string {
  return String(databaseId ?? id);
}

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

type CommitAnswer = CommitsAnswer["nodes"][number]["commit"];

/** Whose commits count as the agent's. */
interface Agent {
  /** Login of the pull request's author. */
  author: string;
  /** E-mail address of the author of its first commit. */
  firstAuthor: string;
  allowedCommitters: readonly string[];
}

/**
 * Whether anyone else than the agent has committed, apart from GitHub's own merges of the base. True if the history is
 * too long to be read.
 */
export function isEditedByOthers(
  commits: CommitsAnswer,
  base: string,
  { author, firstAuthor, allowedCommitters }: Agent,
): boolean {
  const own = [author, ...allowedCommitters].map(withoutBot).filter((name) => name !== "");
  const isOwn = (person: PersonAnswer) => {
    const email = emailOf(person);
    const [, named = ""] = /^(?:\d+\+)?(.+)@users\.noreply\.github\.com$/.exec(email) ?? [];
    const name = withoutBot(loginOf(person?.user) || named);
    return own.includes(name) || (email !== "" && email === firstAuthor);
  };
  const isByAgent = ({ author, committer }: CommitAnswer) =>
    isOwn(author) && (emailOf(committer) === WEB_FLOW || isOwn(committer));
  return (
    commits.totalCount > commits.nodes.length ||
    !commits.nodes.every(({ commit }) => isByAgent(commit) || isUpdate(commit, base))
  );
}

/** Whether GitHub made a commit to bring the branch up to date: a merge of its base. */
function isUpdate({ title, parents, committer }: CommitAnswer, base: string): boolean {
  const isOfBase = title.startsWith(`Merge branch '${base}' into `);
  return parents.totalCount === 2 && isOfBase && emailOf(committer) === WEB_FLOW;
}

/**
 * The head, and the commits since which GitHub only merged the base into the branch, newest first. Only the head if the
 * list of commits does not end with it: GitHub lists the oldest 100, and may be behind.
 */
export function headsBeforeUpdates(
  { nodes }: CommitsAnswer,
  { base, head }: { base: string; head: string },
): string[] {
  if (nodes.at(-1)?.commit.oid !== head) return [head];
  const last = nodes.findLastIndex(({ commit }) => !isUpdate(commit, base));
  return nodes
    .slice(Math.max(last, 0))
    .map(({ commit }) => commit.oid)
    .reverse();
}

function withoutBot(login: string): string {
  return login.replace(/\[bot\]$/, "").toLowerCase();
}
