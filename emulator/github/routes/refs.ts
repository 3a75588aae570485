/** https://docs.github.com/rest/git/refs: refs of any name, created, moved and taken out. */

import { HttpError } from "../../http/http-error.ts";
import { type Call, created, found, type Routes } from "../call.ts";
import { descendsFrom } from "../git/graph.ts";
import type { Repository } from "../repository.ts";
import { notEmpty } from "./git.ts";
import { refsBelow } from "./repositories.ts";

export const refRoutes: Routes = {
  "GET /git/ref/{ref}": (call) => {
    const ref = `refs/${call.param("ref")}`;
    return refRecord(call.repository, ref, found(call.repository.refs.get(ref)));
  },

  "GET /git/matching-refs/{ref}": (call) => {
    const prefix = `refs/${call.param("ref")}`;
    return call.page(refsBelow(call.repository, prefix), ([rest, sha]) =>
      refRecord(call.repository, `${prefix}${rest}`, sha),
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
    checkRules(repository, ref, "Cannot create ref due to creations being restricted.");
    repository.setRef(ref, sha);
    return created(refRecord(repository, ref, sha));
  },

  "PATCH /git/refs/{ref}": (call) => {
    const { repository } = call;
    const ref = knownRef(call);
    const old = repository.refs.get(ref) ?? "";
    const sha = givenObject(call);
    if (call.flag("force") !== true && !descendsFrom(repository.find, sha, old)) {
      throw new HttpError(422, "Update is not a fast forward");
    }
    checkRules(repository, ref, "Cannot update this protected ref.");
    repository.setRef(ref, sha);
    return refRecord(repository, ref, sha);
  },
};

/** @throws HttpError 422 */
function knownRef(call: Call): string {
  const ref = `refs/${call.param("ref")}`;
  if (!call.repository.refs.has(ref)) throw new HttpError(422, "Reference does not exist");
  return ref;
}

/** @throws HttpError 422 */
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

/** @throws HttpError 422 */
export function checkRules({ protectedRefs }: Repository, ref: string, what: string): void {
  if (protectedRefs === "" || !new RegExp(protectedRefs).test(ref)) return;
  throw new HttpError(422, `Repository rule violations found\n\n${what}\n\n`);
}

function refRecord({ api, objects }: Repository, ref: string, sha: string) {
  const type = objects.typeOf(sha);
  const object = { type, sha, url: `${api}/git/${type}s/${sha}` };
  return { ref, node_id: `REF_${ref}`, url: `${api}/git/${ref}`, object };
}
