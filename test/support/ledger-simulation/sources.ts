import type { Change } from "../../../src/ledger/model/record.ts";
import type { FoundChange } from "../../../src/ledger/model/select-changes.ts";

interface Commit {
  sha: string;
  change: Change;
  passedOver: boolean;
}

/** How many commits may lie before the beginning. They are not rewritten. */
const MOST_BEFORE = 2;

/** The branches that changes land on. */
export class SimulatedSources {
  readonly names: readonly string[];
  readonly #branches: Map<string, Commit[]>;
  /** From a commit that a force-push took away to how many commits before it are still there. */
  readonly #gone = new Map<string, number>();
  #counter = 0;

  constructor(names: readonly string[]) {
    this.names = names;
    this.#branches = new Map(names.map((name) => [name, []]));
  }

  /** A merged pull request of one or two commits, or a commit. */
  land(source: string, kind: "pull" | "commit", passedOver: boolean, time: number): void {
    const number = ++this.#counter;
    const repository = source.split("@")[0];
    const sha = `sha${number}`;
    const key = kind === "pull" ? `${repository}#${number}` : `${repository}@${sha}`;
    const commit = { sha, change: { key, landedAt: time }, passedOver };
    const branch = this.#branch(source);
    if (kind === "pull" && number % 3 === 0) branch.push({ ...commit, sha: `${sha}a` });
    branch.push(commit);
  }

  /** Rewrites the last commits: pull requests stay what they are, commits become others. */
  forcePush(source: string, count: number): void {
    const branch = this.#branch(source);
    const kept = Math.max(MOST_BEFORE, branch.length - count);
    for (const [sha, common] of this.#gone) this.#gone.set(sha, Math.min(common, kept));
    for (const [index, commit] of [...branch.entries()].slice(kept)) {
      this.#gone.set(commit.sha, kept);
      const sha = `${commit.sha}x${++this.#counter}`;
      const isPull = commit.change.key.includes("#");
      const key = isPull ? commit.change.key : `${source.split("@")[0]}@${sha}`;
      branch[index] = { ...commit, sha, change: { ...commit.change, key } };
    }
  }

  /** Where a first run may begin: before the first commit, or after one of the first. */
  beginnings(source: string): string[] {
    return [
      "start",
      ...this.#branch(source)
        .slice(0, MOST_BEFORE)
        .map(({ sha }) => sha),
    ];
  }

  /** What lies after a commit, oldest first. */
  after(source: string, cursor: string): FoundChange<Change>[] {
    const branch = this.#branch(source);
    const at = branch.findIndex(({ sha }) => sha === cursor);
    const first = at >= 0 ? at + 1 : (this.#gone.get(cursor) ?? 0);
    return branch.slice(first).map(({ sha, change, passedOver }) => ({
      change,
      source,
      sha,
      passedOver,
    }));
  }

  #branch(source: string): Commit[] {
    const branch = this.#branches.get(source);
    if (branch === undefined) throw new Error(`${source} is no source`);
    return branch;
  }
}
