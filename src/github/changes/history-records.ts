/** Commits, pull requests and changed files: the fields of GitHub's answers that the action uses. */

import type { Endpoints } from "@octokit/types";

type Data<Route extends keyof Endpoints> = Endpoints[Route]["response"]["data"];
export type CommitData = Data<"GET /repos/{owner}/{repo}/commits/{ref}">;
export type ComparisonData = Data<"GET /repos/{owner}/{repo}/compare/{basehead}">;
/** In a list, or by itself. */
export type PullData = Data<"GET /repos/{owner}/{repo}/pulls">[number] & { changed_files?: number };
type ReviewData = Data<"GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews">[number];
type FileData = Data<"GET /repos/{owner}/{repo}/pulls/{pull_number}/files">[number];
export type ReleaseData = Data<"GET /repos/{owner}/{repo}/releases">[number];

const VISIBILITIES = ["public", "internal", "private"];

export type RepositoryFacts = ReturnType<typeof repositoryFactsOf>;

export function repositoryFactsOf(data: Data<"GET /repos/{owner}/{repo}">) {
  const visibility = data.visibility ?? (data.private ? "private" : "public");
  return {
    id: Number(data.id),
    fullName: data.full_name,
    defaultBranch: data.default_branch,
    /** Higher means that fewer people can read the repository. */
    privacy: VISIBILITIES.indexOf(visibility),
  };
}

export type Commit = ReturnType<typeof commitOf>;

export function commitOf({ sha, parents, html_url: url, author: by, commit }: CommitData) {
  const { message, author, committer, tree } = commit;
  const [title = "", ...body] = message.split("\n");
  return {
    sha,
    parents: parents.map((parent) => parent.sha),
    url,
    title: title.trim(),
    body: body.join("\n").trim(),
    author: { login: by?.login ?? "", name: author?.name ?? "", isBot: by?.type === "Bot" },
    committer: `${committer?.name ?? ""} <${committer?.email ?? ""}>`,
    identity: identityOf(author, author?.date, message),
    tree: tree.sha,
    authoredAt: author?.date ?? "",
    committedAt: committer?.date ?? "",
  };
}

/** A pull request's commits as they were in its branch, oldest first, from the GraphQL API. */
export interface OwnCommits {
  number: number;
  commits: {
    totalCount: number;
    nodes: { commit: { oid: string; message: string; authoredDate: string; author: Signature } }[];
  };
}

export type CommitIdentity = Pick<Commit, "sha" | "identity">;

/** None if they are not all there: more than 100 were not rebased. */
export function identitiesOf({ commits: { totalCount, nodes } }: OwnCommits): CommitIdentity[] {
  if (totalCount !== nodes.length) return [];
  return nodes.map(({ commit: { oid, message, authoredDate, author } }) => {
    return { sha: oid, identity: identityOf(author, authoredDate, message) };
  });
}

type Signature = { name?: string | null; email?: string | null } | null;

/** What is the same after a rebase. */
function identityOf(author: Signature, date: string | undefined, message: string): string {
  return JSON.stringify([author?.name ?? "", author?.email ?? "", date ?? "", message]);
}

export type Pull = ReturnType<typeof pullOf>;

export function pullOf({ number, title, html_url: url, user, head, base, ...data }: PullData) {
  return {
    number,
    title,
    body: data.body ?? "",
    url,
    labels: data.labels.map(({ name }) => name),
    // GitHub, too, shows a deleted account as `ghost`.
    author: { login: user?.login ?? "ghost", name: "", isBot: user?.type === "Bot" },
    branch: head.ref,
    head: head.sha,
    base: base.ref,
    /** Also if the repository of the branch was deleted. */
    isFork: head.repo?.id !== base.repo.id,
    repositoryId: Number(base.repo.id),
    isOpen: data.state === "open",
    /** ISO 8601; null if not merged. */
    mergedAt: data.merged_at,
    /** The merge commit; after a rebase, the last commit. */
    mergeSha: data.merge_commit_sha ?? "",
    updatedAt: data.updated_at,
    /** Not in lists. */
    fileCount: data.changed_files ?? 0,
  };
}

export type Review = ReturnType<typeof reviewOf>;

export function reviewOf({ user, state }: ReviewData) {
  return { login: user?.login ?? "", state };
}

export type ChangedFile = ReturnType<typeof fileOf>;

export function fileOf({ filename: path, previous_filename, patch = "", ...data }: FileData) {
  return {
    path,
    /** Before the file was renamed; otherwise the same as `path`. */
    previousPath: previous_filename ?? path,
    patch,
    additions: data.additions,
    deletions: data.deletions,
  };
}
