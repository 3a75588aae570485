/**
 * A repository that is there in memory only: its history of commits and pull requests, for those who read
 * thousands of them. It takes none of the ways through GitHub's own emulator, has no files but their
 * names, and grows in microseconds.
 */

import { createHash } from "node:crypto";
import { between, type Node } from "./graph.ts";

export interface MemoryCommit extends Node {
  message: string;
  author: string;
  committer: string;
  /** Milliseconds since 1970. */
  authoredAt: number;
  files: readonly string[];
}

export interface MemoryPull {
  number: number;
  title: string;
  body: string;
  author: string;
  labels: string[];
  branch: string;
  base: string;
  state: "open" | "closed";
  /** Its own commits, oldest first. */
  commits: MemoryCommit[];
  updatedAt: number;
  mergedAt: number | null;
  mergeSha: string;
  /** The commits that its merge put on the base. */
  landed: string[];
}

export interface NewCommit {
  message?: string;
  author?: string;
  committer?: string;
  authoredAt?: number;
  files?: readonly string[];
}

export interface NewPull
  extends Partial<Pick<MemoryPull, "title" | "body" | "author" | "labels" | "branch" | "base">> {
  /** Default: one. */
  commits?: readonly NewCommit[];
}

export class MemoryRepository {
  readonly name: string;
  readonly commits = new Map<string, MemoryCommit>();
  /** SHAs by the names of branches and tags. */
  readonly refs = new Map<string, string>();
  readonly pulls: MemoryPull[] = [];
  readonly gone = new Set<string>();
  readonly #now: () => number;
  #count = 0;

  /** @param now GitHub's time, in milliseconds since 1970. */
  constructor(name: string, now: () => number = Date.now) {
    this.name = name;
    this.#now = now;
    this.refs.set("main", this.#commit([], { message: "Initial commit" }).sha);
  }

  find = (sha: string): MemoryCommit | undefined => this.commits.get(sha);

  now(): number {
    return this.#now();
  }

  tip(branch = "main"): string {
    return this.refs.get(branch) ?? "";
  }

  /** Pushes a commit; returns its SHA. */
  push(commit: NewCommit = {}, branch = "main"): string {
    const { sha } = this.#commit([this.tip(branch)], commit);
    this.refs.set(branch, sha);
    return sha;
  }

  /** Pushes what a merge of two commits on a machine is: the first parent, and the others. */
  pushMerge(parents: readonly string[], commit: NewCommit = {}, branch = "main"): string {
    const { sha } = this.#commit(parents, commit);
    this.refs.set(branch, sha);
    return sha;
  }

  /** Makes a commit that no branch leads to yet. */
  commit(parent: string, commit: NewCommit = {}): string {
    return this.#commit([parent], commit).sha;
  }

  openPull({ commits = [{}], ...given }: NewPull = {}): MemoryPull {
    const number = this.pulls.length + 1;
    const base = given.base ?? "main";
    const author = given.author ?? "writer";
    let tip = this.tip(base);
    const own = commits.map((commit) => {
      const made = this.#commit([tip], { author, ...commit });
      tip = made.sha;
      return made;
    });
    const pull: MemoryPull = {
      number,
      title: given.title ?? `Improve ${number}`,
      body: given.body ?? "",
      author,
      labels: given.labels ?? [],
      branch: given.branch ?? `work/${number}`,
      base,
      state: "open",
      commits: own,
      updatedAt: this.#now(),
      mergedAt: null,
      mergeSha: createHash("sha1").update(`trial ${number}`).digest("hex"),
      landed: [],
    };
    this.refs.set(pull.branch, tip);
    this.pulls.push(pull);
    return pull;
  }

  merge(
    pull: MemoryPull,
    method: "merge" | "squash" | "rebase" = "merge",
    by = "maintainer",
  ): void {
    const landed = this.#land(pull, method, by);
    const sha = landed.at(-1) ?? "";
    this.refs.set(pull.base, sha);
    const now = this.#now();
    Object.assign(pull, { state: "closed", mergedAt: now, updatedAt: now, mergeSha: sha, landed });
  }

  land(pull?: NewPull, method?: "merge" | "squash" | "rebase"): MemoryPull {
    const opened = this.openPull(pull);
    this.merge(opened, method);
    return opened;
  }

  close(pull: MemoryPull): void {
    Object.assign(pull, { state: "closed", updatedAt: this.#now() });
  }

  /** Sets a branch to a commit, whatever it was. */
  forcePush(sha: string, branch = "main"): void {
    this.refs.set(branch, sha);
  }

  /** Makes the commits of a branch after `from` anew, as a rebase on a machine does. */
  rewrite(from: string, onto: string, branch = "main"): string {
    let tip = onto;
    for (const commit of between(this.find, from, this.tip(branch))) {
      const { message, author, authoredAt, files, committer } = commit;
      tip = this.#commit([tip], { message, author, authoredAt, files, committer }).sha;
    }
    this.refs.set(branch, tip);
    return tip;
  }

  #land(pull: MemoryPull, method: string, by: string): string[] {
    const base = this.tip(pull.base);
    const files = [...new Set(pull.commits.flatMap((commit) => commit.files))];
    if (method === "rebase") {
      let tip = base;
      return pull.commits.map(({ message, author, authoredAt, files }) => {
        tip = this.#commit([tip], { message, author, authoredAt, files, committer: by }).sha;
        return tip;
      });
    }
    if (method === "squash") {
      const message = `${pull.title} (#${pull.number})`;
      const commit = { message, author: pull.author, committer: "GitHub", files };
      return [this.#commit([base], commit).sha];
    }
    const message = `Merge pull request #${pull.number} from ${pull.branch}\n\n${pull.title}`;
    const parents = [base, pull.commits.at(-1)?.sha ?? base];
    return [this.#commit(parents, { message, author: by, committer: "GitHub", files }).sha];
  }

  #commit(parents: readonly string[], given: NewCommit): MemoryCommit {
    this.#count += 1;
    const { message = `Change ${this.#count}`, author = "writer" } = given;
    const sha = createHash("sha1").update(`${this.name} ${this.#count} ${parents}`).digest("hex");
    const at = this.#now();
    const { authoredAt = at, committer = author } = given;
    const files = given.files ?? [`src/file-${this.#count}.ts`];
    const commit = { sha, parents, at, message, author, committer, authoredAt, files };
    this.commits.set(sha, commit);
    return commit;
  }
}
