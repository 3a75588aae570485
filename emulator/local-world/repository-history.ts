/** The history of the world's repository in the hands of a test: it grows, is rewritten, and forgotten. */

import type { LargeOptions } from "../github/history/large.ts";
import type { Permissions } from "../github/history/permissions.ts";
import { OWNER, WORKFLOW } from "../github/people.ts";
import type { LocalGitHub } from "./local-github.ts";
import { readJson } from "./read-json.ts";

export type MergeMethod = "merge" | "squash" | "rebase";

/** What a commit holds, who made it, and when. */
export interface CommitOptions {
  message?: string;
  /** Texts by their paths; `null` takes a file out. Default: a new file. */
  files?: Record<string, string | null>;
  /** Login. Default: `writer`. */
  author?: string;
  /** Default: now. */
  at?: Date;
}

export interface PullOptions {
  title?: string;
  body?: string;
  branch?: string;
  /** Default: `main`. */
  base?: string;
  /** Login. Default: `writer`. */
  author?: string;
  labels?: string[];
  /** Oldest first. Default: one. */
  commits?: CommitOptions[];
}

/** Steers the history of a world's repository, through GitHub's API as far as that goes. */
export class RepositoryHistory {
  readonly #gitHub: LocalGitHub;
  /** Trees by the commits that have them. */
  readonly #trees = new Map<string, string>();
  #count = 0;

  constructor(gitHub: LocalGitHub) {
    this.#gitHub = gitHub;
  }

  /** SHA of a branch's tip. */
  async tip(branch = "main"): Promise<string> {
    const ref = await this.#gitHub.api<{ object: { sha: string } }>(`/git/ref/heads/${branch}`);
    return ref.object.sha;
  }

  /** Pushes commits onto a branch, one after the other; returns the SHA of the last. */
  async push(commits: CommitOptions | CommitOptions[], branch = "main"): Promise<string> {
    return this.#set(branch, await this.#commits(await this.tip(branch), [commits].flat()), false);
  }

  /** Sets a branch to a commit, whatever it was; with `commits`, to those on top of it. */
  async forcePush(sha: string, commits: CommitOptions[] = [], branch = "main"): Promise<string> {
    return this.#set(branch, await this.#commits(sha, commits), true);
  }

  /** Opens a pull request; returns its number. */
  async openPull(options: PullOptions = {}): Promise<number> {
    this.#count += 1;
    const { base = "main", author = "writer", body = "", labels = [] } = options;
    const { title = `Improve ${this.#count}`, branch = `work/${this.#count}` } = options;
    const sha = await this.#commits(await this.tip(base), options.commits ?? [{ author }]);
    await this.#post("/git/refs", { ref: `refs/heads/${branch}`, sha });
    const pull = { title, body, head: branch, base };
    const { number } = await this.#post<{ number: number }>("/pulls", pull, author);
    if (labels.length > 0) await this.label(number, ...labels);
    return number;
  }

  /** Merges one; returns the SHA that `merge_commit_sha` tells. */
  async merge(
    number: number,
    method: MergeMethod = "merge",
    login = "maintainer",
  ): Promise<string> {
    const token = this.#gitHub.tokenOf(login);
    const call = { method: "PUT", body: { merge_method: method }, token };
    return (await this.#gitHub.api<{ sha: string }>(`/pulls/${number}/merge`, call)).sha;
  }

  /** Opens one and merges it. */
  async land(
    options?: PullOptions,
    method?: MergeMethod,
  ): Promise<{ number: number; sha: string }> {
    const number = await this.openPull(options);
    return { number, sha: await this.merge(number, method) };
  }

  async close(number: number): Promise<void> {
    await this.#gitHub.api(`/pulls/${number}`, { method: "PATCH", body: { state: "closed" } });
  }

  async label(number: number, ...labels: string[]): Promise<void> {
    await this.#post(`/issues/${number}/labels`, { labels });
  }

  /** Lets GitHub no longer know a commit, as some time after a force-push. */
  async forget(sha: string): Promise<void> {
    await this.#control("gone", { repository: this.#gitHub.repository, sha });
  }

  /** Puts GitHub's clock forward, in milliseconds. */
  async advance(milliseconds: number): Promise<void> {
    await this.#control("clock", { advance: milliseconds });
  }

  /** Restricts what an account's token may do; `{}` lifts that. */
  async restrict(permissions: Permissions, login: string = WORKFLOW): Promise<void> {
    await this.#control("permissions", { login, ...permissions });
  }

  /** Switches the repository's issues on or off. */
  async setIssues(isOn: boolean): Promise<void> {
    await this.#gitHub.api("", { method: "PATCH", body: { has_issues: isOn } });
  }

  /** Makes another repository, in memory, with many merged pull requests; returns where it began. */
  async grow(options: LargeOptions): Promise<string> {
    return (await this.#control<{ start: string }>("large", options)).start;
  }

  async #commits(from: string, commits: readonly CommitOptions[]): Promise<string> {
    let sha = from;
    for (const options of commits) sha = await this.#commit(sha, options);
    return sha;
  }

  async #commit(parent: string, options: CommitOptions): Promise<string> {
    this.#count += 1;
    const { author = "writer", at, message = `Change ${this.#count}` } = options;
    const files = options.files ?? { [`src/file-${this.#count}.ts`]: `${this.#count}\n` };
    const tree = await this.#tree(parent, files);
    const date = at === undefined ? {} : { date: at.toISOString() };
    const person = { name: author, email: `${author}@users.noreply.github.com`, ...date };
    const commit = { message, tree, parents: [parent], author: person, committer: person };
    const { sha } = await this.#post<{ sha: string }>("/git/commits", commit);
    this.#trees.set(sha, tree);
    return sha;
  }

  async #tree(parent: string, files: Record<string, string | null>): Promise<string> {
    const base =
      this.#trees.get(parent) ??
      (await this.#gitHub.api<{ tree: { sha: string } }>(`/git/commits/${parent}`)).tree.sha;
    const tree = Object.entries(files).map(([path, content]) => {
      const file = { path, mode: "100644", type: "blob" };
      return content === null ? { ...file, sha: null } : { ...file, content };
    });
    if (tree.length === 0) return base;
    return (await this.#post<{ sha: string }>("/git/trees", { base_tree: base, tree })).sha;
  }

  async #set(branch: string, sha: string, force: boolean): Promise<string> {
    const body = { sha, force };
    await this.#gitHub.api(`/git/refs/heads/${branch}`, { method: "PATCH", body });
    return sha;
  }

  #post<Answer>(path: string, body: unknown, login: string = OWNER): Promise<Answer> {
    const token = this.#gitHub.tokenOf(login);
    return this.#gitHub.api<Answer>(path, { method: "POST", body, token });
  }

  #control<Answer>(path: string, body: unknown): Promise<Answer> {
    return readJson<Answer>(`${this.#gitHub.url}/_emulator/${path}`, body);
  }
}
