/** What a branch gained since a cursor, read with as few requests as there are, and what of it is released. */

import { invalidInput } from "../runtime/errors.ts";
import { parsePathPattern } from "../text/path-filter.ts";
import { quote } from "../text/sentence.ts";
import { take } from "./attribution.ts";
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
/** Of tags that match, so many of the newest are tried: the branch may not contain the first. */
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

/** The first-parent commits after a commit: of an import, thousands came with a few of them. */
async function firstParentsSince(
  history: History,
  after: string,
  head: string,
  total: number,
): Promise<Pick<Gained, "commits" | "tooMany">> {
  const known = new Map<string, Commit>();
  let pages = 0;
  const { line } = await lineBack({ head, after, known }, async (sha) => {
    pages += 1;
    if (pages > CHAIN_PAGES) return;
    for (const commit of await history.newestCommits(sha)) known.set(commit.sha, commit);
  });
  if (pages <= CHAIN_PAGES) return { commits: line, tooMany: null };
  return { commits: [], tooMany: Math.max(total, known.size) };
}

/** What was committed from a time on, as far as the branch's own line from its head back reaches. */
export async function gainedSinceDate(
  history: History,
  date: string,
  head: string,
): Promise<Gained> {
  const none = { isRewritten: false, dropped: [], commits: [], tooMany: null };
  const { items, isComplete } = await history.commitsSince(head, date);
  if (!isComplete) return { ...none, start: { sha: null, date }, tooMany: items.length };
  const known = new Map(items.map((commit) => [commit.sha, commit]));
  let steps = 0;
  const { next } = await lineBack({ head, after: null, known }, async (sha) => {
    const behind = new Map(known);
    take(behind, [head]);
    // A commit may be older by its date than what is behind it, as when an old one is pushed late.
    if (behind.size === 0 || steps === MOST_STEPS) return;
    steps += 1;
    const commit = await history.commit(sha);
    if (commit !== undefined) known.set(sha, commit);
  });
  return { ...none, start: { sha: next ?? null, date }, commits: [...known.values()] };
}

/**
 * The first-parent commits from the head back, to `after` or as far as `learn` makes the next one known. `next`: the
 * first commit that is not in the line.
 */
async function lineBack(
  { head, after, known }: { head: string; after: string | null; known: Map<string, Commit> },
  learn: (sha: string) => Promise<void>,
): Promise<{ line: Commit[]; next: string | undefined }> {
  const line: Commit[] = [];
  let next: string | undefined = head;
  while (next !== undefined && next !== after) {
    if (!known.has(next)) await learn(next);
    const commit = known.get(next);
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
 * What of a branch is in the newest published release, or in the newest of its tags that matches.
 *
 * @param pattern of `release-tag`; empty for releases
 * @param known name of what was read last: what came after that tag is not in it now either
 * @returns null: there is no release, or none that is new
 * @throws ActionError `invalid-input` if there are tags, and none matches
 */
export async function readReleased(
  history: History,
  head: string,
  pattern: string,
  known: string,
): Promise<Released | null> {
  const tags =
    pattern === ""
      ? (await history.releases()).slice(0, 1)
      : matchingTags(await history.newestTags(), pattern, history.repository);
  const name = `${tags[0] ?? ""} ${head}`;
  if (tags.length === 0 || name === known) return null;
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
