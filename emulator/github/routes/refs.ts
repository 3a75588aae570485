/** https://docs.github.com/rest/git/refs: refs of any name, created, moved and taken out. */

import { HttpError } from "../../http/http-error.ts";
import { created, found, noContent, type Routes } from "../call.ts";
import { descendsFrom } from "../git/graph.ts";
import { apiPath, nodeId } from "../records.ts";
import type { Repository } from "../repository.ts";
import { notEmpty } from "./git.ts";
import { refsBelow } from "./repositories.ts";

export const refRoutes: Routes = {
  "GET /repos/{owner}/{repo}/git/ref/{ref}": (call) => {
    const ref = `refs/${call.param("ref")}`;
    return refRecord(call.repository, ref, found(call.repository.refs.get(ref)));
  },

  "GET /repos/{owner}/{repo}/git/matching-refs/{ref}": (call) => {
    const prefix = `refs/${call.param("ref")}`;
    return call.page(refsBelow(call.repository, prefix), ([rest, sha]) =>
      refRecord(call.repository, `${prefix}${rest}`, sha),
    );
  },

  "POST /repos/{owner}/{repo}/git/refs": (call) => {
    const repository = notEmpty(call.repository);
    const { ref = "", sha = "" } = call.given<{ ref: string; sha: string }>();
    if (!/^refs\/[^/]+\/./.test(ref)) {
      throw new HttpError(
        422,
        "Reference name must begin with refs/ and contain at least two slashes",
      );
    }
    if (!isRefName(ref)) throw new HttpError(422, `${ref} is not a valid ref name.`);
    if (repository.objects.typeOf(sha) === undefined) {
      throw new HttpError(422, "Object does not exist");
    }
    if (repository.refs.has(ref)) throw new HttpError(422, "Reference already exists");
    checkRules(repository, ref, "Cannot create ref due to creations being restricted.");
    repository.setRef(ref, sha);
    return created(refRecord(repository, ref, sha));
  },

  "PATCH /repos/{owner}/{repo}/git/refs/{ref}": (call) => {
    const { repository } = call;
    const ref = `refs/${call.param("ref")}`;
    const { sha = "", force = false } = call.given<{ sha: string; force: boolean }>();
    const old = repository.refs.get(ref);
    if (old === undefined) throw new HttpError(422, "Reference does not exist");
    if (repository.objects.typeOf(sha) === undefined) {
      throw new HttpError(422, "Object does not exist");
    }
    if (!force && !descendsFrom(repository.find, sha, old)) {
      throw new HttpError(422, "Update is not a fast forward");
    }
    checkRules(repository, ref, "Cannot update this protected ref.");
    repository.setRef(ref, sha);
    return refRecord(repository, ref, sha);
  },

  "DELETE /repos/{owner}/{repo}/git/refs/{ref}": (call) => {
    const ref = `refs/${call.param("ref")}`;
    if (!call.repository.refs.has(ref)) throw new HttpError(422, "Reference does not exist");
    checkRules(call.repository, ref, "Cannot delete this protected ref.");
    call.repository.setRef(ref, null);
    return noContent();
  },
};

/** As in git's `check-ref-format`. */
function isRefName(ref: string): boolean {
  const parts = ref.split("/");
  return (
    parts.every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock")) &&
    !/[\0- ~^:?*[\\\x7f]|\.\.|@\{|\.$/.test(ref)
  );
}

/** @throws HttpError 422 */
export function checkRules({ protectedRefs }: Repository, ref: string, what: string): void {
  if (protectedRefs?.test(ref) !== true) return;
  throw new HttpError(422, `Repository rule violations found\n\n${what}\n\n`);
}

function refRecord(repository: Repository, ref: string, sha: string) {
  const url = apiPath(repository);
  const type = repository.objects.typeOf(sha);
  const object = { type, sha, url: `${url}/git/${type}s/${sha}` };
  return { ref, node_id: nodeId("REF", ref), url: `${url}/git/${ref}`, object };
}
