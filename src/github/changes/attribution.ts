/** Finds out which commits of a branch came with which pull request, without further requests. */

import { DAY } from "../../runtime/clock.ts";
import type { Commit, CommitIdentity, Pull } from "./history-records.ts";

/** New commits of a branch. */
export interface Landed {
  /** Its first-parent commits, oldest first. */
  line: readonly Commit[];
  /** The commits that merges brought, if they were read; may hold the line, too. */
  known: ReadonlyMap<string, Commit>;
  /**
   * The branch was rewritten: a commit whose title is the one that GitHub gives to a merge of a pull
   * request counts as that pull request, where its own commit is not in the branch.
   */
  isRewritten: boolean;
}

/** One change, and the commit of the branch that it came with. */
interface Entry {
  landing: Commit;
  /** Missing if the commit itself is the change. */
  pull?: Pull;
  /** The preceding commits, oldest first, that may belong to the pull request, if it was rebased. */
  undecided: readonly Commit[];
}

/**
 * The changes of the branch in the order in which they landed. A commit can contain several changes.
 *
 * @param merged the merged pull requests, into any branch
 */
export function attributeCommits(landed: Landed, merged: readonly Pull[]): Entry[] {
  const entries: Entry[] = [];
  let pending: Commit[] = [];
  for (const landing of landingsOf(landed, merged)) {
    const { commit, pulls } = landing;
    if (pulls.length === 0) {
      pending.push(commit);
      continue;
    }
    const isMerge = commit.parents.length > 1;
    // The commits of a merge are on its side, so none of those before it is a part of it.
    if (isMerge) entries.push(...pending.map(byItself));
    const preceding = isMerge ? [] : pending;
    pending = [];
    for (const [nth, pull] of pulls.entries()) {
      entries.push({ landing: commit, pull, undecided: nth === 0 ? preceding : [] });
    }
    if (bringsMore(landing)) entries.push(byItself(commit));
  }
  return [...entries, ...pending.map(byItself)];
}

function byItself(landing: Commit): Entry {
  return { landing, undecided: [] };
}

type Commits = ReadonlyMap<string, Commit>;

/** A first-parent commit, the commits that it merged, and the pull requests that came with it. */
interface Landing {
  commit: Commit;
  side: Commits;
  pulls: readonly Pull[];
}

function landingsOf({ line, known, isRewritten }: Landed, merged: readonly Pull[]): Landing[] {
  const sides = sidesOf(line, known);
  const carriers = new Map<string, Commit>();
  for (const { commit, side } of sides) {
    for (const sha of [commit.sha, ...side.keys()]) carriers.set(sha, commit);
  }
  const carrierOf = (pull: Pull) =>
    carriers.get(pull.mergeSha) ??
    (isRewritten ? line.find(({ title }) => isTitleOf(pull, title)) : undefined);
  // Sorted by number, so that every run gets the same result.
  const sorted = merged.toSorted((a, b) => a.number - b.number);
  const carried = Map.groupBy(sorted, carrierOf);
  return sides.map(({ commit, side }) => {
    const pulls = ownPulls(commit, carried.get(commit) ?? []);
    return { commit, side, pulls };
  });
}

/** The commits of the line, each with those that it merged and no commit before it. */
function sidesOf(line: readonly Commit[], known: Commits): { commit: Commit; side: Commits }[] {
  const others = new Map(known);
  for (const { sha } of line) others.delete(sha);
  return line.map((commit) => {
    const side = reachable(others, commit.parents.slice(1));
    for (const sha of side.keys()) others.delete(sha);
    return { commit, side };
  });
}

/** A pull request that was merged into another's branch counts as a part of that one. */
function ownPulls({ sha }: Commit, pulls: readonly Pull[]): readonly Pull[] {
  const bases = pulls.filter(({ mergeSha }) => mergeSha === sha).map(({ base }) => base);
  return pulls.filter(({ base }) => bases.length === 0 || bases.includes(base));
}

/** The named commits and all their ancestors, as far as they are known. */
export function reachable(known: Commits, from: readonly string[]): Map<string, Commit> {
  const reached = new Map<string, Commit>();
  const open = [...from];
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    const commit = known.get(sha);
    if (commit === undefined || reached.has(sha)) continue;
    reached.set(sha, commit);
    open.push(...commit.parents);
  }
  return reached;
}

/**
 * Whether a merge brought commits that are in none of its pull requests, for example by `git pull` on the branch
 * itself.
 */
function bringsMore(landing: Landing): boolean {
  const { commit, side, pulls } = landing;
  if (pulls.some(({ mergeSha }) => mergeSha === commit.sha)) return false;
  const ofPulls = new Set(pulls.flatMap((pull) => commitsOf(pull, landing)));
  return [...side.keys()].some((sha) => !ofPulls.has(sha));
}

/** SHAs of the commits that came with one pull request of a merge. */
function commitsOf({ mergeSha, head }: Pull, { commit, side }: Landing): string[] {
  // A merge has its pull request on its side. A tip contains all of it. A squash is one commit.
  const isTip = mergeSha === head && commit.parents.includes(head);
  if (isTip) return [mergeSha, ...reachable(side, [head]).keys()];
  const [before = "", ...merged] = side.get(mergeSha)?.parents ?? [];
  const others = reachable(side, [before]);
  const own = [...reachable(side, merged).keys()].filter((sha) => !others.has(sha));
  return [mergeSha, ...own];
}

/** Whether a title is the one that GitHub gives to the commit of a pull request. */
function isTitleOf({ number, title, branch }: Pull, ofCommit: string): boolean {
  const isMerge = ofCommit.startsWith(`Merge pull request #${number} from `);
  return ofCommit === `${title} (#${number})` || (isMerge && ofCommit.endsWith(branch));
}

/**
 * Divides an entry: of the undecided commits, the last ones belong to the pull request as far as they are its rebased
 * commits: the same authors, dates and messages in the same order. A squash has none.
 *
 * @param ownCommits by the numbers of pull requests, their commits as they were in their branches, oldest first
 */
export function splitEntry(
  entry: Entry,
  ownCommits: ReadonlyMap<number, readonly CommitIdentity[]>,
): Entry[] {
  const { landing, pull, undecided } = entry;
  const own = pull === undefined ? [] : (ownCommits.get(pull.number) ?? []);
  const rebased = countRebased([...undecided, landing], own);
  // The landing itself is a part of the pull request in any case.
  const others = undecided.slice(0, undecided.length - Math.max(0, rebased - 1));
  return [...others.map(byItself), { ...entry, undecided: [] }];
}

/**
 * How many of the last commits are a pull request's own, in the same order. A rebase leaves out commits that the branch
 * already has.
 */
function countRebased(commits: readonly CommitIdentity[], own: readonly CommitIdentity[]): number {
  let count = 0;
  let earlier = own;
  for (const { sha, identity } of commits.toReversed()) {
    const at = earlier.findLastIndex(
      (commit) => commit.identity === identity || commit.sha === sha,
    );
    if (at === -1) break;
    earlier = earlier.slice(0, at);
    count += 1;
  }
  return count;
}

/** The committer of commits that GitHub makes: on github.com, and on a server, whose address is set there. */
const GITHUB = /^GitHub(?: <no-?reply@[^<>]+| Enterprise <[^<>]+)>$/;
/** How long GitHub's copies of its database may lag behind the branch, in milliseconds. */
const BEHIND = DAY;

/** Whether a commit was made so recently that some copies may lack it. @param now GitHub's time */
export function isRecent({ committedAt }: Commit, now: number): boolean {
  return now - Date.parse(committedAt) < BEHIND;
}

/**
 * Whether a commit without a listed pull request may still have one, because the list lags behind: GitHub created it,
 * its title is like that of a squash or merge, or it was rebased recently.
 *
 * @param now GitHub's time, in milliseconds since 1970
 */
export function mayBePulls(commit: Commit, now: number): boolean {
  const { committer, title, author, authoredAt, committedAt } = commit;
  if (GITHUB.test(committer) || /\(#\d+\)$|^Merge pull request #/.test(title)) return true;
  const isAnew = authoredAt !== committedAt || !committer.startsWith(`${author.name} <`);
  return isAnew && isRecent(commit, now);
}
