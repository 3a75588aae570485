/** https://docs.github.com/rest/git: blobs, trees, commits and annotated tags. */

import { HttpError } from "../../http/http-error.ts";
import { type Call, created, found, invalid, type Routes } from "../call.ts";
import { type Commit, FOLDER, type Signature, type Tag } from "../git/objects.ts";
import { type FileChange, filesIn, writeTree } from "../git/trees.ts";
import { signature } from "../merge.ts";
import { apiPath, nodeId } from "../records.ts";
import type { Repository } from "../repository.ts";
import { iso } from "../site.ts";
import { person, UNVERIFIED } from "./commits.ts";

export const gitRoutes: Routes = {
  "POST /repos/{owner}/{repo}/git/blobs": (call) => {
    const { objects } = notEmpty(call.repository);
    const { content = "", encoding } = call.given<{ content: string; encoding: string }>();
    const sha = objects.blob(encoding === "base64" ? Buffer.from(content, "base64") : content);
    return created({ sha, url: `${apiPath(call.repository)}/git/blobs/${sha}` });
  },

  "GET /repos/{owner}/{repo}/git/blobs/{file_sha}": (call) => {
    const { repository } = call;
    const sha = call.param("file_sha");
    const content = found(repository.objects.blobs.get(sha));
    return {
      ...{ sha, node_id: nodeId("B", sha), url: `${apiPath(repository)}/git/blobs/${sha}` },
      ...{ content: lines(content.toString("base64")), encoding: "base64", size: content.length },
    };
  },

  "POST /repos/{owner}/{repo}/git/trees": (call) => {
    const { objects } = notEmpty(call.repository);
    const { base_tree, tree = [] } = call.given<NewTree>();
    const base = objects.peel(base_tree ?? "")?.tree ?? base_tree;
    if (base !== undefined && !objects.trees.has(base)) {
      throw new HttpError(404, "Not Found");
    }
    const changes = tree.map(({ path, mode, sha, content }): FileChange => {
      const named = sha ?? (content === undefined ? null : objects.blob(content));
      if (named !== null && objects.typeOf(named) === undefined) {
        throw new HttpError(422, `tree.sha ${named} is not a valid blob`);
      }
      return { path, mode, sha: named };
    });
    return created(treeRecord(call.repository, writeTree(objects, base, changes), false));
  },

  "GET /repos/{owner}/{repo}/git/trees/{tree_sha}": (call) => {
    const { repository } = call;
    const name = call.param("tree_sha");
    const sha = repository.resolve(name)?.tree ?? name;
    if (!repository.objects.trees.has(sha)) throw new HttpError(404, "Not Found");
    return treeRecord(repository, sha, call.query("recursive") !== undefined);
  },

  "POST /repos/{owner}/{repo}/git/commits": (call) => {
    const { objects } = notEmpty(call.repository);
    const { message, tree = "", parents = [], ...by } = call.given<NewCommit>();
    if (message === undefined) throw invalid("Commit", "message", "missing_field");
    if (!objects.trees.has(tree)) throw new HttpError(422, "Tree SHA does not exist");
    for (const parent of parents) {
      if (!objects.commits.has(parent)) {
        throw new HttpError(422, "Parent SHA does not exist or is not a commit object");
      }
    }
    const author = signed(call, by.author);
    const committer = by.committer === undefined ? author : signed(call, by.committer);
    const commit = objects.commit({ message, tree, parents, author, committer });
    return created(gitCommitRecord(call.repository, commit));
  },

  "GET /repos/{owner}/{repo}/git/commits/{commit_sha}": (call) => {
    const { repository } = call;
    const sha = call.param("commit_sha");
    const commit = repository.gone.has(sha) ? undefined : repository.find(sha);
    return gitCommitRecord(repository, found(commit));
  },

  "POST /repos/{owner}/{repo}/git/tags": (call) => {
    const { objects } = notEmpty(call.repository);
    const { tag = "", message = "", object = "", tagger } = call.given<NewTag>();
    const type = objects.typeOf(object);
    if (type === undefined) throw new HttpError(422, "Object does not exist");
    const made = objects.tag({ tag, message, object, tagger: signed(call, tagger) }, type);
    return created(tagRecord(call.repository, made));
  },

  "GET /repos/{owner}/{repo}/git/tags/{tag_sha}": (call) =>
    tagRecord(call.repository, found(call.repository.objects.tags.get(call.param("tag_sha")))),
};

interface NewTree {
  base_tree: string;
  tree: { path: string; mode: string; sha?: string | null; content?: string }[];
}

type Named = { name: string; email: string; date?: string };

interface NewCommit {
  message: string;
  tree: string;
  parents: string[];
  author: Named;
  committer: Named;
}

interface NewTag {
  tag: string;
  message: string;
  object: string;
  tagger: Named;
}

/** @throws HttpError 409 */
export function notEmpty(repository: Repository): Repository {
  if (repository.refs.size === 0) throw new HttpError(409, "Git Repository is empty.");
  return repository;
}

/** Who makes something: as given, or whoever has the token, now. */
function signed(call: Call, given: Named | undefined): Signature {
  const own = signature(call.actor, call.site.second);
  const at = Math.floor(Date.parse(given?.date ?? iso(own.at)) / 1000) * 1000;
  return { name: given?.name ?? own.name, email: given?.email ?? own.email, at };
}

function treeRecord(repository: Repository, sha: string, isDeep: boolean) {
  const { objects } = repository;
  const url = `${apiPath(repository)}/git`;
  const entries = isDeep
    ? filesIn(objects, sha, true)
    : (objects.trees.get(sha) ?? []).map(({ name, ...entry }) => ({ ...entry, path: name }));
  const tree = entries.map(({ path, mode, sha }) => {
    const isFolder = mode === FOLDER;
    const own = { path, mode: mode.padStart(6, "0"), type: isFolder ? "tree" : "blob", sha };
    const at = { url: `${url}/${own.type}s/${sha}` };
    return isFolder ? { ...own, ...at } : { ...own, size: objects.blobs.get(sha)?.length, ...at };
  });
  return { sha, url: `${url}/trees/${sha}`, tree, truncated: false };
}

export function gitCommitRecord(repository: Repository, commit: Commit) {
  const { sha, tree, message, author, committer, parents } = commit;
  const url = `${apiPath(repository)}/git`;
  const page = `${repository.site.webUrl}/${repository.fullName}/commit`;
  return {
    ...{ sha, node_id: nodeId("C", sha), url: `${url}/commits/${sha}` },
    ...{
      html_url: `${page}/${sha}`,
      author: person(author),
      committer: person(committer),
      message,
    },
    tree: { sha: tree, url: `${url}/trees/${tree}` },
    parents: parents.map((parent) => ({
      ...{ sha: parent, url: `${url}/commits/${parent}`, html_url: `${page}/${parent}` },
    })),
    verification: UNVERIFIED,
  };
}

function tagRecord(repository: Repository, { sha, tag, message, tagger, object }: Tag) {
  const url = `${apiPath(repository)}/git`;
  const type = repository.objects.typeOf(object);
  return {
    ...{ node_id: nodeId("TA", sha), tag, sha, url: `${url}/tags/${sha}`, message },
    ...{ tagger: person(tagger), verification: UNVERIFIED },
    object: { sha: object, type, url: `${url}/${type}s/${object}` },
  };
}

/** GitHub breaks Base64 after 60 characters. */
export function lines(base64: string): string {
  return base64.replaceAll(/.{60}/g, "$&\n");
}
