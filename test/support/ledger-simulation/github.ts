import type {
  Change,
  Checkpoint,
  LedgerComment,
  LedgerRecord,
} from "../../../src/ledger/model/record.ts";

/** Something that a run signed, with the key of its time. */
export interface Signed<T> {
  value: T;
  key: number;
}

export interface SimulatedComment {
  id: number;
  createdAt: number;
  updatedAt: number;
  /** Null: the text of a person, or what a person made of it. */
  signed: Signed<LedgerRecord<Change>> | null;
  /** Written by a person. */
  isForeign: boolean;
}

export interface SimulatedBody {
  signed: Signed<Checkpoint<Change>> | null;
  ticked: readonly string[];
  isClosed: boolean;
}

/** The issue at one moment. */
export interface Issue {
  time: number;
  body: SimulatedBody;
  comments: readonly SimulatedComment[];
}

/**
 * An issue: comments with ids and times, a body, and no way to change anything only if it is as it was.
 * Remembers what it was a while ago, for answers that are behind.
 */
export class SimulatedIssue {
  time = Date.UTC(2026, 0, 1);
  /** Newest last. */
  #versions: Issue[] = [];
  #nextId = 1;
  /** Everything that ever stood in a comment, newest last. */
  readonly former: { id: number; signed: Signed<LedgerRecord<Change>> }[] = [];

  constructor(body: SimulatedBody) {
    this.#versions.push({ time: this.time, body, comments: [] });
  }

  get now(): Issue {
    return this.#versions.at(-1) as Issue;
  }

  /** As it was at least this many milliseconds ago, as far as remembered. */
  before(age: number): Issue {
    return (
      this.#versions.findLast(({ time }) => time <= this.time - age) ??
      this.#versions[0] ??
      this.now
    );
  }

  /** Whole seconds, as GitHub's. */
  get clock(): number {
    return Math.floor(this.time / 1000) * 1000;
  }

  post(signed: SimulatedComment["signed"], isForeign = false): number {
    const id = this.#nextId++;
    const [createdAt, updatedAt] = [this.clock, this.clock];
    const comment = { id, createdAt, updatedAt, signed, isForeign };
    this.#change({ comments: [...this.now.comments, comment] });
    this.#keep(id, signed);
    return id;
  }

  /** False if there is no such comment. */
  edit(id: number, signed: SimulatedComment["signed"]): boolean {
    if (!this.now.comments.some((comment) => comment.id === id)) return false;
    const comments = this.now.comments.map((comment) =>
      comment.id === id ? { ...comment, signed, updatedAt: this.clock } : comment,
    );
    this.#change({ comments });
    this.#keep(id, signed);
    return true;
  }

  remove(id: number): void {
    this.#change({ comments: this.now.comments.filter((comment) => comment.id !== id) });
  }

  writeBody(body: Partial<SimulatedBody>): void {
    this.#change({ body: { ...this.now.body, ...body } });
  }

  /** Makes it what it was. */
  restore(issue: Issue): void {
    this.#change(issue);
  }

  #change(change: Partial<Issue>): void {
    this.#versions.push({ ...this.now, ...change, time: this.time });
    if (this.#versions.length > 30) this.#versions.shift();
  }

  #keep(id: number, signed: SimulatedComment["signed"]): void {
    if (signed !== null) this.former.push({ id, signed });
  }
}

/** The comments as a run with this key, and the one before it, reads them. */
export function readComments(
  issue: Issue,
  key: number,
  since: number | null,
): LedgerComment<Change>[] {
  return issue.comments
    .filter(({ updatedAt }) => since === null || updatedAt > since)
    .map(({ id, createdAt, updatedAt, signed }) => ({
      id,
      createdAt,
      updatedAt,
      record: signed !== null && isValid(signed, key) ? signed.value : null,
    }));
}

export function readCheckpoint({ body }: Issue, key: number): Checkpoint<Change> | null {
  return body.signed !== null && isValid(body.signed, key) ? body.signed.value : null;
}

function isValid(signed: Signed<unknown>, key: number): boolean {
  return signed.key === key || signed.key === key - 1;
}
