/** https://docs.github.com/rest/git: trees, commits, and refs of any name. */

import { HttpError } from "../../http/http-error.ts";
import { type Call, created, forbidden, found, noContent, type Routes } from "../call.ts";
import { descendsFrom } from "../git/graph.ts";
import { type Commit, FOLDER, type Signature } from "../git/objects.ts";
import { entryAt, type FileChange, writeTree } from "../git/trees.ts";
import { signature } from "../identities.ts";
import type { Repository } from "../repository.ts";
import { iso } from "../site.ts";
import { notEmpty, person, UNVERIFIED } from "./commits.ts";
import { refsBelow } from "./repositories.ts";

export const gitRoutes: Routes = {
  "POST /git/trees": (call) => {
    const { objects } = notEmpty(call.repository);
    const named = call.text("base_tree");
    const base = objects.commits.get(named ?? "")?.tree ?? named;
    if (base !== undefined) found(objects.trees.get(base));
    const changes = call.list<NewEntry>("tree").map(({ path, mode, sha, content }): FileChange => {
      return {
        path,
        ...(mode && { mode }),
        sha: sha ?? (content === undefined ? null : objects.blob(content)),
      };
    });
    return created(treeRecord(call.repository, writeTree(objects, base, changes)));
  },

  "POST /git/commits": (call) => {
    const { objects } = notEmpty(call.repository);
    const [message = "", tree = ""] = [call.text("message"), call.text("tree")];
    const parents = call.list("parents");
    if (!objects.trees.has(tree)) throw new HttpError(422, "Tree SHA does not exist");
    const author = signed(call, "author");
    const committer = call.fields.committer === undefined ? author : signed(call, "committer");
    const commit = objects.commit({ message, tree, parents, author, committer });
    return created(gitCommitRecord(call.repository, commit));
  },

  "GET /git/commits/{commit_sha}": (call) => {
    const { repository } = call;
    const sha = call.param("commit_sha");
    const commit = repository.gone.has(sha) ? undefined : repository.find(sha);
    return gitCommitRecord(repository, found(commit));
  },

  "GET /git/ref/{ref}": (call) => {
    const ref = `refs/${call.param("ref")}`;
    return refRecord(call.repository, ref, found(notEmpty(call.repository).refs.get(ref)));
  },

  "GET /git/matching-refs/{ref}": (call) => {
    const repository = notEmpty(call.repository);
    const prefix = `refs/${call.param("ref")}`;
    // GitHub ignores the parameters of pages here.
    return refsBelow(repository, prefix).map(([rest, sha]) =>
      refRecord(repository, `${prefix}${rest}`, sha),
    );
  },

  "POST /git/refs": (call) => {
    const repository = notEmpty(call.repository);
    const ref = call.text("ref") ?? "";
    if (!/^refs\/[^/]+\/./.test(ref)) {
      const rule = "must begin with refs/ and contain at least two slashes";
      throw new HttpError(422, `Reference name ${rule}`);
    }
    if (!isRefName(ref)) throw new HttpError(422, `${ref} is not a valid ref name.`);
    const sha = givenObject(call);
    if (repository.refs.has(ref)) throw new HttpError(422, "Reference already exists");
    // Git keeps a ref in a file, which cannot be a folder as well.
    const isInWay = (other: string) => other.startsWith(`${ref}/`) || ref.startsWith(`${other}/`);
    if ([...repository.refs.keys()].some(isInWay)) {
      throw new HttpError(422, "Reference update failed");
    }
    checkWorkflows(call, sha);
    checkRules(repository, ref, "Cannot create ref due to creations being restricted.");
    repository.setRef(ref, sha);
    return created(refRecord(repository, ref, sha));
  },

  "PATCH /git/refs/{ref}": (call) => {
    const { repository } = call;
    const ref = knownRef(call);
    const old = repository.refs.get(ref) ?? "";
    const sha = givenObject(call);
    if (call.fields.force !== true && !descendsFrom(repository.find, sha, old)) {
      throw new HttpError(422, "Update is not a fast forward");
    }
    checkRules(repository, ref, "Cannot update this protected ref.");
    repository.setRef(ref, sha);
    return refRecord(repository, ref, sha);
  },

  "DELETE /git/refs/{ref}": (call) => {
    const { repository } = call;
    const ref = knownRef(call);
    checkRules(repository, ref, "Cannot delete this protected ref.");
    repository.setRef(ref, null);
    return noContent();
  },
};

type NewEntry = Omit<FileChange, "sha"> & { sha?: string | null; content?: string };

/** Author or committer: from a field of the body, or else the token's account, now. */
function signed(call: Call, field: string): Signature {
  const own = signature(call.site.identity, call.actor, call.site.second);
  const { name, email, date } = (call.fields[field] ?? {}) as Record<string, string | undefined>;
  const at = Math.floor(Date.parse(date ?? iso(own.at)) / 1000) * 1000;
  return { name: name ?? own.name, email: email ?? own.email, at };
}

function treeRecord({ objects, api }: Repository, sha: string) {
  const tree = (objects.trees.get(sha) ?? []).map(({ name: path, mode, sha: of }) => {
    const type = mode === FOLDER ? "tree" : "blob";
    const size = type === "tree" ? {} : { size: objects.blobs.get(of)?.length };
    const url = `${api}/git/${type}s/${of}`;
    return { path, mode: mode.padStart(6, "0"), type, sha: of, url, ...size };
  });
  return { sha, url: `${api}/git/trees/${sha}`, tree, truncated: false };
}

function gitCommitRecord({ api, page }: Repository, commit: Commit) {
  const { sha, tree, message, author, committer, parents } = commit;
  const links = (of: string) => ({
    sha: of,
    url: `${api}/git/commits/${of}`,
    html_url: `${page}/commit/${of}`,
  });
  return {
    ...links(sha),
    node_id: `C_${sha}`,
    message,
    verification: UNVERIFIED,
    author: person(author),
    committer: person(committer),
    parents: parents.map(links),
    tree: { sha: tree, url: `${api}/git/trees/${tree}` },
  };
}

function knownRef(call: Call): string {
  const ref = `refs/${call.param("ref")}`;
  if (!call.repository.refs.has(ref)) throw new HttpError(422, "Reference does not exist");
  return ref;
}

function givenObject(call: Call): string {
  const sha = call.text("sha") ?? "";
  if (call.repository.objects.typeOf(sha) === undefined) {
    throw new HttpError(422, "Object does not exist");
  }
  return sha;
}

/** As in git's `check-ref-format`. */
function isRefName(ref: string): boolean {
  const isPart = (part: string) => /^[^.]/.test(part) && !part.endsWith(".lock");
  return ref.split("/").every(isPart) && !/[\0- ~^:?*[\\\x7f]|\.\.|@\{|\.$/.test(ref);
}

/** A token that may not change workflow files may not name a commit that does. */
function checkWorkflows({ site, actor, repository }: Call, sha: string): void {
  const commit = repository.find(sha);
  if (commit === undefined || site.mayChangeWorkflows(actor)) return;
  const [before, after] = [repository.find(commit.parents[0] ?? ""), commit].map(
    (at) => entryAt(repository.objects, at?.tree ?? "", ".github/workflows")?.sha,
  );
  if (before !== after) throw forbidden();
}

function checkRules({ protectedRefs }: Repository, ref: string, refusal: string): void {
  if (protectedRefs === "" || !new RegExp(protectedRefs).test(ref)) return;
  throw new HttpError(422, `Repository rule violations found\n\n${refusal}\n\n`);
}

function refRecord({ api, objects }: Repository, ref: string, sha: string) {
  const type = objects.typeOf(sha);
  const object = { type, sha, url: `${api}/git/${type}s/${sha}` };
  return { ref, node_id: `REF_${ref}`, url: `${api}/git/${ref}`, object };
}
