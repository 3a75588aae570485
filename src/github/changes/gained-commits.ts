/** Reads which commits a branch gained since a cursor. */

import { ABSENT, type Fact, known as knownFact, mapFact } from "../../runtime/fact.ts";
import { type HistoryReader, isServerFault } from "./history-reader.ts";
import type { Commit } from "./history-records.ts";
import { bySha, type Commits, type Landed, reachable } from "./landings.ts";

/** Everything in a branch up to this commit is decided. */
export interface BranchCursor {
  /** Null if nothing is decided. */
  sha: string | null;
  /** Where to continue if GitHub no longer has the commit, ISO 8601. */
  date: string;
}

export interface Gained extends Landed {
  start: BranchCursor;
  /** The commits that the branch lost when it was rewritten. */
  dropped: readonly Commit[];
  /**
   * The commit up to which the branch is read before its tip, because one run cannot read all that it gained; null for
   * its tip.
   */
  target: string | null;
}

/** What reads the commits of a branch. */
export type CommitReader = Pick<HistoryReader, "compare" | "commitsBack" | "commit" | "mostPages">;

/**
 * What a branch gained since its cursor.
 *
 * @param head its tip
 * @param target the target of an earlier run; null for none
 */
export async function gainedSince(
  history: CommitReader,
  cursor: BranchCursor,
  head: string,
  target: string | null = null,
): Promise<Fact<Gained>> {
  if (target === null) return await gainedUpTo(history, cursor, head);
  const commit = await history.commit(target);
  if (commit.type === "unread") return commit;
  if (commit.type === "absent") return await gainedUpTo(history, cursor, head);
  const gained = await gainedUpTo(history, cursor, target);
  if (gained.type !== "known" || gained.value.target !== null) return gained;
  // The cursor's commit is not before the target any more.
  if (gained.value.line.length === 0) return await gainedUpTo(history, cursor, head);
  return knownFact({ ...gained.value, target });
}

async function gainedUpTo(
  history: CommitReader,
  { sha, date }: BranchCursor,
  head: string,
): Promise<Fact<Gained>> {
  const start = { sha, date };
  if (sha === null) return await gainedByDate(history, start, head);
  if (sha === head) return knownFact(nothingSince(start));
  const compared = await history.compare(sha, head);
  if (compared.type === "absent") return await gainedByDate(history, start, head);
  // GitHub fails to compute the diff of some comparisons, even if it is not asked for.
  const isTooLarge = isServerFault(compared);
  if (isTooLarge || (compared.type === "known" && !compared.value.isComplete)) {
    return await gainedAlongLine(history, start, head);
  }
  if (compared.type === "unread") return compared;
  const { commits, isDiverged: isRewritten } = compared.value;
  const former = isRewritten ? await history.compare(head, sha) : ABSENT;
  if (former.type === "unread" && !isServerFault(former)) return former;
  const dropped = former.type === "known" ? former.value.commits : [];
  const known = bySha(commits);
  const line = lineBack(head, known);
  return knownFact({ ...nothingSince(start), line, known, isRewritten, dropped });
}

function nothingSince(start: BranchCursor): Gained {
  const nothing = { line: [], known: new Map(), before: null };
  return { start, ...nothing, isRewritten: false, dropped: [], target: null };
}

/**
 * What a branch gained since a date, if nothing is decided or GitHub does not find the cursor's commit: in an old copy
 * of its database, or because the branch was rewritten. The branch's own history says which.
 */
async function gainedByDate(
  history: CommitReader,
  start: BranchCursor,
  head: string,
): Promise<Fact<Gained>> {
  const { sha, date } = start;
  const answer = await history.commitsBack(head, {
    pages: history.mostPages(),
    // A commit may have an earlier date than its ancestors, for example if it was pushed late.
    isEnough: (page) => page.every((commit) => isBefore(commit, date) || commit.sha === sha),
  });
  // An old copy: the next run reads a newer one.
  if (answer.type === "absent") return knownFact(nothingSince(start));
  if (answer.type === "unread") return answer;
  if (!answer.value.isComplete) return await gainedAlongLine(history, start, head);
  const known = bySha(answer.value.items);
  if (sha === null || !known.has(sha)) {
    return knownFact(sinceDate(start, head, known, sha !== null));
  }
  const before = new Set(reachable(known, [sha]).keys());
  for (const decided of before) known.delete(decided);
  return knownFact({ ...nothingSince(start), line: lineBack(head, known), known, before });
}

/** The part of a branch that begins with the first commit that has brought one since a date. */
function sinceDate(
  { date }: BranchCursor,
  head: string,
  known: Commits,
  isRewritten: boolean,
): Gained {
  const remaining = new Map(known);
  const before = new Set<string>();
  let line = lineBack(head, known);
  for (const { sha } of line) {
    const brought = reachable(remaining, [sha]);
    if ([...brought.values()].some((commit) => !isBefore(commit, date))) break;
    for (const older of brought.keys()) {
      remaining.delete(older);
      before.add(older);
    }
    line = line.slice(1);
  }
  const [first] = line;
  const sha = first === undefined ? head : (first.parents[0] ?? null);
  return { ...nothingSince({ sha, date }), line, known: remaining, before, isRewritten };
}

/**
 * Reads a branch back from its head along first parents, page by page, without comparing: if GitHub cannot compare, or
 * the branch gained more than it lists. If one run cannot read it all, the next one goes on from where this one ends.
 */
async function gainedAlongLine(
  history: CommitReader,
  start: BranchCursor,
  head: string,
): Promise<Fact<Gained>> {
  const past = start.sha === null ? ABSENT : await pageBack(history, start.sha);
  if (past.type === "unread") return past;
  // The cursor's commit, and the newest of its history: a branch that merged its own past may lead there, too.
  const decided = bySha(past.type === "known" ? past.value : []);
  const known = new Map<string, Commit>();
  let next = head;
  const most = history.mostPages();
  for (let pages = 0; pages < most; pages++) {
    const page = await pageBack(history, next);
    if (page.type === "absent") return knownFact(nothingSince(start));
    if (page.type === "unread") return page;
    for (const commit of page.value) known.set(commit.sha, commit);
    const line = lineBack(next, known, decided);
    const parent = line[0] === undefined ? next : line[0].parents[0];
    if (parent !== undefined && decided.has(parent)) {
      return knownFact(sinceDecided(start, head, known, decided, parent));
    }
    const isAll = parent === undefined || parent === next;
    const end = isAll ? knownFact(true) : await isDecided(history, start, line, parent);
    if (end.type !== "known") return end;
    if (isAll || end.value) return knownFact(sinceDate(start, head, known, start.sha !== null));
    next = parent;
  }
  return knownFact({ ...nothingSince(start), target: next });
}

async function pageBack(history: CommitReader, sha: string): Promise<Fact<readonly Commit[]>> {
  const page = await history.commitsBack(sha, { pages: 1, isEnough: () => true });
  return mapFact(page, ({ items }) => items);
}

/** The part of a branch after a decided commit of its line. */
function sinceDecided(
  start: BranchCursor,
  head: string,
  known: Commits,
  decided: Commits,
  last: string,
): Gained {
  const line = lineBack(head, known, decided);
  // Commits that a merge brought, which were read only in part. Older ones may have been there before.
  const sides = [...known.values()].filter(
    (commit) => !decided.has(commit.sha) && !isBefore(commit, start.date),
  );
  const isRewritten = last !== start.sha;
  const kept = reachable(decided, [last]);
  const dropped = [...decided.values()].filter(({ sha }) => isRewritten && !kept.has(sha));
  const all = bySha([...sides, ...line]);
  const before = new Set(decided.keys());
  return { ...nothingSince(start), line, known: all, before, isRewritten, dropped };
}

/** Whether all that comes before a part of the line is decided, because it is older than the cursor. */
async function isDecided(
  history: CommitReader,
  { sha, date }: BranchCursor,
  line: readonly Commit[],
  next: string,
): Promise<Fact<boolean>> {
  if (!line.every((commit) => isBefore(commit, date))) return knownFact(false);
  if (sha === null) return knownFact(true);
  // An import has old dates, too.
  const compared = await history.compare(sha, next);
  if (compared.type === "absent" || isServerFault(compared)) return knownFact(false);
  return mapFact(compared, ({ isDiverged, commits }) => !isDiverged && commits.length === 0);
}

function isBefore({ committedAt }: Commit, date: string): boolean {
  return (Date.parse(committedAt) || 0) < (Date.parse(date) || 0);
}

/** The first-parent commits up to the head, oldest first, as far as they are known and not decided. */
function lineBack(head: string, known: Commits, decided: Commits = new Map()): Commit[] {
  const line: Commit[] = [];
  for (let sha: string | undefined = head; sha !== undefined && !decided.has(sha); ) {
    const commit = known.get(sha);
    if (commit !== undefined) line.push(commit);
    sha = commit?.parents[0];
  }
  return line.reverse();
}
