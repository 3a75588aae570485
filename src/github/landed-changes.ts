import { attributeCommits, type Entry, mayBePulls, rebased, splitEntry } from "./attribution.ts";
import { type ChangeDetails, detailsOf } from "./change-details.ts";
import type { BranchCursor, Gained } from "./gained.ts";
import { type History, PULLS_AT_ONCE } from "./history.ts";

import type { Commit, CommitIdentity, Pull } from "./history-records.ts";

/** A change that landed on a branch. */
export interface LandedChange {
  details: ChangeDetails;
  pull: Pull | null;
  /** SHA of the same commit before the branch was rewritten; empty if there is none. */
  former(): Promise<string>;
  /** The cursor after this change: everything up to it is decided. */
  cursor: BranchCursor;
}

interface LandedOptions {
  place: { id: number; repository: string };
  head: string;
  /** GitHub's time, in milliseconds since 1970. */
  now: number;
  /** Whether the budget allows more requests. If not, changes that need one are left for a later run. */
  mayAsk(): boolean;
}

/** Tolerance for clocks: a pull request may seem to have been updated before the cursor's commit. */
const CLOCK_SKEW = 24 * 60 * 60_000;

/** The changes of a branch, oldest first: each pull request once, and each commit without one. */
export async function* landedChanges(
  history: History,
  gained: Gained,
  { place, head, now, mayAsk }: LandedOptions,
): AsyncGenerator<LandedChange> {
  const { commits, isRewritten, dropped } = gained;
  let cursor = gained.start;
  if (commits.length === 0) return;
  const from = Math.min(Date.parse(cursor.date) || 0, now) - CLOCK_SKEW;
  const { pulls, isComplete } = await history.mergedPulls(from);
  const own = new Map<number, CommitIdentity[]>();
  const open = attributeCommits({ commits, head, pulls, isRewritten });
  for (let entry = open.shift(); entry !== undefined; entry = open.shift()) {
    const { landing, undecided } = entry;
    let { pull } = entry;
    const mayBeLate = pull === undefined && (!isComplete || mayBePulls(landing, now));
    if ((mayBeLate || undecided.length > 0) && !mayAsk()) return;
    if (pull !== undefined && undecided.length > 0) {
      if (!own.has(pull.number)) await readOwn(history, [entry, ...open], own);
      open.unshift(...splitEntry(entry, rebased(entry, own.get(pull.number) ?? [])));
      continue;
    }
    if (mayBeLate) pull = await history.pullOf(landing.sha);
    // If a commit contains several changes, the cursor moves past it with the last one.
    if (open[0]?.landing !== landing) cursor = cursorAt(landing, cursor, now);
    const isCommit = pull === undefined;
    yield {
      details: detailsOf(place, landing, pull ?? null),
      former: async () => (isCommit ? await formerOf(landing, dropped, history) : ""),
      ...{ pull: pull ?? null, cursor },
    };
  }
}

/** Reads the commits of the next pull requests that may be rebased, many at once. */
async function readOwn(
  history: History,
  entries: readonly Entry[],
  own: Map<number, CommitIdentity[]>,
): Promise<void> {
  const asked = entries.flatMap(({ pull, undecided }) =>
    pull !== undefined && undecided.length > 0 ? [pull.number] : [],
  );
  // GitHub may be unable to answer for many at once.
  const found = await history
    .commitsOfPulls(asked.slice(0, PULLS_AT_ONCE))
    .catch(() => history.commitsOfPulls(asked.slice(0, 1)));
  for (const [number, commits] of found) own.set(number, commits);
}

/** Finds the same commit from before the branch was rewritten, by its identity. */
async function formerOf(
  landing: Commit,
  dropped: readonly Commit[],
  history: History,
): Promise<string> {
  const former = dropped.find(({ identity }) => identity === landing.identity);
  if (former === undefined) return "";
  if (former.tree === landing.tree) return former.sha;
  const before = await history.commitWithFiles(former.sha);
  const now = await history.commitWithFiles(landing.sha);
  if (before === undefined || now === undefined) return "";
  return JSON.stringify(before.files) === JSON.stringify(now.files) ? former.sha : "";
}

/** The date never goes back or into the future, even if the clocks of the authors were wrong. */
function cursorAt({ sha, committedAt }: Commit, { date }: BranchCursor, now: number): BranchCursor {
  const at = Math.min(Date.parse(committedAt) || 0, now);
  return { sha, date: new Date(Math.max(at, Date.parse(date) || 0)).toISOString() };
}
