/** What a branch gained since a cursor, read with as few requests as there are. */

import { firstParents } from "./attribution.ts";
import type { History } from "./history.ts";
import type { Commit } from "./history-records.ts";

/** All of a branch up to this commit is decided. */
export interface BranchCursor {
  /** Null: nothing of it is. */
  sha: string | null;
  /** Where to go on if GitHub no longer has the commit, ISO 8601. */
  date: string;
}

export interface Gained {
  /** Where it begins. */
  start: BranchCursor;
  /** In any order; with what merges brought in, as far as that was read. */
  commits: Commit[];
  /** The branch was rewritten: some of it may have been there before in other words. */
  isRewritten: boolean;
  /** What was in the branch before it was rewritten. */
  dropped: Commit[];
  /** How many commits there are, if that is more than can be read; else null. */
  tooMany: number | null;
}

/** Pages of commits in search of first parents. */
const CHAIN_PAGES = 100;
/** Commits with a date from before the start that are stepped over, in search of newer ones behind them. */
const MOST_STEPS = 20;

/** What a branch gained since its cursor. @param head its tip */
export async function gainedSince(
  history: History,
  start: BranchCursor,
  head: string,
): Promise<Gained> {
  const none = { start, commits: [], isRewritten: false, dropped: [], tooMany: null };
  if (start.sha === head) return none;
  if (start.sha === null) return await gainedSinceDate(history, start.date, head);
  let comparison: Awaited<ReturnType<History["compare"]>>;
  try {
    comparison = await history.compare(start.sha, head);
  } catch (error) {
    // GitHub may not be able to compare what is far apart. Its history can still be read.
    if (Number((error as { status?: unknown }).status) < 500) throw error;
    return { ...none, ...(await firstParentsSince(history, start.sha, head, 0)) };
  }
  if (comparison === undefined) {
    return { ...(await gainedSinceDate(history, start.date, head)), isRewritten: true };
  }
  const { commits, total, mergeBase, isDiverged } = comparison;
  const former = isDiverged ? await history.compare(head, start.sha) : undefined;
  const rewritten = { isRewritten: isDiverged, dropped: former?.commits ?? [] };
  if (commits.length >= total) return { ...none, ...rewritten, commits };
  return { ...none, ...rewritten, ...(await firstParentsSince(history, mergeBase, head, total)) };
}

/** The first-parent commits after a commit: of an import, thousands came with a few of them. */
async function firstParentsSince(
  history: History,
  after: string,
  head: string,
  total: number,
): Promise<Pick<Gained, "commits" | "tooMany">> {
  const known = new Map<string, Commit>();
  const commits: Commit[] = [];
  let next: string | undefined = head;
  for (let pages = 0; next !== undefined && next !== after; ) {
    const commit: Commit | undefined = known.get(next);
    if (commit !== undefined) {
      commits.push(commit);
      next = commit.parents[0];
      continue;
    }
    if (pages === CHAIN_PAGES) return { commits: [], tooMany: Math.max(total, known.size) };
    pages += 1;
    for (const one of await history.newestCommits(next)) known.set(one.sha, one);
    if (!known.has(next)) break;
  }
  return { commits, tooMany: null };
}

/** What was committed from a time on, as far as the branch's own line from its head back reaches. */
export async function gainedSinceDate(
  history: History,
  date: string,
  head: string,
): Promise<Gained> {
  const none = { isRewritten: false, dropped: [] };
  const { commits, isComplete } = await history.commitsSince(head, date);
  if (!isComplete) {
    return { ...none, start: { sha: null, date }, commits: [], tooMany: commits.length };
  }
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  // A commit that is older by its date than what is behind it, as when an old one is pushed late.
  let [line, steps] = [firstParents([...bySha.values()], head), 0];
  let start = line[0] === undefined ? head : line[0].parents[0];
  while (start !== undefined && isBehind(bySha, line) && steps < MOST_STEPS) {
    const commit = await history.commit(start);
    if (commit === undefined) break;
    bySha.set(commit.sha, commit);
    steps += 1;
    line = firstParents([...bySha.values()], head);
    start = line[0]?.parents[0];
  }
  const shas = new Set(line.map(({ sha }) => sha));
  const sides = [...bySha.values()].filter(({ sha }) => !shas.has(sha));
  return {
    ...none,
    start: { sha: start ?? null, date },
    commits: [...line, ...sides],
    tooMany: null,
  };
}

/** Whether there are commits that neither the line nor its merges have brought. */
function isBehind(bySha: ReadonlyMap<string, Commit>, line: readonly Commit[]): boolean {
  const left = new Set(bySha.keys());
  const open = line.flatMap(({ sha, parents }) => [sha, ...parents]);
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    if (left.delete(sha)) open.push(...(bySha.get(sha)?.parents ?? []));
  }
  return left.size > 0;
}
