import type { Change, Found, Release } from "./plan.ts";

/** Tags and releases of a repository in memory, with the rules that GitHub has for them; for tests. */
export class ReleaseGitHub implements Found {
  readonly tags: Record<string, string> = {};
  readonly releases: Release[] = [];
  latest: string | null = null;
  /** Every tag that was created or moved, in order, as `tag commit`. */
  readonly moves: string[] = [];

  /** @throws Error with GitHub's status when it refuses a change. */
  apply({ method, path, body }: Change): unknown {
    if (method === "POST" && path === "git/refs") return this.#createTag(body);
    const [, tag] = /^git\/refs\/tags\/(.+)$/.exec(path) ?? [];
    if (method === "PATCH" && tag !== undefined) return this.#moveTag(tag, body);
    if (method === "POST" && path === "releases") return this.#createRelease(body);
    const [, id] = /^releases\/(\d+)$/.exec(path) ?? [];
    const release = this.releases.find((it) => String(it.id) === id);
    if (method !== "PATCH" || release === undefined) throw new Error(`404 ${method} ${path}`);
    return this.#publish(release, body);
  }

  #createTag(body: Change["body"]): object {
    const tag = String(body.ref).replace("refs/tags/", "");
    if (this.tags[tag] !== undefined) throw new Error("422 Reference already exists");
    return this.#setTag(tag, String(body.sha));
  }

  #moveTag(tag: string, body: Change["body"]): object {
    if (this.tags[tag] === undefined) throw new Error("422 Reference does not exist");
    return this.#setTag(tag, String(body.sha));
  }

  #setTag(tag: string, commit: string): object {
    this.tags[tag] = commit;
    this.moves.push(`${tag} ${commit}`);
    return {};
  }

  #createRelease(body: Change["body"]): object {
    const tag = String(body.tag_name);
    if (this.tags[tag] === undefined) throw new Error("the release would create its tag");
    if (this.releases.some((it) => it.tag === tag && !it.isDraft)) {
      throw new Error("422 already_exists");
    }
    const release = { id: this.releases.length + 1, tag, name: "", notes: "", isDraft: true };
    this.releases.push(release);
    return this.#publish(release, body);
  }

  #publish(release: Release, body: Change["body"]): object {
    release.name = String(body.name);
    release.notes = String(body.body);
    release.isDraft = body.draft === true;
    if (body.make_latest === "true") this.latest = release.tag;
    return recordOf(release);
  }
}

/** A release as GitHub lists it. */
export function recordOf({ id, tag, name, notes, isDraft }: Release) {
  return { id, tag_name: tag, name, body: notes, draft: isDraft };
}
