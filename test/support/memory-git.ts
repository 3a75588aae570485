/** A git ref in memory, for unit tests of what the ledger's engine asks of it. */

import type { Git } from "../../src/ledger/store.ts";

/** How the next move of the ref ends, other than well. */
export type MoveFault =
  /** It is done, and its answer is lost. */
  | "answer lost"
  /** It is not done, and its answer is lost. */
  | "lost"
  /** GitHub refuses it, with no word about another run. */
  | "refused";

export class MemoryGit implements Git {
  readonly #commits = new Map<string, { parent: string | null; files: Record<string, string> }>();
  /** The commit that the ref names. */
  sha: string | null = null;
  /** GitHub's time, in milliseconds since 1970. */
  now = 0;
  /** The answers to the next reads of the ref, if they differ from what it names. */
  readonly reads: (string | null)[] = [];
  readonly faults: MoveFault[] = [];
  /** The moves that were asked for. */
  readonly moves: { from: string | null; to: string }[] = [];
  /** Called before the ref is moved. */
  beforeMove: () => void = () => {};
  pauses = 0;

  async readRef() {
    const [stale] = this.reads.splice(0, 1);
    return { sha: stale === undefined ? this.sha : stale, now: this.now };
  }

  async readFile(sha: string | null, path: string) {
    return this.#commits.get(sha ?? "")?.files[path] ?? null;
  }

  async listRefs() {
    return [];
  }

  /** Takes a commit away, as GitHub does some time after no ref names it. */
  forget(sha: string): void {
    this.#commits.delete(sha);
  }

  async commit(parent: string | null, files: Record<string, string>) {
    const sha = String(this.#commits.size + 1).padStart(40, "c");
    this.#commits.set(sha, {
      parent,
      files: { ...this.#commits.get(parent ?? "")?.files, ...files },
    });
    return sha;
  }

  async move(from: string | null, to: string): ReturnType<Git["move"]> {
    this.moves.push({ from, to });
    this.beforeMove();
    const [fault] = this.faults.splice(0, 1);
    if (fault === "lost") return { type: "unanswered", reason: "GitHub did not answer" };
    if (fault === "refused")
      return {
        type: "refused",
        reason: "a rule forbids it",
        kind: "github-refused",
        isRace: false,
      };
    if (this.sha !== from)
      return {
        type: "refused",
        reason: "not a fast forward",
        kind: "github-refused",
        isRace: true,
      };
    this.sha = to;
    if (fault === "answer lost") return { type: "unanswered", reason: "GitHub did not answer" };
    return { type: "moved" };
  }

  async contains(head: string, sha: string): Promise<boolean> {
    if (head === sha) return true;
    const parent = this.#commits.get(head)?.parent ?? null;
    return parent !== null && (await this.contains(parent, sha));
  }

  /** Waits no time. @returns false after the third attempt */
  async pause(attempt: number) {
    this.pauses += 1;
    return attempt < 4;
  }
}
