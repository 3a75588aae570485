/** What can be read from a copy of the database that is behind: refs, issues and comments as they were. */

import type { Comment, Issue } from "./state.ts";

interface Rows {
  /** SHAs by the whole names of refs. */
  refs: Map<string, string>;
  /** With the pull requests, by their numbers. */
  issues: Map<number, Issue>;
  /** By their ids. */
  comments: Map<number, Comment>;
}

/** What a key held until a moment; undefined: nothing. */
interface Change {
  at: number;
  table: keyof Rows;
  key: string | number;
  before: unknown;
}

/** So many changes are remembered at least. */
const REMEMBERED = 1_000;

export class Tables {
  #rows: Rows = { refs: new Map(), issues: new Map(), comments: new Map() };
  readonly #changes: Change[] = [];
  readonly #now: () => number;

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  get refs(): ReadonlyMap<string, string> {
    return this.#rows.refs;
  }

  get issues(): ReadonlyMap<number, Issue> {
    return this.#rows.issues;
  }

  get comments(): ReadonlyMap<number, Comment> {
    return this.#rows.comments;
  }

  setRef(ref: string, sha: string | null): void {
    this.#remember("refs", ref);
    if (sha === null) this.#rows.refs.delete(ref);
    else this.#rows.refs.set(ref, sha);
  }

  /** Puts an issue in, or changes the one that is there. */
  setIssue(issue: Issue, fields: Partial<Issue> = {}): void {
    this.#remember("issues", issue.number);
    this.#rows.issues.set(issue.number, Object.assign(issue, fields));
  }

  setComment(comment: Comment, fields: Partial<Comment> = {}): void {
    this.#remember("comments", comment.id);
    this.#rows.comments.set(comment.id, Object.assign(comment, fields));
  }

  deleteComment({ id }: Comment): void {
    this.#remember("comments", id);
    this.#rows.comments.delete(id);
  }

  /** Lets everything be what it was at a moment, until the result is called. */
  rewind(at: number): () => void {
    const now = this.#rows;
    const { refs, issues, comments } = now;
    const then: Rows = {
      refs: new Map(refs),
      issues: new Map(issues),
      comments: new Map(comments),
    };
    for (const change of this.#changes.toReversed()) {
      if (change.at <= at) break;
      const table = then[change.table] as Map<unknown, unknown>;
      if (change.before === undefined) table.delete(change.key);
      else table.set(change.key, change.before);
    }
    this.#rows = then;
    return () => {
      this.#rows = now;
    };
  }

  #remember(table: keyof Rows, key: string | number): void {
    const held = (this.#rows[table] as Map<unknown, unknown>).get(key);
    const before = typeof held === "object" ? { ...held } : held;
    this.#changes.push({ at: this.#now(), table, key, before });
    if (this.#changes.length > 2 * REMEMBERED) this.#changes.splice(0, REMEMBERED);
  }
}
