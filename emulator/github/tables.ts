/** Records of a repository, as they are and as they were: for reads from an outdated copy of the database. */

import type {
  CheckRun,
  CheckSuite,
  Comment,
  Issue,
  Review,
  ReviewComment,
  Status,
} from "./state.ts";

interface Rows {
  /** SHAs by the whole names of refs. */
  refs: Map<string, string>;
  /** With the pull requests, by their numbers. */
  issues: Map<number, Issue>;
  // By their IDs.
  comments: Map<number, Comment>;
  reviews: Map<number, Review>;
  reviewComments: Map<number, ReviewComment>;
  checkSuites: Map<number, CheckSuite>;
  checkRuns: Map<number, CheckRun>;
  statuses: Map<number, Status>;
}

/** The tables whose rows are records with an ID. */
type Lists = Omit<Rows, "refs" | "issues">;

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
  #rows: Rows = {
    refs: new Map(),
    issues: new Map(),
    comments: new Map(),
    reviews: new Map(),
    reviewComments: new Map(),
    checkSuites: new Map(),
    checkRuns: new Map(),
    statuses: new Map(),
  };
  /** The moment of what is read; null for now. */
  #readAt: number | null = null;
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

  get reviews(): readonly Review[] {
    return [...this.#rows.reviews.values()];
  }

  get reviewComments(): readonly ReviewComment[] {
    return [...this.#rows.reviewComments.values()];
  }

  get checkSuites(): readonly CheckSuite[] {
    return [...this.#rows.checkSuites.values()];
  }

  get checkRuns(): readonly CheckRun[] {
    return [...this.#rows.checkRuns.values()];
  }

  get statuses(): readonly Status[] {
    return [...this.#rows.statuses.values()];
  }

  /** When what is read was so: now, or the age of the copy that answers. */
  get readAt(): number {
    return this.#readAt ?? this.#now();
  }

  get isRewound(): boolean {
    return this.#readAt !== null;
  }

  /** Adds a record to a list. */
  add<T extends keyof Lists>(table: T, row: Row<T> & { id: number }): void {
    this.put(table, row.id, row);
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
    const [now, readAt] = [this.#rows, this.#readAt];
    const then: Rows = {
      refs: new Map(now.refs),
      issues: new Map(now.issues),
      comments: new Map(now.comments),
      reviews: new Map(now.reviews),
      reviewComments: new Map(now.reviewComments),
      checkSuites: new Map(now.checkSuites),
      checkRuns: new Map(now.checkRuns),
      statuses: new Map(now.statuses),
    };
    for (const change of this.#changes.toReversed()) {
      if (change.at <= at) break;
      const rows = then[change.table] as Map<unknown, unknown>;
      if (change.before === undefined) rows.delete(change.key);
      else rows.set(change.key, change.before);
    }
    this.#rows = then;
    this.#readAt = at;
    return () => {
      this.#rows = now;
      this.#readAt = readAt;
    };
  }
}
