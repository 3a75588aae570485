/** Who a docs pull request and its commits are by. */

import type * as z from "zod/mini";
import type * as docsPullAnswers from "../api/answers/docs-pull.ts";
import type * as wordAnswers from "../api/answers/docs-pull-words.ts";

/** Null if the account was deleted. */
export function loginOf(account: z.infer<typeof wordAnswers.accountAnswer>): string | null {
  return account?.login ?? null;
}

/** In lower case; null if there is none. */
export function emailOf(person: z.infer<typeof docsPullAnswers.person>): string | null {
  const email = person?.email.toLowerCase();
  return email === undefined || email === "" ? null : email;
}

/** The address of github.com itself, the committer of commits that people make on its pages. */
const WEB_FLOW = "noreply@github.com";

type CommitAnswer = z.infer<typeof docsPullAnswers.commits>["nodes"][number]["commit"];

/** Whose commits count as the agent's. */
interface Agent {
  /** Login of the pull request's author; null if the account was deleted. */
  author: string | null;
  /** E-mail address of the author of its first commit; null if there is none. */
  firstAuthor: string | null;
  allowedCommitters: readonly string[];
}

/**
 * Whether an address is GitHub's own. An administrator of a server sets it: `noreply@HOST` by default, or one of the
 * domain that the server is in.
 */
function isOfServer(email: string | null, host: string): boolean {
  if (email === null) return false;
  const [, domain = ""] = /^no-?reply@([^@]+\.[^@]+)$/.exec(email) ?? [];
  return email === WEB_FLOW || domain === host || (domain !== "" && host.endsWith(`.${domain}`));
}

/** The account in an address that GitHub gives to accounts; null for any other address. */
function accountIn(email: string | null, host: string): string | null {
  if (email === null) return null;
  const [, account = null, server] =
    /^(?:\d+\+)?([^@]+)@users\.noreply\.([^@]+)$/.exec(email) ?? [];
  return server === "github.com" || server === host ? account : null;
}

/**
 * Whether anyone else than the agent has committed, apart from GitHub's own merges of the base. True if the history is
 * too long to be read.
 */
export function isEditedByOthers(
  commits: z.infer<typeof docsPullAnswers.commits>,
  { base, url }: { base: string; url: string },
  { author, firstAuthor, allowedCommitters }: Agent,
): boolean {
  const host = hostOf(url);
  const own = (author === null ? allowedCommitters : [author, ...allowedCommitters]).map(
    withoutBot,
  );
  const isOwn = (person: z.infer<typeof docsPullAnswers.person>) => {
    const email = emailOf(person);
    const name = loginOf(person?.user) ?? accountIn(email, host);
    const isNamed = name !== null && own.includes(withoutBot(name));
    return isNamed || (email !== null && email === firstAuthor);
  };
  const isByAgent = ({ author, committer }: CommitAnswer) =>
    isOwn(author) && (isOfServer(emailOf(committer), host) || isOwn(committer));
  return (
    commits.totalCount > commits.nodes.length ||
    !commits.nodes.every(({ commit }) => isByAgent(commit) || isUpdate(commit, base, host))
  );
}

/** Whether GitHub made a commit to bring the branch up to date: a merge of its base. */
function isUpdate(
  { title, parents, committer }: CommitAnswer,
  base: string,
  host: string,
): boolean {
  const isOfBase = title.startsWith(`Merge branch '${base}' into `);
  return parents.totalCount === 2 && isOfBase && isOfServer(emailOf(committer), host);
}

/**
 * The head, and the commits since which GitHub only merged the base into the branch, newest first. Only the head if the
 * list of commits does not end with it: GitHub lists the oldest 100, and may be behind.
 */
export function headsBeforeUpdates(
  { nodes }: z.infer<typeof docsPullAnswers.commits>,
  { base, head, url }: { base: string; head: string; url: string },
): string[] {
  if (nodes.at(-1)?.commit.oid !== head) return [head];
  const host = hostOf(url);
  const last = nodes.findLastIndex(({ commit }) => !isUpdate(commit, base, host));
  return nodes
    .slice(Math.max(last, 0))
    .map(({ commit }) => commit.oid)
    .reverse();
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? "";
}

function withoutBot(login: string): string {
  return login.replace(/\[bot\]$/, "").toLowerCase();
}
