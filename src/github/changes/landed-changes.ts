/** Reads what landed on a branch since a cursor, change by change, in as few requests as possible. */

import { DAY } from "../../runtime/clock.ts";
import { isServerFault } from "../api/refusal.ts";
import { attributeCommits, isRecent, mayBePulls, splitEntry } from "./attribution.ts";
import { type ChangeDetails, detailsOf } from "./change-details.ts";
import type { BranchCursor, Gained } from "./gained-commits.ts";
import type { History } from "./history.ts";
import type { Commit, FileList, Pull } from "./history-records.ts";

/** One change of a branch. */
export interface LandedChange {
  details: ChangeDetails;
  /** Undefined if the commit itself is the change. */
  pull: Pull | undefined;
  /** SHA of the same commit before the branch was rewritten; null if there is none. */
  former: string | null;
  /** Everything up to the change is decided. */
  cursor: BranchCursor;
}

/** Tolerance for clocks: a pull request may seem to have been updated before the cursor's commit. */
const CLOCK_SKEW = DAY;

/**
 * The changes of a branch, oldest first: each pull request once, and each commit without one.
 *
 * @param now GitHub's time, in milliseconds since 1970
 * @param mayAsk whether the budget allows more requests. If not, a later run goes on at the first commit that GitHub
 *   has to be asked about.
 */
export async function* landedChanges(
  history: History,
  gained: Gained,
  place: { id: number; repository: string; branch: string },
  now: number,
  mayAsk: () => boolean,
): AsyncGenerator<LandedChange> {
  let cursor = gained.start;
  const from = Math.min(Date.parse(cursor.date) || 0, now) - CLOCK_SKEW;
  const { pulls, isComplete } = await history.mergedPulls(from);
  const entries = attributeCommits(gained, pulls);
  const rebased = entries.filter(({ undecided }) => undecided.length > 0);
  const own = await history.commitsOfPulls(rebased.flatMap(({ pull }) => pull?.number ?? []));
  const changes = entries.flatMap((entry) => splitEntry(entry, own));
  for (const [nth, { landing, pull: listed }] of changes.entries()) {
    const mayBeLate = listed === undefined && (!isComplete || mayBePulls(landing, now));
    // The cursor moves past all changes of a commit, so a commit that was begun is finished.
    if (mayBeLate && landing !== changes[nth - 1]?.landing && !mayAsk()) return;
    const asked = mayBeLate ? await history.mergedPullOf(landing.sha, place) : listed;
    // An old copy of GitHub's database lacks the commit: a later run goes on there.
    if (asked === "unknown" && isRecent(landing, now)) return;
    const pull = asked === "unknown" ? undefined : asked;
    const former = pull === undefined ? await formerOf(landing, gained.dropped, history) : null;
    if (landing !== changes[nth + 1]?.landing) cursor = cursorAt(landing, cursor, now);
    yield { details: detailsOf(place, landing, pull), pull, former, cursor };
  }
}

/** Finds the same commit from before the branch was rewritten, by its identity. */
async function formerOf(
  landing: Commit,
  dropped: readonly Commit[],
  history: History,
): Promise<string | null> {
  const former = dropped.find(({ identity }) => identity === landing.identity);
  if (former === undefined) return null;
  if (former.tree === landing.tree) return former.sha;
  const before = await filesOf(former.sha, history);
  const now = await filesOf(landing.sha, history);
  if (before === undefined || now === undefined) return null;
  return JSON.stringify(before.files) === JSON.stringify(now.files) ? former.sha : null;
}

/** Undefined also if they are too many for GitHub. */
async function filesOf(sha: string, history: History): Promise<FileList | undefined> {
  try {
    return await history.commitFiles(sha);
  } catch (error) {
    if (!isServerFault(error)) throw error;
    return undefined;
  }
}

/** The date never goes back or into the future, even if the clocks of the authors were wrong. */
function cursorAt({ sha, committedAt }: Commit, { date }: BranchCursor, now: number): BranchCursor {
  const at = Math.min(Date.parse(committedAt) || 0, now);
  return { sha, date: new Date(Math.max(at, Date.parse(date) || 0)).toISOString() };
}
