/** https://docs.github.com/rest/repos/contents: files and folders, read and written. */

import { HttpError } from "../../http/http-error.ts";
import { Answer, type Call, found, invalid, type Routes } from "../call.ts";
import { type Entry, FOLDER } from "../git/objects.ts";
import { entryAt } from "../git/trees.ts";
import { MAX_FILE, MAX_JSON_FILE } from "../limits.ts";
import { signature } from "../merge.ts";
import { apiPath } from "../records.ts";
import type { Repository } from "../repository.ts";
import { gitCommitRecord, lines } from "./git.ts";
import { checkRules } from "./refs.ts";

export const contentRoutes: Routes = {
  "GET /repos/{owner}/{repo}/contents/{path}": (call) => contents(call, call.param("path")),
  "PUT /repos/{owner}/{repo}/contents/{path}": (call) => write(call, call.given<Write>().content),
  "DELETE /repos/{owner}/{repo}/contents/{path}": (call) => write(call, null),
};

interface Write {
  message: string;
  /** Base64. */
  content: string;
  branch: string;
  /** Of the file that is replaced. */
  sha: string;
}

function contents(call: Call, path: string) {
  const { repository } = call;
  const { objects } = repository;
  const ref = call.query("ref") ?? repository.defaultBranch;
  const commit = repository.resolve(ref);
  if (commit === undefined) throw new HttpError(404, `No commit found for the ref ${ref}`);
  const entry = found(entryAt(objects, commit.tree, path));
  if (entry.mode === FOLDER) {
    return (objects.trees.get(entry.sha) ?? []).map((one) =>
      contentRecord(repository, path === "" ? one.name : `${path}/${one.name}`, one, ref),
    );
  }
  const content = objects.blobs.get(entry.sha) ?? Buffer.alloc(0);
  const isRaw = /\braw\b/.test(call.accept);
  if (content.length > (isRaw ? MAX_FILE : MAX_JSON_FILE)) throw tooLarge(isRaw ? 100 : 1);
  if (isRaw) return new Answer(200, content, { "content-type": RAW });
  return {
    ...contentRecord(repository, path, entry, ref),
    ...{ content: lines(content.toString("base64")), encoding: "base64" },
  };
}

const RAW = "application/vnd.github.raw+json; charset=utf-8";

function tooLarge(megabytes: number): HttpError {
  const message =
    `This API returns blobs up to ${megabytes} MB in size. The requested blob is too large to fetch ` +
    "via the API, but you can use the Git Data API to request blobs up to 100 MB in size.";
  const errors = [{ resource: "Blob", field: "data", code: "too_large" }];
  return new HttpError(403, message, {}, { errors });
}

/** Commits one file. @param content Base64; null takes it out */
function write(call: Call, content: string | null | undefined) {
  const { repository } = call;
  const { message, branch = repository.defaultBranch, sha } = call.given<Write>();
  const path = call.param("path");
  if (content === undefined) throw invalid("Content", "content", "missing_field");
  const tip = repository.tip(branch);
  if (tip === "" && repository.refs.size > 0) {
    throw new HttpError(404, `Branch ${branch} not found`);
  }
  const old = entryAt(repository.objects, repository.find(tip)?.tree ?? "", path);
  if (content === null) found(old);
  if (old !== undefined && sha === undefined) {
    throw new HttpError(422, `Invalid request.\n\n"sha" wasn't supplied.`);
  }
  if (sha !== undefined && sha !== old?.sha) {
    throw new HttpError(409, `${path} does not match ${sha}`);
  }
  checkRules(repository, `refs/heads/${branch}`, "Cannot update this protected ref.");
  const blob = content === null ? null : repository.objects.blob(Buffer.from(content, "base64"));
  const author = signature(call.actor, call.site.second);
  const parents = tip === "" ? [] : [tip];
  const by = { message: message ?? `Update ${path}`, author };
  const commit = repository.writeCommit(parents, [{ path, sha: blob }], by);
  repository.setRef(`refs/heads/${branch}`, commit.sha);
  const entry = entryAt(repository.objects, commit.tree, path);
  const record = entry === undefined ? null : contentRecord(repository, path, entry, branch);
  const body = { content: record, commit: gitCommitRecord(repository, commit) };
  return new Answer(old === undefined ? 201 : 200, body);
}

function contentRecord(repository: Repository, path: string, entry: Entry, ref: string) {
  const { site, objects, fullName } = repository;
  const { name, mode, sha } = entry;
  const isFolder = mode === FOLDER;
  const url = `${apiPath(repository)}/contents/${path}?ref=${ref}`;
  const git_url = `${apiPath(repository)}/git/${isFolder ? "trees" : "blobs"}/${sha}`;
  const html_url = `${site.webUrl}/${fullName}/${isFolder ? "tree" : "blob"}/${ref}/${path}`;
  return {
    ...{ type: isFolder ? "dir" : "file", size: objects.blobs.get(sha)?.length ?? 0 },
    ...{ name, path, sha, url, git_url, html_url },
    download_url: isFolder ? null : `${site.webUrl}/${fullName}/raw/${ref}/${path}`,
    _links: { self: url, git: git_url, html: html_url },
  };
}
