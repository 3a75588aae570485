/** https://docs.github.com/rest/commits and /repos/contents: commits, their comparisons and files. */

import { HttpError } from "../../http/http-error.ts";
import { Answer, type Call, found, linked, type Routes } from "../call.ts";
import { checkDiff } from "../diffs.ts";
import { ancestors, diverge, newestFirst } from "../git/graph.ts";
import type { Commit, Signature } from "../git/objects.ts";
import { type Difference, difference, entryAt, type File, patchOf } from "../git/trees.ts";
import {
  COMMIT_FILES,
  COMPARED_COMMITS,
  COMPARED_FILES,
  MAX_FILE,
  MAX_FILES,
  MAX_JSON_FILE,
  pageOf,
} from "../limits.ts";
import { committerRecord } from "../records.ts";
import type { Repository } from "../repository.ts";
import { iso } from "../site.ts";

export const commitRoutes: Routes = {
  "GET /commits": (call) => {
    const repository = notEmpty(call.repository);
    const head = found(repository.resolve(call.query("sha") ?? repository.defaultBranch));
    const isListed = ({ at }: Commit) => call.isSince(at);
    const walk = call.site.switches.isSinceLikeGit ? isListed : undefined;
    const listed = newestFirst(ancestors(repository.find, head.sha, walk)).filter(isListed);
    return call.page(listed, (commit) => commitRecord(repository, commit));
  },

  "GET /commits/{ref}": (call) => {
    const repository = notEmpty(call.repository);
    const commit = knownCommit(repository, call.param("ref"));
    checkDiff(repository, [commit.sha]);
    const parent = repository.find(commit.parents[0] ?? "");
    const files = difference(repository.objects, parent?.tree, commit.tree)
      .slice(0, MAX_FILES)
      .map((file) => fileRecord(repository, file, commit.sha));
    const { items, link } = pageOf(files, call.context.url, COMMIT_FILES, COMMIT_FILES);
    return linked({ ...commitRecord(repository, commit), files: items }, link);
  },

  "GET /compare/{basehead}": (call) => {
    const { repository } = call;
    const [baseName = "", headName = ""] = call.param("basehead").split("...");
    const base = found(repository.resolve(baseName));
    const head = found(repository.resolve(headName));
    const { base: fork, own, others } = diverge(repository.find, head.sha, base.sha);
    if (fork === undefined) {
      throw new HttpError(404, `No common ancestor between ${baseName} and ${headName}.`);
    }
    const ahead = newestFirst(own).reverse();
    const { items, link } = compared(call, ahead);
    const isFirst = (call.query("page") ?? "1") === "1";
    if (isFirst) checkDiff(repository, own.keys());
    const files = difference(repository.objects, fork.tree, head.tree)
      .slice(0, COMPARED_FILES)
      .map((file) => fileRecord(repository, file, head.sha));
    const page = `${repository.page}/compare/${baseName}...${headName}`;
    const answer = {
      url: `${repository.api}/compare/${baseName}...${headName}`,
      html_url: page,
      permalink_url: page,
      diff_url: `${page}.diff`,
      patch_url: `${page}.patch`,
      status: statusOf(ahead.length, others.size),
      total_commits: ahead.length,
      ahead_by: ahead.length,
      behind_by: others.size,
      base_commit: commitRecord(repository, base),
      merge_base_commit: commitRecord(repository, fork),
      commits: items.map((commit) => commitRecord(repository, commit)),
      ...(isFirst ? { files } : {}),
    };
    return linked(answer, link);
  },

  "GET /contents/{path}": (call) => {
    const { repository } = call;
    const { objects, api, page } = repository;
    const path = call.param("path");
    const ref = call.query("ref") ?? repository.defaultBranch;
    const commit = repository.resolve(ref);
    if (commit === undefined) throw new HttpError(404, `No commit found for the ref ${ref}`);
    const entry = found(entryAt(objects, commit.tree, path));
    const content = found(objects.blobs.get(entry.sha));
    const isRaw = /\braw\b/.test(call.accept);
    if (content.length > (isRaw ? MAX_FILE : MAX_JSON_FILE)) throw tooLarge(isRaw ? 100 : 1);
    if (isRaw) return new Answer(200, content, { "content-type": RAW });
    const { name, sha } = entry;
    const self = `${api}/contents/${path}?ref=${ref}`;
    const git = `${api}/git/blobs/${sha}`;
    const html = `${page}/blob/${ref}/${path}`;
    const download_url = `${page}/raw/${ref}/${path}`;
    return {
      type: "file",
      size: content.length,
      name,
      path,
      sha,
      download_url,
      encoding: "base64",
      // GitHub breaks Base64 after 60 characters.
      content: content.toString("base64").replaceAll(/.{60}/g, "$&\n"),
      url: self,
      git_url: git,
      html_url: html,
      _links: { self, git, html },
    };
  },
};

const RAW = "application/vnd.github.raw+json; charset=utf-8";

function tooLarge(megabytes: number): HttpError {
  const message = `This API returns blobs up to ${megabytes} MB in size.`;
  const errors = [{ resource: "Blob", field: "data", code: "too_large" }];
  return new HttpError(403, message, {}, { errors });
}

/** @throws HttpError 409 */
export function notEmpty(repository: Repository): Repository {
  if (repository.refs.size === 0) throw new HttpError(409, "Git Repository is empty.");
  return repository;
}

export function knownCommit(repository: Repository, ref: string): Commit {
  const commit = repository.resolve(ref);
  if (commit === undefined) throw new HttpError(422, `No commit found for SHA: ${ref}`);
  return commit;
}

/** A page of a comparison's commits; the newest ones if the request asks for no page. */
function compared(call: Call, commits: readonly Commit[]) {
  const isPaged = call.query("page") !== undefined || call.query("per_page") !== undefined;
  if (isPaged) return pageOf(commits, call.context.url);
  return { items: commits.slice(-COMPARED_COMMITS), link: "" };
}

function statusOf(ahead: number, behind: number): string {
  if (ahead === 0) return behind === 0 ? "identical" : "behind";
  return behind === 0 ? "ahead" : "diverged";
}

export function commitRecord({ site, api, page }: Repository, commit: Commit) {
  const { sha, tree, message, author, committer, parents } = commit;
  const links = (of: string) => ({
    sha: of,
    url: `${api}/commits/${of}`,
    html_url: `${page}/commit/${of}`,
  });
  return {
    ...links(sha),
    node_id: `C_${sha}`,
    comments_url: `${api}/commits/${sha}/comments`,
    commit: {
      author: person(author),
      committer: person(committer),
      message,
      comment_count: 0,
      url: `${api}/git/commits/${sha}`,
      verification: UNVERIFIED,
      tree: { sha: tree, url: `${api}/git/trees/${tree}` },
    },
    author: committerRecord(site, author.email),
    committer: committerRecord(site, committer.email),
    parents: parents.map(links),
  };
}

export function person({ name, email, at }: Signature) {
  return { name, email, date: iso(at) };
}

export const UNVERIFIED = {
  verified: false,
  reason: "unsigned",
  signature: null,
  payload: null,
  verified_at: null,
};

/** A file of a difference. @param sha the commit that has it */
export function fileRecord({ objects, api, page }: Repository, file: Difference, sha: string) {
  const { path, before, after, renamedFrom } = file;
  const contentOf = (side: File | undefined) => objects.blobs.get(side?.sha ?? "");
  const { additions, deletions, ...patch } = patchOf(contentOf(before), contentOf(after));
  const changed = before === undefined ? "added" : after === undefined ? "removed" : "modified";
  return {
    sha: after?.sha ?? before?.sha ?? null,
    filename: path,
    additions,
    deletions,
    changes: additions + deletions,
    ...patch,
    blob_url: `${page}/blob/${sha}/${path}`,
    raw_url: `${page}/raw/${sha}/${path}`,
    contents_url: `${api}/contents/${path}?ref=${sha}`,
    status: renamedFrom === undefined ? changed : "renamed",
    ...(renamedFrom === undefined ? {} : { previous_filename: renamedFrom }),
  };
}

export function linesOf(files: readonly { additions: number; deletions: number }[]) {
  const sum = (count: "additions" | "deletions") =>
    files.reduce((total, file) => total + file[count], 0);
  return { additions: sum("additions"), deletions: sum("deletions") };
}
