/** Reads what landed on a branch since a cursor, change by change, in as few requests as possible. */

import { DAY } from "../../runtime/clock.ts";
import { attributeCommits, type Landed, mayBePulls, reachable, splitEntry } from "./attribution.ts";
import { type ChangeDetails, detailsOf } from "./change-details.ts";
import type { History } from "./history.ts";
import type { Commit, Pull } from "./history-records.ts";

/** Everything in a branch up to this commit is decided. */
export interface BranchCursor {
  /** Null if nothing is decided. */
  sha: string | null;
  /** Where to continue if GitHub no longer has the commit, ISO 8601. */
  date: string;
}

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

export interface Gained extends Landed {
  start: BranchCursor;
  /** The commits that the branch lost when it was rewritten. */
  dropped: readonly Commit[];
}

/** Maximum number of commits from before the start that are read in search of newer ones behind them. */
const MOST_STEPS = 20;

/** What reads the commits of a branch. */
type CommitReader = Pick<History, "compare" | "commitsSince" | "commit">;

/** What a branch gained since its cursor; undefined if it is more than can be read. @param head its tip */
export async function gainedSince(
  history: CommitReader,
  { sha, date }: BranchCursor,
  head: string,
): Promise<Gained | undefined> {
  const start = { sha, date };
  if (sha === null) return await gainedSinceDate(history, date, head, false);
  if (sha === head) return { start, line: [], known: new Map(), isRewritten: false, dropped: [] };
  const comparison = await history.compare(sha, head);
  if (comparison === undefined) return await gainedSinceDate(history, date, head, true);
  const { commits, isComplete, isDiverged: isRewritten } = comparison;
  if (!isComplete) return undefined;
  const former = isRewritten ? await history.compare(head, sha) : undefined;
  const known = bySha(commits);
  const line = lineBack(head, known);
  return { start, line, known, isRewritten, dropped: former?.commits ?? [] };
}

/** The commits since a time that are on the first-parent line from the head, and what they merged. */
async function gainedSinceDate(
  history: CommitReader,
  date: string,
  head: string,
  isRewritten: boolean,
): Promise<Gained | undefined> {
  const { items, isComplete } = await history.commitsSince(head, date);
  if (!isComplete) return undefined;
  const known = bySha(items);
  for (let steps = 0; ; steps += 1) {
    const line = lineBack(head, known);
    const sha = line.length === 0 ? head : (line[0]?.parents[0] ?? null);
    // A commit may have an earlier date than its ancestors, for example if it was pushed late.
    const isEnough = steps === MOST_STEPS || reachable(known, [head]).size === known.size;
    const older = isEnough || sha === null ? undefined : await history.commit(sha);
    if (older === undefined) return { start: { sha, date }, line, known, isRewritten, dropped: [] };
    known.set(older.sha, older);
  }
}

function bySha(commits: readonly Commit[]): Map<string, Commit> {
  return new Map(commits.map((commit) => [commit.sha, commit]));
}

/** The first-parent commits up to the head, oldest first, as far as they are known. */
function lineBack(head: string, known: ReadonlyMap<string, Commit>): Commit[] {
  const line: Commit[] = [];
  for (let sha: string | undefined = head; sha !== undefined; ) {
    const commit = known.get(sha);
    if (commit !== undefined) line.push(commit);
    sha = commit?.parents[0];
  }
  return line.reverse();
}

/** Tolerance for clocks: a pull request may seem to have been updated before the cursor's commit. */
const CLOCK_SKEW = DAY;

/**
 * The changes of a branch, oldest first: each pull request once, and each commit without one.
 *
 * @param now GitHub's time, in milliseconds since 1970
 * @param mayAsk whether the budget allows more requests. If not, a later run goes on at the first commit that GitHub has
 *   to be asked about.
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
    const pull = mayBeLate ? await history.mergedPullOf(landing.sha, place) : listed;
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
  const before = await history.commitFiles(former.sha);
  const now = await history.commitFiles(landing.sha);
  if (before === undefined || now === undefined) return null;
  return JSON.stringify(before.files) === JSON.stringify(now.files) ? former.sha : null;
}

/** The date never goes back or into the future, even if the clocks of the authors were wrong. */
function cursorAt({ sha, committedAt }: Commit, { date }: BranchCursor, now: number): BranchCursor {
  const at = Math.min(Date.parse(committedAt) || 0, now);
  return { sha, date: new Date(Math.max(at, Date.parse(date) || 0)).toISOString() };
}
