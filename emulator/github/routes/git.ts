/** https://docs.github.com/rest/git: blobs, trees, commits and annotated tags. */

import { HttpError } from "../../http/http-error.ts";
import { type Call, created, found, missing, type Routes } from "../call.ts";
import { type Commit, FOLDER, type Signature, type Tag } from "../git/objects.ts";
import { type FileChange, filesIn, writeTree } from "../git/trees.ts";
import { signature } from "../merge.ts";
import type { Repository } from "../repository.ts";
import { iso } from "../site.ts";
import { person, UNVERIFIED } from "./commits.ts";

export const gitRoutes: Routes = {
  "POST /git/blobs": (call) => {
    const { objects, api } = notEmpty(call.repository);
    const content = call.text("content") ?? "";
    const isBase64 = call.text("encoding") === "base64";
    const sha = objects.blob(isBase64 ? Buffer.from(content, "base64") : content);
    return created({ sha, url: `${api}/git/blobs/${sha}` });
  },

  "GET /git/blobs/{file_sha}": (call) => {
    const { objects, api } = call.repository;
    const sha = call.param("file_sha");
    const content = found(objects.blobs.get(sha));
    return {
      ...{ sha, node_id: `B_${sha}`, url: `${api}/git/blobs/${sha}`, size: content.length },
      ...{ content: inLines(content.toString("base64")), encoding: "base64" },
    };
  },

  "POST /git/trees": (call) => {
    const { objects } = notEmpty(call.repository);
    const named = call.text("base_tree");
    const base = objects.peel(named ?? "")?.tree ?? named;
    if (base !== undefined) found(objects.trees.get(base));
    const changes = call.list<NewEntry>("tree").map(({ path, mode, sha, content }): FileChange => {
      const blob = sha ?? (content === undefined ? null : objects.blob(content));
      if (blob !== null && objects.typeOf(blob) === undefined) {
        throw new HttpError(422, `tree.sha ${blob} is not a valid blob`);
      }
      return { path, mode, sha: blob };
    });
    return created(treeRecord(call.repository, writeTree(objects, base, changes), false));
  },

  "GET /git/trees/{tree_sha}": (call) => {
    const { repository } = call;
    const name = call.param("tree_sha");
    const sha = repository.resolve(name)?.tree ?? name;
    found(repository.objects.trees.get(sha));
    return treeRecord(repository, sha, call.query("recursive") !== undefined);
  },

  "POST /git/commits": (call) => {
    const { objects } = notEmpty(call.repository);
    const [message, tree = ""] = [call.text("message"), call.text("tree")];
    const parents = call.list("parents");
    if (message === undefined) throw missing("Commit", "message");
    if (!objects.trees.has(tree)) throw new HttpError(422, "Tree SHA does not exist");
    if (!parents.every((parent) => objects.commits.has(parent))) {
      throw new HttpError(422, "Parent SHA does not exist or is not a commit object");
    }
    const author = signed(call, "author");
    const committer = call.given.committer === undefined ? author : signed(call, "committer");
    const commit = objects.commit({ message, tree, parents, author, committer });
    return created(gitCommitRecord(call.repository, commit));
  },

  "GET /git/commits/{commit_sha}": (call) => {
    const { repository } = call;
    const sha = call.param("commit_sha");
    const commit = repository.gone.has(sha) ? undefined : repository.find(sha);
    return gitCommitRecord(repository, found(commit));
  },

  "POST /git/tags": (call) => {
    const { objects } = notEmpty(call.repository);
    const [tag = "", message = "", object = ""] = ["tag", "message", "object"].map((name) =>
      call.text(name),
    );
    const type = objects.typeOf(object);
    if (type === undefined) throw new HttpError(422, "Object does not exist");
    const made = objects.tag({ tag, message, object, tagger: signed(call, "tagger") }, type);
    return created(tagRecord(call.repository, made));
  },

  "GET /git/tags/{tag_sha}": (call) =>
    tagRecord(call.repository, found(call.repository.objects.tags.get(call.param("tag_sha")))),
};

interface NewEntry {
  path: string;
  mode: string;
  sha?: string | null;
  content?: string;
}

/** @throws HttpError 409 */
export function notEmpty(repository: Repository): Repository {
  if (repository.refs.size === 0) throw new HttpError(409, "Git Repository is empty.");
  return repository;
}

/** Who makes something: as a field of the body says, or whoever has the token, now. */
function signed(call: Call, field: string): Signature {
  const own = signature(call.actor, call.site.second);
  const { name, email, date } = (call.given[field] ?? {}) as Record<string, string | undefined>;
  const at = Math.floor(Date.parse(date ?? iso(own.at)) / 1000) * 1000;
  return { name: name ?? own.name, email: email ?? own.email, at };
}

function treeRecord({ objects, api }: Repository, sha: string, isDeep: boolean) {
  const entries = isDeep
    ? filesIn(objects, sha, true)
    : (objects.trees.get(sha) ?? []).map(({ name, ...entry }) => ({ ...entry, path: name }));
  const tree = entries.map(({ path, mode, sha: of }) => {
    const type = mode === FOLDER ? "tree" : "blob";
    const size = type === "tree" ? {} : { size: objects.blobs.get(of)?.length };
    const url = `${api}/git/${type}s/${of}`;
    return { path, mode: mode.padStart(6, "0"), type, sha: of, url, ...size };
  });
  return { sha, url: `${api}/git/trees/${sha}`, tree, truncated: false };
}

export function gitCommitRecord({ api, page }: Repository, commit: Commit) {
  const { sha, tree, message, author, committer, parents } = commit;
  const links = (of: string) => ({
    ...{ sha: of, url: `${api}/git/commits/${of}`, html_url: `${page}/commit/${of}` },
  });
  return {
    ...{ ...links(sha), node_id: `C_${sha}`, message, verification: UNVERIFIED },
    ...{ author: person(author), committer: person(committer), parents: parents.map(links) },
    tree: { sha: tree, url: `${api}/git/trees/${tree}` },
  };
}

function tagRecord({ objects, api }: Repository, { sha, tag, message, tagger, object }: Tag) {
  const type = objects.typeOf(object);
  return {
    ...{ node_id: `TA_${sha}`, tag, sha, url: `${api}/git/tags/${sha}`, message },
    ...{ tagger: person(tagger), verification: UNVERIFIED },
    object: { sha: object, type, url: `${api}/git/${type}s/${object}` },
  };
}

/** GitHub breaks Base64 after 60 characters. */
export function inLines(base64: string): string {
  return base64.replaceAll(/.{60}/g, "$&\n");
}
