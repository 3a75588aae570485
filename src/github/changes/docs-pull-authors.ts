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

type Commits = z.infer<typeof docsPullAnswers.branchCommits>;

/**
 * Whether an address is GitHub's own. An administrator of a server sets it: `noreply@HOST` by default, or one of the
 * domain that the server is in.
 */
function isOfServer(email: string | null, host: string): boolean {
  if (email === null) return false;
  const [, domain = ""] = /^no-?reply@([^@]+\.[^@]+)$/.exec(email) ?? [];
  return email === WEB_FLOW || domain === host || (domain !== "" && host.endsWith(`.${domain}`));
}

/** The login of whoever a commit names, if GitHub knows the account, or the address is one of GitHub's. */
function accountOf(person: z.infer<typeof docsPullAnswers.person>, host: string): string | null {
  return loginOf(person?.user) ?? accountIn(emailOf(person), host);
}

/** The account in an address that GitHub gives to accounts; null for any other address. */
function accountIn(email: string | null, host: string): string | null {
  if (email === null) return null;
  const [, account = null, server] =
    /^(?:\d+\+)?([^@]+)@users\.noreply\.([^@]+)$/.exec(email) ?? [];
  return server === "github.com" || server === host ? account : null;
}

/**
 * Whether anyone else than the agent has committed, apart from the reader's updates of the branch. True if the history
 * is too long to be read.
 */
export function isEditedByOthers(
  commits: Commits,
  url: string,
  {
    author,
    firstAuthor,
    allowedCommitters,
    updates,
  }: {
    /** Login of the pull request's author; null if the account was deleted. */
    author: string | null;
    /** E-mail address of the author of its first commit; null if there is none. */
    firstAuthor: string | null;
    allowedCommitters: readonly string[];
    /** Login of the token's account, and the heads from which it had GitHub bring the branch up to date. */
    updates: { reader: string; from: readonly string[] };
  },
): boolean {
  const host = hostOf(url);
  const own = (author === null ? allowedCommitters : [author, ...allowedCommitters]).map(
    withoutBot,
  );
  const isOwn = (person: z.infer<typeof docsPullAnswers.person>) => {
    const email = emailOf(person);
    const name = accountOf(person, host);
    const isNamed = name !== null && own.includes(withoutBot(name));
    return isNamed || (email !== null && email === firstAuthor);
  };
  const isByAgent = ({ author, committer }: Commits["nodes"][number]["commit"]) =>
    isOwn(author) && (isOfServer(emailOf(committer), host) || isOwn(committer));
  return (
    commits.totalCount > commits.nodes.length ||
    !commits.nodes.every(
      ({ commit }) => isByAgent(commit) || isUpdate(commit, commits, host, updates),
    )
  );
}

/**
 * Whether GitHub made a commit because the reader asked it to bring the branch up to date: a merge of the base into a
 * head from which it asked. GitHub signs what people do on its pages, too, so that only an app's own commits are known:
 * theirs may resolve a conflict.
 */
function isUpdate(
  { parents, author, committer }: Commits["nodes"][number]["commit"],
  { nodes, totalCount }: Commits,
  host: string,
  { reader, from }: { reader: string; from: readonly string[] },
): boolean {
  const [first, second, ...others] = parents.nodes.map(({ oid }) => oid);
  if (first === undefined || second === undefined || others.length > 0) return false;
  // A pull request has all commits that its base lacks.
  const isOfBase =
    totalCount === nodes.length && !nodes.some(({ commit }) => commit.oid === second);
  const name = accountOf(author, host);
  const isByReader =
    reader.endsWith("[bot]") && name !== null && withoutBot(name) === withoutBot(reader);
  return from.includes(first) && isOfBase && isByReader && isOfServer(emailOf(committer), host);
}

/** The head, and those from which the reader had GitHub bring the branch up to date since, newest first. */
export function headsBeforeUpdates(
  commits: Commits,
  { head, url }: { head: string; url: string },
  updates: { reader: string; from: readonly string[] },
): string[] {
  const host = hostOf(url);
  const heads = [head];
  for (const { commit } of commits.nodes.toReversed()) {
    if (commit.oid !== heads.at(-1)) continue;
    if (!isUpdate(commit, commits, host, updates)) break;
    heads.push(...commit.parents.nodes.slice(0, 1).map(({ oid }) => oid));
  }
  return heads;
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? "";
}

function withoutBot(login: string): string {
  return login.replace(/\[bot\]$/, "").toLowerCase();
}
