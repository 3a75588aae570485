/** Reads what a branch gained since a cursor, in as few requests as possible, and how much of it is released. */

import { invalidInput } from "../runtime/errors.ts";
import { parsePathPattern } from "../text/path-filter.ts";
import { quote } from "../text/sentence.ts";
import { take } from "./attribution.ts";
import type { History } from "./history.ts";
import type { Commit } from "./history-records.ts";

/** Everything in a branch up to this commit is decided. */
export interface BranchCursor {
  /** Null if nothing is decided. */
  sha: string | null;
  /** Where to continue if GitHub no longer has the commit, ISO 8601. */
  date: string;
}

export interface Gained {
  start: BranchCursor;
  /** In any order, with the commits that merges brought, if they were read. */
  commits: Commit[];
  /** Whether the branch was rewritten, so that some commits may be copies of earlier ones. */
  isRewritten: boolean;
  /** The commits that the branch lost when it was rewritten. */
  dropped: Commit[];
  /** The number of commits if they are too many to be read; otherwise null. */
  tooMany: number | null;
}

/** Maximum number of pages of commits in search of first parents. */
const CHAIN_PAGES = 100;
/** Maximum number of commits from before the start that are read in search of newer ones behind them. */
const MOST_STEPS = 20;
/** Maximum number of matching tags that are tried, because the branch may not contain the newest one. */
const MOST_TAGS = 5;

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

/** The first-parent commits after a commit. An import brings thousands of others with a few of them. */
async function firstParentsSince(
  history: History,
  after: string,
  head: string,
  total: number,
): Promise<Pick<Gained, "commits" | "tooMany">> {
  const bySha = new Map<string, Commit>();
  let pages = 0;
  const { line } = await lineBack({ head, after, bySha }, async (sha) => {
    pages += 1;
    if (pages > CHAIN_PAGES) return;
    for (const commit of await history.newestCommits(sha)) bySha.set(commit.sha, commit);
  });
  if (pages <= CHAIN_PAGES) return { commits: line, tooMany: null };
  return { commits: [], tooMany: Math.max(total, bySha.size) };
}

/** The commits since a time that are on the first-parent line from the head, and what they merged. */
export async function gainedSinceDate(
  history: History,
  date: string,
  head: string,
): Promise<Gained> {
  const none = { isRewritten: false, dropped: [], commits: [], tooMany: null };
  const { items, isComplete } = await history.commitsSince(head, date);
  if (!isComplete) return { ...none, start: { sha: null, date }, tooMany: items.length };
  const bySha = new Map(items.map((commit) => [commit.sha, commit]));
  let steps = 0;
  const { next } = await lineBack({ head, after: null, bySha }, async (sha) => {
    const behind = new Map(bySha);
    take(behind, [head]);
    // A commit may have an earlier date than its ancestors, for example if it was pushed late.
    if (behind.size === 0 || steps === MOST_STEPS) return;
    steps += 1;
    const commit = await history.commit(sha);
    if (commit !== undefined) bySha.set(sha, commit);
  });
  return { ...none, start: { sha: next ?? null, date }, commits: [...bySha.values()] };
}

/**
 * The first-parent commits from the head back to `after`, or until `learn` does not add the next one. `next`: the
 * first commit that is not in the line.
 */
async function lineBack(
  { head, after, bySha }: { head: string; after: string | null; bySha: Map<string, Commit> },
  learn: (sha: string) => Promise<void>,
): Promise<{ line: Commit[]; next: string | undefined }> {
  const line: Commit[] = [];
  let next: string | undefined = head;
  while (next !== undefined && next !== after) {
    if (!bySha.has(next)) await learn(next);
    const commit = bySha.get(next);
    if (commit === undefined) break;
    line.push(commit);
    next = commit.parents[0];
  }
  return { line, next };
}

/** What the newest release of a branch contains. */
interface Released {
  /** The tag, and the tip of the branch that it was compared with. */
  name: string;
  contains(sha: string): boolean;
}

/**
 * Reads which commits of a branch are in the newest published release, or in the branch's newest matching tag.
 *
 * @param pattern of `release-tag`; empty for releases
 * @param lastName the name from the last read
 * @returns null if there is no release, or no new one
 * @throws ActionError `invalid-input` if there are tags, and none matches
 */
export async function readReleased(
  history: History,
  head: string,
  pattern: string,
  lastName: string,
): Promise<Released | null> {
  const tags =
    pattern === ""
      ? (await history.releases()).slice(0, 1)
      : matchingTags(await history.newestTags(), pattern, history.repository);
  const name = `${tags[0] ?? ""} ${head}`;
  if (tags.length === 0 || name === lastName) return null;
  for (const tag of tags) {
    const comparison = await history.compare(tag, head);
    if (comparison === undefined || (pattern !== "" && comparison.isDiverged)) continue;
    const after = new Set(comparison.commits.map(({ sha }) => sha));
    const isWhole = comparison.commits.length >= comparison.total;
    return { name, contains: (sha) => isWhole && !after.has(sha) };
  }
  return { name, contains: () => false };
}

function matchingTags(tags: readonly string[], pattern: string, repository: string): string[] {
  const parsed = parsePathPattern(pattern);
  const matching = "problem" in parsed ? [] : tags.filter((tag) => parsed.matches(tag));
  if (tags.length === 0 || matching.length > 0) return matching.slice(0, MOST_TAGS);
  throw invalidInput(
    `release-tag: none of the newest 100 tags of ${repository} matches ${quote(pattern)}.`,
  );
}
