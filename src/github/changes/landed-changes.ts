/** Reads what landed on a branch since a cursor, change by change, in as few requests as possible. */

import { DAY } from "../../runtime/clock.ts";
import { ABSENT, type Fact, known, mapFact } from "../../runtime/fact.ts";
import { askedFor, attributeCommits, isRecent, mayBePulls, splitEntry } from "./attribution.ts";
import { type ChangeDetails, detailsOf } from "./change-details.ts";
import type { BranchCursor, Gained } from "./gained-commits.ts";
import { type HistoryReader, isServerFault } from "./history-reader.ts";
import type { Commit, CommitIdentity, Pull } from "./history-records.ts";

/** One change of a branch. */
export interface LandedChange {
  details: ChangeDetails;
  /** Undefined if the commit itself is the change. */
  pull: Pull | undefined;
  /** SHA of the same commit before the branch was rewritten; null if there is none. */
  former: string | null;
}

/** Tolerance for clocks: a pull request may seem to have been updated before the cursor's commit. */
const CLOCK_SKEW = DAY;

/**
 * The changes of a branch: each pull request once, and each commit without one.
 *
 * @param now GitHub's time, in milliseconds since 1970
 * @param mayAsk whether the budget allows more requests. If not, a later run goes on at the first commit that GitHub
 *   has to be asked about.
 * @returns the changes as far as they could be told, oldest first. Everything up to the cursor's commit is decided
 */
export async function landedChanges(
  history: HistoryReader,
  gained: Gained,
  place: { id: number; repository: string; branch: string },
  now: number,
  mayAsk: () => boolean,
): Promise<Fact<{ landed: LandedChange[]; cursor: BranchCursor }>> {
  const from = Math.min(Date.parse(gained.start.date) || 0, now) - CLOCK_SKEW;
  const merged = await history.mergedPulls(from);
  if (merged.type !== "known") return merged;
  const { pulls, isComplete } = merged.value;
  const entries = attributeCommits(gained, pulls, place.branch);
  const own = await commitsOf([...new Set(entries.flatMap(askedFor))], history);
  if (own.type !== "known") return own;
  const changes = entries.flatMap((entry) => splitEntry(entry, own.value));
  const landed: LandedChange[] = [];
  let next: Commit | null = null;
  for (const [nth, { landing, pull: listed, isDoubtful }] of changes.entries()) {
    const isLate = !isComplete || isDoubtful || mayBePulls(landing, now);
    const mayBeLate = listed === undefined && isLate;
    // The cursor moves past all changes of a commit, so a commit that was begun is finished.
    if (mayBeLate && landing !== changes[nth - 1]?.landing && !mayAsk()) {
      next = landing;
      break;
    }
    const asked = mayBeLate
      ? await history.mergedPullOf(landing.sha, place)
      : known(listed ?? null);
    if (asked.type === "unread") return asked;
    // An old copy of GitHub's database lacks the commit: a later run goes on there.
    if (asked.type === "absent" && isRecent(landing, now)) {
      next = landing;
      break;
    }
    const pull = (asked.type === "known" ? asked.value : null) ?? undefined;
    const former = pull === undefined ? await formerOf(landing, gained.dropped, history) : ABSENT;
    if (former.type === "unread") return former;
    landed.push({
      details: detailsOf(place, landing, pull),
      pull,
      former: former.type === "known" ? former.value : null,
    });
  }
  return known({ landed, cursor: cursorBefore(next, gained, now) });
}

/**
 * The own commits of pull requests by their numbers. Those of one that GitHub cannot resolve, or of which it does not
 * show all, are missing, each time.
 */
export async function commitsOf(
  numbers: readonly number[],
  history: HistoryReader,
): Promise<Fact<Map<number, CommitIdentity[]>>> {
  const facts = await Promise.all(
    numbers.map(async (number) => ({ number, fact: await history.ownCommits(number) })),
  );
  const own = new Map<number, CommitIdentity[]>();
  for (const { number, fact } of facts) {
    if (fact.type === "absent") return fact;
    if (fact.type === "unread" && fact.status !== 200) return fact;
    if (fact.type === "known" && fact.value !== null) own.set(number, fact.value);
  }
  return known(own);
}

/** SHA of the same commit from before the branch was rewritten, by its identity; absent if there is none. */
async function formerOf(
  landing: Commit,
  dropped: readonly Commit[],
  history: HistoryReader,
): Promise<Fact<string>> {
  const former = dropped.find(({ identity }) => identity === landing.identity);
  if (former === undefined) return ABSENT;
  if (former.tree === landing.tree) return known(former.sha);
  const before = await filesOf(former.sha, history);
  if (before.type === "unread") return before;
  const now = await filesOf(landing.sha, history);
  if (now.type !== "known" || before.type === "absent") return now.type === "known" ? ABSENT : now;
  return before.value === now.value ? known(former.sha) : ABSENT;
}

/** The files that a commit changed, as JSON; absent also if they are too many for GitHub. */
async function filesOf(sha: string, history: HistoryReader): Promise<Fact<string>> {
  const fact = await history.commitFiles(sha);
  return isServerFault(fact) ? ABSENT : mapFact(fact, ({ files }) => JSON.stringify(files));
}

/**
 * The cursor at the commit before one of the line; for null, at the last one. Its date never goes back or into the
 * future, even if the clocks of the authors were wrong.
 */
function cursorBefore(next: Commit | null, { line, start }: Gained, now: number): BranchCursor {
  const decided = next === null ? line : line.slice(0, line.indexOf(next));
  const last = decided.at(-1);
  if (last === undefined) return start;
  const dates = decided.map(({ committedAt }) => Math.min(Date.parse(committedAt) || 0, now));
  const latest = dates.reduce((date, other) => Math.max(date, other), Date.parse(start.date) || 0);
  return { sha: last.sha, date: new Date(latest).toISOString() };
}
