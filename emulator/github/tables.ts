/** Refs, issues and comments, as they are and as they were: for reads from an outdated copy of the database. */

import type { Comment, Issue } from "./state.ts";

interface Rows {
  /** SHAs by the whole names of refs. */
  refs: Map<string, string>;
  /** With the pull requests, by their numbers. */
  issues: Map<number, Issue>;
  comments: Map<number, Comment>;
}

type Row<T extends keyof Rows> = Rows[T] extends Map<unknown, infer Value> ? Value : never;

/** What a key had until a moment; undefined if nothing. */
interface Change {
  at: number;
  table: keyof Rows;
  key: string | number;
  before: unknown;
}

/** Minimum number of changes that are remembered. */
const REMEMBERED = 1_000;

export class Tables {
  #rows: Rows = { refs: new Map(), issues: new Map(), comments: new Map() };
  readonly #changes: Change[] = [];
  readonly #now: () => number;

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

  /** Puts a row into a table, changes fields of a row, or deletes it (null). */
  protected put<T extends keyof Rows, R extends Row<T>>(
    table: T,
    key: string | number,
    row: R | null,
    fields: Partial<R> = {},
  ): void {
    const rows = this.#rows[table] as Map<unknown, unknown>;
    const held = rows.get(key);
    const before = typeof held === "object" ? { ...held } : held;
    this.#changes.push({ at: this.#now(), table, key, before });
    if (this.#changes.length > 2 * REMEMBERED) this.#changes.splice(0, REMEMBERED);
    if (row === null) rows.delete(key);
    else rows.set(key, typeof row === "object" ? Object.assign(row, fields) : row);
  }

  /** Restores everything to what it was at a moment, until the result is called. */
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
      const rows = then[change.table] as Map<unknown, unknown>;
      if (change.before === undefined) rows.delete(change.key);
      else rows.set(change.key, change.before);
    }
    this.#rows = then;
    return () => {
      this.#rows = now;
    };
  }
}
