/** Finds out which commits of a branch came with which pull request, without further requests. */

import { DAY } from "../../runtime/clock.ts";
import type { Commit, CommitIdentity, Pull } from "./history-records.ts";
import { type Landed, type Landing, landingsOf } from "./landings.ts";

/** One change, and the commit of the branch that it came with. */
export interface Entry {
  landing: Commit;
  /** Missing if the commit itself is the change. */
  pull?: Pull;
  /** The preceding commits, oldest first, that may belong to the pull request, if it was rebased. */
  undecided: readonly Landing[];
  /** Of a merge by itself: what it brought, which may be in known pull requests; otherwise null. */
  beside: Landing | null;
  /** Whether it may be in a pull request whose own commits GitHub does not show: it is asked for by itself. */
  isDoubtful: boolean;
}

/**
 * The changes of the branch in the order in which they landed. A commit can contain several changes. A merge counts by
 * itself only for what no known pull request, and nothing before the cursor, brought in.
 *
 * @param merged the merged pull requests, into any branch
 * @param branch the name of the branch
 */
export function attributeCommits(landed: Landed, merged: readonly Pull[], branch: string): Entry[] {
  const entries: Entry[] = [];
  let pending: Landing[] = [];
  for (const landing of landingsOf(landed, merged, branch)) {
    const { commit, pulls } = landing;
    if (pulls.length === 0) {
      if (isChange(landing)) pending.push(landing);
      continue;
    }
    const last = lastOf(landing, pending);
    if (last === undefined) entries.push(...pending.map(byItself));
    const ordered = last === undefined ? pulls : [last, ...pulls.filter((pull) => pull !== last)];
    for (const pull of ordered) {
      entries.push({
        landing: commit,
        pull,
        undecided: pull === last ? pending : [],
        beside: null,
        isDoubtful: false,
      });
    }
    pending = [];
    if (bringsMore(landing)) entries.push(byItself(landing));
  }
  return [...entries, ...pending.map(byItself)];
}

function byItself(landing: Landing): Entry {
  const beside = landing.commit.parents.length < 2 ? null : landing;
  return { landing: landing.commit, undecided: [], beside, isDoubtful: false };
}

function isChange(landing: Landing): boolean {
  return landing.commit.parents.length < 2 || bringsMore(landing);
}

/** Whether a merge brought commits that are in none of its pull requests, for example by `git pull` on the branch. */
function bringsMore({ others, isUnread }: Landing): boolean {
  return others.length > 0 || isUnread;
}

/**
 * The pull request that commits before a landing may belong to. Those of a merge are on its side, unless its branch was
 * pushed as it is.
 */
function lastOf({ commit, pulls }: Landing, before: readonly Landing[]): Pull | undefined {
  if (commit.parents.length < 2) return pulls[0];
  const line = new Set([commit, ...before.map((landing) => landing.commit)].map(({ sha }) => sha));
  return pulls.find(({ head }) => line.has(head));
}

/** The pull requests whose own commits decide about an entry. */
export function askedFor({ pull, undecided, beside }: Entry): number[] {
  const own = pull !== undefined && undecided.length > 0 ? [pull.number] : [];
  const merges = beside === null ? undecided : [beside];
  const candidates = merges.flatMap((landing) => landing.candidates);
  return [...own, ...candidates.map(({ number }) => number)];
}

/**
 * Divides an entry: of the undecided commits, the last ones belong to the pull request as far as they are its rebased
 * commits: the same authors, dates and messages in the same order. A squash has none. A merge all of whose commits came
 * with pull requests is no change.
 *
 * @param ownCommits by the numbers of pull requests, their commits as they were in their branches, oldest first, if
 *   they are shown
 */
export function splitEntry(
  entry: Entry,
  ownCommits: ReadonlyMap<number, readonly CommitIdentity[]>,
): Entry[] {
  const { landing, pull, undecided, beside } = entry;
  if (beside !== null) return isByPulls(beside, ownCommits) ? [] : [entry];
  const shown = pull === undefined ? [] : ownCommits.get(pull.number);
  const own = shown ?? [];
  const rebased = countRebased([...undecided.map(({ commit }) => commit), landing], own);
  // The landing itself is a part of the pull request in any case.
  const first = undecided.length - Math.max(0, rebased - 1);
  const shas = new Set(own.map(({ sha }) => sha));
  // A branch that was pushed as it is may have merged others' commits, too.
  const merges = undecided
    .slice(first)
    .filter(({ others }) => others.some(({ sha }) => !shas.has(sha)));
  const others = [...undecided.slice(0, first), ...merges];
  const isDoubtful = shown === undefined;
  const entries = others.map((other): Entry => ({ ...byItself(other), isDoubtful }));
  return [
    ...entries.filter((other) => other.beside === null || !isByPulls(other.beside, ownCommits)),
    { ...entry, undecided: [] },
  ];
}

function isByPulls(
  { others, candidates, isUnread }: Landing,
  ownCommits: ReadonlyMap<number, readonly CommitIdentity[]>,
): boolean {
  if (isUnread) return false;
  return others.every((commit) =>
    candidates.some(({ number, atMost }) => {
      const own = ownCommits.get(number);
      if (own === undefined) return atMost.has(commit.sha);
      return own.some(({ sha, identity }) => sha === commit.sha || identity === commit.identity);
    }),
  );
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
