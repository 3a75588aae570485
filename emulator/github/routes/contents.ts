/** https://docs.github.com/rest/repos/contents: files and folders, read and written. */

import { HttpError } from "../../http/http-error.ts";
import { Answer, found, missing, type Routes } from "../call.ts";
import type { Entry } from "../git/objects.ts";
import { entryAt } from "../git/trees.ts";
import { MAX_FILE, MAX_JSON_FILE } from "../limits.ts";
import { signature } from "../merge.ts";
import type { Repository } from "../repository.ts";
import { checkRules, gitCommitRecord, inLines } from "./git.ts";

export const contentRoutes: Routes = {
  "GET /contents/{path}": (call) => {
    const { repository } = call;
    const { objects } = repository;
    const path = call.param("path");
    const ref = call.query("ref") ?? repository.defaultBranch;
    const commit = repository.resolve(ref);
    if (commit === undefined) throw new HttpError(404, `No commit found for the ref ${ref}`);
    const entry = found(entryAt(objects, commit.tree, path));
    const content = found(objects.blobs.get(entry.sha));
    const isRaw = /\braw\b/.test(call.accept);
    if (content.length > (isRaw ? MAX_FILE : MAX_JSON_FILE)) throw tooLarge(isRaw ? 100 : 1);
    if (isRaw) return new Answer(200, content, { "content-type": RAW });
    const text = inLines(content.toString("base64"));
    return { ...contentRecord(repository, path, entry, ref), content: text, encoding: "base64" };
  },

  "PUT /contents/{path}": (call) => {
    const content = call.text("content");
    if (content === undefined) throw missing("Content", "content");
    const { repository } = call;
    const { objects } = repository;
    const path = call.param("path");
    const branch = call.text("branch") ?? repository.defaultBranch;
    const tip = repository.tip(branch);
    if (tip === "" && repository.refs.size > 0)
      throw new HttpError(404, `Branch ${branch} not found`);
    const old = entryAt(objects, repository.find(tip)?.tree ?? "", path);
    const sha = call.text("sha");
    if (old !== undefined && sha === undefined) {
      throw new HttpError(422, `Invalid request.\n\n"sha" wasn't supplied.`);
    }
    if (sha !== old?.sha) throw new HttpError(409, `${path} does not match ${sha}`);
    checkRules(repository, `refs/heads/${branch}`, "Cannot update this protected ref.");
    const changes = [{ path, sha: objects.blob(Buffer.from(content, "base64")) }];
    const message = call.text("message") ?? `Update ${path}`;
    const author = signature(call.actor, call.site.second);
    const commit = repository.writeCommit(tip === "" ? [] : [tip], changes, { message, author });
    repository.setRef(`refs/heads/${branch}`, commit.sha);
    const entry = found(entryAt(objects, commit.tree, path));
    const record = contentRecord(repository, path, entry, branch);
    const body = { content: record, commit: gitCommitRecord(repository, commit) };
    return new Answer(old === undefined ? 201 : 200, body);
  },
};

const RAW = "application/vnd.github.raw+json; charset=utf-8";

function tooLarge(megabytes: number): HttpError {
  const message =
    `This API returns blobs up to ${megabytes} MB in size. The requested blob is too large to fetch ` +
    "via the API, but you can use the Git Data API to request blobs up to 100 MB in size.";
  const errors = [{ resource: "Blob", field: "data", code: "too_large" }];
  return new HttpError(403, message, {}, { errors });
}

function contentRecord(
  { objects, api, page }: Repository,
  path: string,
  entry: Entry,
  ref: string,
) {
  const { name, sha } = entry;
  const self = `${api}/contents/${path}?ref=${ref}`;
  const git = `${api}/git/blobs/${sha}`;
  const html = `${page}/blob/${ref}/${path}`;
  const download_url = `${page}/raw/${ref}/${path}`;
  return {
    ...{ type: "file", size: objects.blobs.get(sha)?.length ?? 0, name, path, sha, download_url },
    ...{ url: self, git_url: git, html_url: html, _links: { self, git, html } },
  };
}
