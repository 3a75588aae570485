/** Git in memory, as far as the ledger's engine needs it: its commits, and one ref. */

import type { Git } from "../../src/ledger/store.ts";

type Files = Readonly<Record<string, string>>;
type Moved = Awaited<ReturnType<Git["move"]>>;

/** The commits that were made. Before a ref names one, nobody notices it. */
export class Commits {
  readonly #commits = new Map<string, { parent: string | null; files: Files }>();
  /** By their content. */
  readonly #shas = new Map<string, string>();

  /** As git does: the same content is the same commit, whoever makes it. */
  add(parent: string | null, changed: Files, message: string): string {
    const before = parent === null ? {} : this.#commits.get(parent)?.files;
    const files = { ...before, ...changed };
    const content = JSON.stringify([parent, changed, message]);
    const sha = this.#shas.get(content) ?? String(this.#shas.size + 1).padStart(40, "c");
    this.#shas.set(content, sha);
    this.#commits.set(sha, { parent, files });
    return sha;
  }

  readFile(sha: string | null, path: string): string | null {
    return this.#commits.get(sha ?? "")?.files[path] ?? null;
  }

  contains(head: string | null, sha: string): boolean {
    if (head === null || head === sha) return head === sha;
    return this.contains(this.#commits.get(head)?.parent ?? null, sha);
  }

  /** Takes a commit away, as GitHub does some time after no ref names it. */
  forget(sha: string): void {
    this.#commits.delete(sha);
  }

  /** Whether GitHub moves a ref that names `head`: it makes one that is missing, or moves one forward. */
  move(head: string | null, { from, to }: Move): Moved {
    const isTaken = from === null ? head !== null : !this.contains(to, head ?? "");
    return isTaken ? TAKEN : { type: "moved" };
  }
}

/** What a run asks for: a ref that named `from` is to name `to`. */
export interface Move {
  from: string | null;
  to: string;
}

const TAKEN: Moved = {
  type: "refused",
  reason: "Update is not a fast forward",
  kind: "github-refused",
  isRace: true,
};

/** The answer to a request whose connection is lost, whether it was done or not. */
export const UNANSWERED: Moved = { type: "unanswered", reason: "GitHub did not answer" };

const FORBIDDEN: Moved = {
  type: "refused",
  reason: "a rule forbids it",
  kind: "github-refused",
  isRace: false,
};

/** How the next move of the ref ends, other than well. */
export type MoveFault =
  /** It is done, and its answer is lost. */
  | "answer lost"
  /** It is not done, and its answer is lost. */
  | "lost"
  /** GitHub refuses it, with no word about another run. */
  | "refused";

/** A ref that unit tests of the engine set, and whose requests they let fail. */
export class MemoryGit implements Git {
  readonly #commits = new Commits();
  /** The commit that the ref names. */
  sha: string | null = null;
  /** GitHub's time, in milliseconds since 1970. */
  now = 0;
  /** The answers to the next reads of the ref, if they differ from what it names. */
  readonly reads: (string | null)[] = [];
  readonly faults: MoveFault[] = [];
  /** The moves that were asked for. */
  readonly moves: Move[] = [];
  /** Called before the ref is moved. */
  beforeMove: () => void = () => {};
  pauses = 0;

  async readRef() {
    const [stale] = this.reads.splice(0, 1);
    return { sha: stale === undefined ? this.sha : stale, now: this.now };
  }

  async readFile(sha: string | null, path: string) {
    return this.#commits.readFile(sha, path);
  }

  async listRefs() {
    return [];
  }

  forget(sha: string): void {
    this.#commits.forget(sha);
  }

  async commit(parent: string | null, files: Files, message = "") {
    return this.#commits.add(parent, files, message);
  }

  async move(from: string | null, to: string): Promise<Moved> {
    this.moves.push({ from, to });
    this.beforeMove();
    const [fault] = this.faults.splice(0, 1);
    if (fault === "lost") return UNANSWERED;
    if (fault === "refused") return FORBIDDEN;
    const moved = this.#commits.move(this.sha, { from, to });
    if (moved.type === "moved") this.sha = to;
    return fault === "answer lost" && moved.type === "moved" ? UNANSWERED : moved;
  }

  async contains(head: string, sha: string): Promise<boolean> {
    return this.#commits.contains(head, sha);
  }

  /** Waits no time. @returns false after the third attempt */
  async pause(attempt: number) {
    this.pauses += 1;
    return attempt < 4;
  }
}
