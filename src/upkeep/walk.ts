/** Looks at the changes of a repository, oldest first, one at a time; what is not looked at waits. */

import { FILE_PAGES, type Files, type History } from "../github/history.ts";
import type { Commit, Pull } from "../github/history-records.ts";
import { type Entry, rebased, splitEntry } from "./attribution.ts";
import {
  changeOfCommit,
  changeOfPull,
  keyOf,
  type SourceChange,
  type SourceCursor,
} from "./changes.ts";
import {
  type Filters,
  formerOf,
  isSameDifference,
  ownPulls,
  passedOver,
  passedOverByFiles,
} from "./filters.ts";
import type { Range } from "./range.ts";

/** A change that was looked at. */
export type Item = {
  change: SourceChange;
  /** The cursor once this change and all before it are dealt with. */
  after: SourceCursor;
} & ({ fate: "counts" | "known" } | { fate: "passed over"; why: string });

/**
 * Requests that every run may make for the changes of a repository, whatever reading its history took: as
 * many as one change needs at most, or a run would come no further than the one before it.
 */
const LEAST_REQUESTS = 6;

export interface WalkOptions {
  filters: Filters;
  /** Whether the ledger holds a change, by its key. */
  isKnown(key: string): boolean;
  /** How many requests may still be made. */
  left(): number;
}

type Fate = { fate: "counts" | "known" } | { fate: "passed over"; why: string };

export class Walk {
  readonly range: Range;
  readonly #history: History;
  readonly #options: WalkOptions;
  readonly #filters: Filters;
  readonly #told = new Set<string>();
  readonly #requestsBefore: number;
  #entries: Entry[];
  #after: SourceCursor;

  constructor(history: History, range: Range, options: WalkOptions) {
    this.range = range;
    this.#history = history;
    this.#options = options;
    const own = ownPulls(history.repository, range.pulls, options.filters.own);
    this.#filters = { ...options.filters, own };
    this.#entries = range.entries;
    this.#after = range.start;
    this.#requestsBefore = history.requests;
  }

  get repository(): string {
    return this.#history.repository;
  }

  /** When the next change landed, ISO 8601; undefined: there is none. */
  get nextAt(): string | undefined {
    const [entry] = this.#entries;
    return (entry?.undecided[0] ?? entry?.landing)?.committedAt;
  }

  /** Undefined: no change is left, or no request to look at the next. */
  async next(): Promise<Item | undefined> {
    const entry = await this.#decided();
    if (entry === undefined) return undefined;
    const change = this.#changeOf(entry);
    const fate = await this.#fateOf(change, entry);
    if (fate === undefined) return undefined;
    this.#told.add(keyOf(change));
    this.#entries = this.#entries.slice(1);
    const { landing } = entry;
    // A commit that brought in several changes is behind the cursor with the last of them.
    if (this.#entries[0]?.landing !== landing) this.#after = this.#cursorAt(landing);
    return { change, after: this.#after, ...fate };
  }

  /** Those not looked at yet that may count, without their files; their number is an estimate. */
  waiting(): SourceChange[] {
    return this.#entries
      .flatMap((entry) => {
        // A rebase has one committer.
        const { committer } = entry.landing;
        const own = entry.undecided.filter((commit) => commit.committer === committer);
        return splitEntry(entry, own.length);
      })
      .map((entry) => this.#changeOf(entry))
      .filter(
        (change) => !this.#isKnown(change) && passedOver(change, this.#filters) === undefined,
      );
  }

  /** The next entry, once it is known what belongs to it. */
  async #decided(): Promise<Entry | undefined> {
    const [entry, ...rest] = this.#entries;
    if (entry === undefined) return undefined;
    const { landing, pull, undecided } = entry;
    const { hasAllPulls, branch } = this.range;
    if (pull === undefined ? hasAllPulls : undecided.length === 0) return entry;
    // One to find that out, and one for the files.
    if (this.#left() < 2) return undefined;
    if (pull !== undefined) {
      const own = await this.#history.pullCommits(pull.number);
      this.#entries = [...splitEntry(entry, rebased(entry, own)), ...rest];
    } else {
      const pulls = await this.#history.pullsOf(landing.sha, branch.name);
      const found = pulls.map((one): Entry => ({ landing, pull: one, undecided: [] }));
      if (found.length > 0) this.#entries = [...found, ...rest];
    }
    return this.#entries[0];
  }

  /** Undefined: that takes requests that are not left. */
  async #fateOf(change: SourceChange, { landing, pull }: Entry): Promise<Fate | undefined> {
    if (this.#isKnown(change)) return { fate: "known" };
    const why = passedOver(change, this.#filters);
    if (why !== undefined) return { fate: "passed over", why };
    const read = await this.#filesOf(landing.sha, pull);
    if (read === undefined) return undefined;
    change.files = read.files;
    change.hasMoreFiles = !read.isComplete;
    const former = pull === undefined ? formerOf(landing, this.range.dropped) : undefined;
    if (former !== undefined) {
      const isSame = await this.#isSame(former, landing, read);
      if (isSame === undefined) return undefined;
      if (isSame) return { fate: "passed over", why: sameAs(former) };
    }
    const whyByFiles = passedOverByFiles(read.files, read.isComplete, this.#filters);
    if (whyByFiles !== undefined) return { fate: "passed over", why: whyByFiles };
    return { fate: "counts" };
  }

  async #filesOf(sha: string, pull?: Pull): Promise<Files | undefined> {
    const pages = Math.min(FILE_PAGES, this.#left());
    if (pages < 1) return undefined;
    const read =
      pull === undefined
        ? await this.#history.commitFiles(sha, pages)
        : await this.#history.pullFiles(pull.number, pages);
    if (read === undefined) return { files: [], isComplete: false };
    return read.isComplete || pages === FILE_PAGES ? read : undefined;
  }

  /** Whether a commit is another one made anew, with the same changes. */
  async #isSame(former: Commit, landing: Commit, files: Files): Promise<boolean | undefined> {
    if (former.tree === landing.tree) return true;
    const before = await this.#filesOf(former.sha);
    if (before === undefined) return undefined;
    return before.isComplete && isSameDifference(before.files, files.files);
  }

  #left(): number {
    const made = this.#history.requests - this.#requestsBefore;
    return Math.max(this.#options.left(), LEAST_REQUESTS - made);
  }

  #isKnown(change: SourceChange): boolean {
    const key = keyOf(change);
    return this.#told.has(key) || this.#options.isKnown(key);
  }

  #changeOf({ landing, pull }: Entry): SourceChange {
    return pull === undefined
      ? changeOfCommit(this.repository, landing)
      : changeOfPull(this.repository, pull, landing);
  }

  /** The date never goes back, nor into the future, whatever clocks the commits were made by. */
  #cursorAt({ sha, committedAt }: Commit): SourceCursor {
    const at = Math.min(Date.parse(committedAt) || 0, this.range.branch.now);
    const latest = Math.max(at, Date.parse(this.#after.date));
    return { sha, date: new Date(latest).toISOString() };
  }
}

function sameAs({ sha }: Commit): string {
  return `the same as ${sha.slice(0, 7)}, from before the branch was rewritten`;
}

/** What was looked at, in the order in which it landed; and where each repository's cursor is then. */
export interface CollectedChanges {
  items: (Item & { walk: Walk })[];
  /** By `owner/name`. */
  cursors: Map<string, SourceCursor>;
  /** What was not looked at, oldest first in each repository. */
  waiting: SourceChange[];
}

/** Looks at changes, oldest first over all repositories, until so many count. */
export async function collectChanges(
  walks: readonly Walk[],
  most: number,
): Promise<CollectedChanges> {
  const items: CollectedChanges["items"] = [];
  const cursors = new Map(walks.map(({ repository, range }) => [repository, range.start]));
  const open = new Set(walks);
  let counting = 0;
  while (counting < most) {
    const walk = oldest([...open]);
    if (walk === undefined) break;
    const item = await walk.next();
    if (item === undefined) {
      open.delete(walk);
      continue;
    }
    items.push({ ...item, walk });
    cursors.set(walk.repository, item.after);
    if (item.fate === "counts") counting += 1;
  }
  return { items, cursors, waiting: walks.flatMap((walk) => walk.waiting()) };
}

function oldest(walks: readonly Walk[]): Walk | undefined {
  const at = ({ nextAt }: Walk) =>
    nextAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(nextAt);
  return walks
    .filter(({ nextAt }) => nextAt !== undefined)
    .reduce<Walk | undefined>(
      (best, walk) => (best === undefined || at(walk) < at(best) ? walk : best),
      undefined,
    );
}
