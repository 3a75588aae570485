/** https://docs.github.com/rest/repos/contents: files. */

import { HttpError } from "../../http/http-error.ts";
import { Answer, found, type Routes } from "../call.ts";
import { entryAt } from "../git/trees.ts";
import { MAX_FILE, MAX_JSON_FILE } from "../limits.ts";

export const contentRoutes: Routes = {
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
      ...{ type: "file", size: content.length, name, path, sha, download_url, encoding: "base64" },
      // GitHub breaks Base64 after 60 characters.
      content: content.toString("base64").replaceAll(/.{60}/g, "$&\n"),
      ...{ url: self, git_url: git, html_url: html, _links: { self, git, html } },
    };
  },
};

const RAW = "application/vnd.github.raw+json; charset=utf-8";

function tooLarge(megabytes: number): HttpError {
  const message = `This API returns blobs up to ${megabytes} MB in size.`;
  const errors = [{ resource: "Blob", field: "data", code: "too_large" }];
  return new HttpError(403, message, {}, { errors });
}
