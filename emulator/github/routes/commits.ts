/** https://docs.github.com/rest/commits: commits, their lists and comparisons. */

import { HttpError } from "../../http/http-error.ts";
import { type Call, found, type Routes } from "../call.ts";
import { ancestors, diverge, newestFirst } from "../git/graph.ts";
import type { Commit, Signature } from "../git/objects.ts";
import { patchOf } from "../git/patch.ts";
import { type Difference, difference, entryAt } from "../git/trees.ts";
import { MAX_COMPARED_FILES, MAX_FILES, pageOf } from "../limits.ts";
import { apiPath, committerRecord, nodeId } from "../records.ts";
import type { Repository } from "../repository.ts";
import { iso } from "../site.ts";

/** How many commits a comparison tells when no page is asked for. */
const UNPAGED = 250;

export const commitRoutes: Routes = {
  "GET /repos/{owner}/{repo}/commits": (call) => {
    const { repository } = call;
    const from = call.query("sha") ?? repository.defaultBranch;
    const head = found(repository.resolve(from));
    const [since, until] = ["since", "until"].map((name) => Date.parse(call.query(name) ?? ""));
    const path = call.query("path") ?? "";
    const author = call.query("author");
    const listed = newestFirst(ancestors(repository.find, head.sha)).filter(
      (commit) =>
        !(commit.at < (since ?? Number.NaN) || commit.at > (until ?? Number.NaN)) &&
        (path === "" || isTouching(repository, commit, path)) &&
        (author === undefined || commit.author.name === author),
    );
    return call.page(listed, (commit) => commitRecord(repository, commit));
  },

  "GET /repos/{owner}/{repo}/commits/{ref}": (call) => {
    const { repository } = call;
    const commit = knownCommit(repository, call.param("ref"));
    const parent = repository.find(commit.parents[0] ?? "");
    const all = difference(repository.objects, parent?.tree, commit.tree);
    const told = all.map((one) => fileRecord(repository, one, commit.sha));
    const { items, link } = pageOf(
      told.slice(0, MAX_FILES),
      call.url,
      UNPAGED_FILES,
      UNPAGED_FILES,
    );
    const sum = (count: "additions" | "deletions" | "changes") =>
      told.reduce((total, file) => total + file[count], 0);
    const stats = {
      additions: sum("additions"),
      deletions: sum("deletions"),
      total: sum("changes"),
    };
    return call.linked({ ...commitRecord(repository, commit), stats, files: items }, link);
  },

  "GET /repos/{owner}/{repo}/compare/{basehead}": (call) => comparison(call),
};

/** Files of a commit's page. */
const UNPAGED_FILES = 300;

/** @throws HttpError 422 */
export function knownCommit(repository: Repository, ref: string): Commit {
  const commit = repository.resolve(ref);
  if (commit === undefined) throw new HttpError(422, `No commit found for SHA: ${ref}`);
  return commit;
}

function isTouching(
  { objects, find }: Repository,
  { tree, parents }: Commit,
  path: string,
): boolean {
  const before = find(parents[0] ?? "")?.tree ?? "";
  return entryAt(objects, before, path)?.sha !== entryAt(objects, tree, path)?.sha;
}

function comparison(call: Call) {
  const { repository } = call;
  const { find } = repository;
  const [one = "", other = ""] = call.param("basehead").split("...");
  const base = found(repository.resolve(one));
  const head = found(repository.resolve(other));
  const { base: fork, own, others } = diverge(find, head.sha, base.sha);
  if (fork === undefined) {
    throw new HttpError(404, `No common ancestor between ${one} and ${other}.`);
  }
  const ahead = newestFirst(own).reverse();
  const behind = others.size;
  const isPaged = call.query("page") !== undefined || call.query("per_page") !== undefined;
  const { items, link } = isPaged
    ? pageOf(ahead, call.url)
    : { items: ahead.slice(0, UNPAGED), link: "" };
  const isFirst = (call.query("page") ?? "1") === "1";
  const files = isFirst ? difference(repository.objects, fork.tree, head.tree) : [];
  const page = `${call.site.webUrl}/${repository.fullName}/compare/${one}...${other}`;
  const answer = {
    ...{ url: `${apiPath(repository)}/compare/${one}...${other}`, html_url: page },
    ...{ permalink_url: page, diff_url: `${page}.diff`, patch_url: `${page}.patch` },
    ...{ status: statusOf(ahead.length, behind), ahead_by: ahead.length, behind_by: behind },
    total_commits: ahead.length,
    base_commit: commitRecord(repository, base),
    merge_base_commit: commitRecord(repository, fork),
    commits: items.map((commit) => commitRecord(repository, commit)),
    files: files.slice(0, MAX_COMPARED_FILES).map((file) => fileRecord(repository, file, head.sha)),
  };
  return call.linked(answer, link);
}

function statusOf(ahead: number, behind: number): string {
  if (ahead === 0) return behind === 0 ? "identical" : "behind";
  return behind === 0 ? "ahead" : "diverged";
}

/** A commit, as lists show it. */
export function commitRecord(repository: Repository, commit: Commit) {
  const { site, fullName } = repository;
  const { sha, tree, message, author, committer, parents } = commit;
  const url = `${apiPath(repository)}/commits/`;
  const page = `${site.webUrl}/${fullName}/commit/`;
  return {
    ...{ sha, node_id: nodeId("C", sha), url: `${url}${sha}`, html_url: `${page}${sha}` },
    comments_url: `${url}${sha}/comments`,
    commit: {
      ...{ author: person(author), committer: person(committer), message },
      tree: { sha: tree, url: `${apiPath(repository)}/git/trees/${tree}` },
      url: `${apiPath(repository)}/git/commits/${sha}`,
      ...{ comment_count: 0, verification: UNVERIFIED },
    },
    author: committerRecord(site, author.email),
    committer: committerRecord(site, committer.email),
    parents: parents.map((parent) => ({
      ...{ sha: parent, url: `${url}${parent}`, html_url: `${page}${parent}` },
    })),
  };
}

export function person({ name, email, at }: Signature) {
  return { name, email, date: iso(at) };
}

export const UNVERIFIED = {
  ...{ verified: false, reason: "unsigned", signature: null, payload: null, verified_at: null },
};

/** A file of a difference. @param sha the commit that has it */
export function fileRecord(repository: Repository, file: Difference, sha: string) {
  const { site, objects, fullName } = repository;
  const { path, before, after, renamedFrom } = file;
  const [old, now] = [before, after].map((one) => objects.blobs.get(one?.sha ?? ""));
  const { additions, deletions, patch } = patchOf(old, now);
  const page = `${site.webUrl}/${fullName}`;
  const added = before === undefined ? "added" : "modified";
  const status = after === undefined ? "removed" : added;
  return {
    sha: after?.sha ?? before?.sha ?? null,
    ...{ filename: path, status: renamedFrom === undefined ? status : "renamed" },
    ...{ additions, deletions, changes: additions + deletions },
    ...{ blob_url: `${page}/blob/${sha}/${path}`, raw_url: `${page}/raw/${sha}/${path}` },
    contents_url: `${apiPath(repository)}/contents/${path}?ref=${sha}`,
    ...(renamedFrom === undefined ? {} : { previous_filename: renamedFrom }),
    ...(patch === undefined ? {} : { patch }),
  };
}
