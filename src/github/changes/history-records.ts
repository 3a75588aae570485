/** Commits, pull requests and changed files: the fields of GitHub's answers that the action uses. */

import type * as z from "zod/mini";
import type * as historyAnswers from "../api/answers/history.ts";
import type * as questionAnswers from "../api/answers/questions.ts";

/** Who can read a repository: from everybody to the fewest. */
const VISIBILITIES = ["public", "internal", "private"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export interface RepositoryFacts {
  id: number;
  fullName: string;
  defaultBranch: string;
  /** Null if GitHub does not say it, or says something new. */
  visibility: Visibility | null;
  isArchived: boolean;
  isFork: boolean;
  /** Also if GitHub does not say so. */
  hasIssues: boolean;
}

export function repositoryFactsOf(
  answer: z.infer<typeof historyAnswers.repository>,
): RepositoryFacts {
  return {
    id: answer.id,
    fullName: answer.full_name,
    defaultBranch: answer.default_branch,
    visibility: visibilityIn(answer),
    isArchived: answer.archived === true,
    isFork: answer.fork === true,
    hasIssues: answer.has_issues !== false,
  };
}

/** A branch: its repository as it is now, and the commit at its tip. */
export interface BranchPlace {
  readonly repository: RepositoryFacts;
  readonly branch: string;
  /** SHA */
  readonly head: string;
}

/** Null if GitHub does not show the repository or the branch. @param branch null for the default one */
export function branchPlaceOf(
  { repository }: z.infer<typeof questionAnswers.source>,
  branch: string | null,
): BranchPlace | null {
  const tip = branch === null ? repository?.defaultBranchRef : repository?.ref;
  const id = repository?.databaseId;
  if (repository === null || id === null || id === undefined || !tip?.target) return null;
  const shown = repository.visibility.toLowerCase();
  const facts: RepositoryFacts = {
    id,
    fullName: repository.nameWithOwner,
    defaultBranch: repository.defaultBranchRef?.name ?? tip.name,
    visibility: VISIBILITIES.find((known) => known === shown) ?? null,
    isArchived: repository.isArchived,
    isFork: repository.isFork,
    hasIssues: repository.hasIssuesEnabled,
  };
  return { repository: facts, branch: branch ?? tip.name, head: tip.target.oid };
}

function visibilityIn(answer: z.infer<typeof historyAnswers.repository>): Visibility | null {
  if (answer.visibility !== undefined) {
    return VISIBILITIES.find((known) => known === answer.visibility) ?? null;
  }
  if (answer.private === undefined) return null;
  return answer.private ? "private" : "public";
}

/**
 * Whether fewer people can read a repository than a place where it would be named. A repository of unknown visibility
 * counts as private, a place as public: nothing is shown to more people than may see it.
 */
export function isLessVisible(
  repository: { visibility: Visibility | null },
  place: { visibility: Visibility | null },
): boolean {
  const rank = (visibility: Visibility) => VISIBILITIES.indexOf(visibility);
  return rank(repository.visibility ?? "private") > rank(place.visibility ?? "public");
}

/** The author of a commit or a pull request. */
export interface Author {
  /** Empty if GitHub knows no account. */
  login: string;
  /** As the commit names it; empty for a pull request. */
  name: string;
  isBot: boolean;
}

export interface Commit {
  sha: string;
  parents: string[];
  url: string;
  /** First line of the message. */
  title: string;
  /** The rest of the message. */
  body: string;
  author: Author;
  /** `NAME <EMAIL>` */
  committer: string;
  /** What is the same after a rebase. */
  identity: string;
  /** SHA of its tree. */
  tree: string;
  /** ISO 8601; null if GitHub does not know it. */
  authoredAt: string | null;
  committedAt: string;
}

export function commitOf(answer: z.infer<typeof historyAnswers.commit>): Commit {
  const { message, author, committer, tree } = answer.commit;
  const [title = "", ...body] = message.split("\n");
  return {
    sha: answer.sha,
    parents: answer.parents.map((parent) => parent.sha),
    url: answer.html_url,
    title: title.trim(),
    body: body.join("\n").trim(),
    author: {
      login: answer.author.login,
      name: author.name,
      isBot: answer.author.type === "Bot",
    },
    committer: `${committer.name} <${committer.email}>`,
    identity: identityOf(author, author.date, message),
    tree: tree.sha,
    authoredAt: author.date === "" ? null : author.date,
    committedAt: committer.date,
  };
}

export type CommitIdentity = Pick<Commit, "sha" | "identity">;

/** Null if they are not all there: there are more than 100, or GitHub hides or has lost some. */
export function identitiesOf({
  commits,
}: z.infer<typeof historyAnswers.pullCommits>): CommitIdentity[] | null {
  const { totalCount } = commits;
  const nodes = commits.nodes.filter((node) => node !== null);
  if (totalCount !== nodes.length) return null;
  return nodes.map(({ commit: { oid, message, authoredDate, author } }) => {
    return { sha: oid, identity: identityOf(author, authoredDate, message) };
  });
}

/** What is the same after a rebase. */
function identityOf(
  { name, email }: z.infer<typeof historyAnswers.signature>,
  date: string,
  message: string,
): string {
  return JSON.stringify([name, email, date, message]);
}

/** A pull request, as lists show it, too. */
export interface Pull {
  number: number;
  title: string;
  body: string;
  url: string;
  labels: string[];
  author: Author;
  branch: string;
  /** SHA of the branch's tip. */
  head: string;
  /** The branch that it is to be merged into. */
  base: string;
  /** Also if the repository of the branch was deleted. */
  isFork: boolean;
  repositoryId: number;
  isOpen: boolean;
  /** ISO 8601; null if not merged. */
  mergedAt: string | null;
  /** The merge commit; after a rebase, the last commit. */
  mergeSha: string;
}

/** A pull request that was read by itself. */
export interface SinglePull extends Pull {
  /** How many files it changes: GitHub may list fewer. */
  fileCount: number;
}

export function singlePullOf(answer: z.infer<typeof historyAnswers.pull>): SinglePull {
  return { ...pullOf(answer), fileCount: answer.changed_files };
}

export function pullOf(answer: z.infer<typeof historyAnswers.listedPull>): Pull {
  const { head, base } = answer;
  return {
    number: answer.number,
    title: answer.title,
    body: answer.body,
    url: answer.html_url,
    labels: answer.labels.map(({ name }) => name),
    author: authorOf(answer),
    branch: head.ref,
    head: head.sha,
    base: base.ref,
    isFork: head.repo?.id !== base.repo.id,
    repositoryId: base.repo.id,
    isOpen: answer.state === "open",
    mergedAt: answer.merged_at,
    mergeSha: answer.merge_commit_sha,
  };
}

/** The logins of GitHub's coding agent: in REST, in commits, and in GraphQL. */
const CODING_AGENT = ["copilot", "copilot-swe-agent[bot]", "copilot-swe-agent"];

/** A login in the form in which logins are compared. An agent that has several has one form. */
export function sameLogin(login: string): string {
  const lower = login.toLowerCase();
  return CODING_AGENT.includes(lower) ? "copilot" : lower;
}

/** What the coding agent does for a person is that person's: GitHub assigns the pull request to both. */
function authorOf({ user, assignees }: z.infer<typeof historyAnswers.listedPull>): Author {
  const isAgent = sameLogin(user.login) === "copilot";
  const people = isAgent ? assignees.filter(({ type }) => type === "User") : [];
  const [person, ...others] = people;
  const { login, type } = person !== undefined && others.length === 0 ? person : user;
  // GitHub, too, shows a deleted account as `ghost`.
  return { login: login || "ghost", name: "", isBot: type === "Bot" };
}

export interface ChangedFile {
  path: string;
  /** Before the file was renamed; otherwise the same as `path`. */
  previousPath: string;
  isRemoved: boolean;
  /** Empty if GitHub shows none. */
  patch: string;
  additions: number;
  deletions: number;
}

export function fileOf(answer: z.infer<typeof historyAnswers.file>): ChangedFile {
  return {
    path: answer.filename,
    previousPath: answer.previous_filename ?? answer.filename,
    isRemoved: answer.status === "removed",
    patch: answer.patch,
    additions: answer.additions,
    deletions: answer.deletions,
  };
}

export interface FileList {
  files: ChangedFile[];
  isComplete: boolean;
}

/** The commits of a branch that another one lacks. */
export interface Comparison {
  /** Oldest first. */
  commits: Commit[];
  /** Whether these are all. */
  isComplete: boolean;
  /** Whether the base is missing from the head's history, for example after a force-push. */
  isDiverged: boolean;
}

/** A tag, and the commit that it names. A branch can have the same name, and a tag can be moved. */
export interface Tag {
  name: string;
  sha: string;
  /** Whether it names the commit itself, and not a tag with a message. */
  isCommit: boolean;
}

/** The tags of published releases without prereleases, the newest first. */
export function releaseTagsOf({
  releases,
}: z.infer<typeof questionAnswers.releases>["repository"]): Tag[] {
  return releases.nodes
    .flatMap(({ isDraft, isPrerelease, publishedAt, tagName: name, tagCommit }) => {
      if (isDraft || isPrerelease || publishedAt === null || !tagCommit) return [];
      return { name, sha: tagCommit.oid, publishedAt: Date.parse(publishedAt) };
    })
    .sort((release, other) => other.publishedAt - release.publishedAt)
    .map(({ name, sha }) => ({ name, sha, isCommit: true }));
}

export function tagsOf({ refs }: z.infer<typeof questionAnswers.tags>["repository"]): Tag[] {
  return refs.nodes.flatMap(({ name, target }) => {
    const { oid: sha } = target?.target?.target ?? target?.target ?? target ?? {};
    return sha === undefined ? [] : [{ name, sha, isCommit: true }];
  });
}
