/** Finds out which commits of a branch came with which pull request, without further requests. */

import type { Commit, CommitIdentity, Pull } from "./history-records.ts";

/** One change, and the commit of the branch that it came with. */
export interface Entry {
  landing: Commit;
  /** Missing if the commit itself is the change. */
  pull?: Pull;
  /** The preceding commits, oldest first, that may belong to the pull request, if it was rebased. */
  undecided: readonly Commit[];
}

interface Landed {
  /** All new commits of the branch, in any order. */
  commits: readonly Commit[];
  head: string;
  /** The merged pull requests, into any branch. */
  pulls: readonly Pull[];
  /**
   * The branch was rewritten: a commit whose title is the one that GitHub gives to a merge of a pull
   * request counts as that pull request, where its own commit is not in the branch.
   */
  isRewritten: boolean;
}

/** The first-parent commits among `commits` from the head back, oldest first. */
function firstParents(commits: readonly Commit[], head: string): Commit[] {
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  const chain: Commit[] = [];
  for (let commit = bySha.get(head); commit !== undefined; ) {
    chain.push(commit);
    bySha.delete(commit.sha);
    commit = bySha.get(commit.parents[0] ?? "");
  }
  return chain.reverse();
}

/** The changes of the branch in the order in which they landed. A commit can contain several changes. */
export function attributeCommits(landed: Landed): Entry[] {
  const chain = firstParents(landed.commits, landed.head);
  const sides = sidesOf(chain, landed.commits);
  const pullsOf = landings(chain, sides, landed);
  const entries: Entry[] = [];
  let pending: Commit[] = [];
  for (const landing of chain) {
    const pulls = pullsOf.get(landing.sha) ?? [];
    if (pulls.length === 0) {
      pending.push(landing);
      continue;
    }
    const start = landing.parents.length > 1 ? pending.length : rebaseStart(pending, landing);
    const undecided = pending.slice(start);
    entries.push(...pending.slice(0, start).map(byItself));
    entries.push(
      ...pulls.map((pull, at) => ({ landing, pull, undecided: at > 0 ? [] : undecided })),
    );
    if (bringsMore(landing, pulls, sides.get(landing.sha))) entries.push(byItself(landing));
    pending = [];
  }
  return [...entries, ...pending.map(byItself)];
}

function byItself(landing: Commit): Entry {
  return { landing, undecided: [] };
}

/** The committer of commits that GitHub makes. */
const GITHUB = "GitHub <noreply@github.com>";

/**
 * Index of the first commit that may have been rebased together with the last one. A commit that GitHub made
 * in its own name was rebased only together with others in its name; a person's commit may have come with
 * any others.
 */
function rebaseStart(pending: readonly Commit[], { committer }: Commit): number {
  if (committer !== GITHUB) return 0;
  return pending.findLastIndex((commit) => commit.committer !== committer) + 1;
}

/** The commits that each merge on the first-parent line added, by the merge's SHA. */
type Sides = Map<string, Map<string, Commit>>;

function sidesOf(chain: readonly Commit[], commits: readonly Commit[]): Sides {
  const left = new Map(commits.map((commit) => [commit.sha, commit]));
  for (const { sha } of chain) left.delete(sha);
  return new Map(chain.map(({ sha, parents }) => [sha, take(left, parents.slice(1))]));
}

/** Removes commits and all their ancestors. */
export function take(left: Map<string, Commit>, from: readonly string[]): Map<string, Commit> {
  const taken = new Map<string, Commit>();
  const open = [...from];
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    const commit = left.get(sha);
    if (commit === undefined) continue;
    left.delete(sha);
    taken.set(sha, commit);
    open.push(...commit.parents);
  }
  return taken;
}

/**
 * The pull requests by the first-parent commit with which each came. One that was merged into another's branch counts as
 * a part of that one.
 */
function landings(
  chain: readonly Commit[],
  sides: Sides,
  { pulls, isRewritten }: Landed,
): Map<string, Pull[]> {
  const carrier = new Map(chain.map(({ sha }) => [sha, sha]));
  for (const [sha, side] of sides) for (const one of side.keys()) carrier.set(one, sha);
  // Sorted by number, so that every run gets the same result.
  const sorted = pulls.toSorted((one, other) => one.number - other.number);
  const landingOf = (pull: Pull) =>
    carrier.get(pull.mergeSha) ?? (isRewritten ? titled(chain, pull) : undefined);
  return new Map(
    [...Map.groupBy(sorted, landingOf)].map(([sha = "", brought]) => {
      const bases = brought.filter(({ mergeSha }) => mergeSha === sha).map(({ base }) => base);
      const own = brought.filter(({ base }) => bases.length === 0 || bases.includes(base));
      return [sha, own];
    }),
  );
}

/**
 * Whether a merge brought commits that are in none of its pull requests, for example by `git pull` on the branch itself.
 */
function bringsMore(
  { sha, parents }: Commit,
  pulls: readonly Pull[],
  side: ReadonlyMap<string, Commit> = new Map(),
): boolean {
  if (pulls.some(({ mergeSha }) => mergeSha === sha)) return false;
  const left = new Map(side);
  for (const { mergeSha, head } of pulls) {
    const isTip = mergeSha === head && parents.includes(head);
    const [before = "", ...own] = isTip ? ["", head] : (side.get(mergeSha)?.parents ?? []);
    const others = take(new Map(side), [before]);
    // A merge has its pull request on its side. A tip contains all of it. A squash is one commit.
    for (const one of take(new Map(side), own).keys()) if (!others.has(one)) left.delete(one);
    left.delete(mergeSha);
  }
  return left.size > 0;
}

function titled(chain: readonly Commit[], { title, number, branch }: Pull): string | undefined {
  const squashed = `${title} (#${number})`;
  const merged = `Merge pull request #${number} from `;
  return chain.find(({ message }) => {
    const [first = ""] = message.split("\n");
    return first === squashed || (first.startsWith(merged) && first.endsWith(branch));
  })?.sha;
}

/**
 * The number of undecided commits, counted from the last, that are the pull request's rebased commits: the same
 * authors, dates and messages in the same order. A squash has none.
 *
 * @param own the pull request's commits as they were in its branch, oldest first
 */
export function rebased({ undecided, landing }: Entry, own: readonly CommitIdentity[]): number {
  let left = own.length;
  const isOwn = ({ sha, identity }: CommitIdentity) => {
    // A rebase leaves out commits that the branch already has.
    const at = own
      .slice(0, left)
      .findLastIndex((commit) => commit.identity === identity || commit.sha === sha);
    if (at >= 0) left = at;
    return at >= 0;
  };
  if (!isOwn(landing)) return 0;
  const first = undecided.findLastIndex((commit) => !isOwn(commit));
  return undecided.length - 1 - first;
}

/** Divides an entry, once it is known how many of its undecided commits belong to its pull request. */
export function splitEntry(entry: Entry, ownCount: number): Entry[] {
  const others = entry.undecided.slice(0, entry.undecided.length - ownCount);
  return [...others.map(byItself), { ...entry, undecided: [] }];
}

/** How long GitHub's list of pull requests may lag behind the branch, in milliseconds. */
const BEHIND = 24 * 60 * 60_000;

/**
 * Whether a commit without a listed pull request may still have one, because the list lags behind: GitHub created it, its
 * title is like that of a squash or merge, or it was rebased recently.
 *
 * @param now GitHub's time, in milliseconds since 1970
 */
export function mayBePulls(
  { committer, message, author, authoredAt, committedAt }: Commit,
  now: number,
) {
  const [title = ""] = message.split("\n", 1);
  const isTitled = /\(#\d+\)\s*$|^Merge pull request #/.test(title);
  if (committer === GITHUB || isTitled) return true;
  const isAnew = authoredAt !== committedAt || !committer.startsWith(`${author.name} <`);
  return isAnew && now - Date.parse(committedAt) < BEHIND;
}
