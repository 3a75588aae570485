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
  const pending: Commit[] = [];
  for (const landing of landingsOf(landed, merged)) {
    const { commit, pulls } = landing;
    if (pulls.length === 0) {
      pending.push(commit);
      continue;
    }
    if (commit.parents.length > 1) entries.push(...pending.splice(0).map(byItself));
    for (const pull of pulls) entries.push({ landing: commit, pull, undecided: pending.splice(0) });
    if (bringsMore(landing)) entries.push(byItself(commit));
  }
  return [...entries, ...pending.map(byItself)];
}

function byItself(landing: Commit): Entry {
  return { landing, undecided: [] };
}

/** A first-parent commit, the commits that it merged, and the pull requests that came with it. */
interface Landing {
  commit: Commit;
  side: ReadonlyMap<string, Commit>;
  pulls: Pull[];
}

function landingsOf({ line, known, isRewritten }: Landed, merged: readonly Pull[]): Landing[] {
  const left = new Map(known);
  for (const { sha } of line) left.delete(sha);
  const carriers = new Map<string, Landing>();
  const landings = line.map((commit) => {
    const landing = { commit, side: reachable(left, commit.parents.slice(1)), pulls: [] };
    for (const sha of landing.side.keys()) left.delete(sha);
    for (const sha of [commit.sha, ...landing.side.keys()]) carriers.set(sha, landing);
    return landing;
  });
  // Sorted by number, so that every run gets the same result.
  for (const pull of merged.toSorted((one, other) => one.number - other.number)) {
    const isTitled = titleOf(pull);
    const titled = () => landings.find(({ commit }) => isRewritten && isTitled(commit.title));
    (carriers.get(pull.mergeSha) ?? titled())?.pulls.push(pull);
  }
  return landings.map((landing) => ({ ...landing, pulls: ownPulls(landing) }));
}

/** A pull request that was merged into another's branch counts as a part of that one. */
function ownPulls({ commit: { sha }, pulls }: Landing): Pull[] {
  const bases = pulls.filter(({ mergeSha }) => mergeSha === sha).map(({ base }) => base);
  return pulls.filter(({ base }) => bases.length === 0 || bases.includes(base));
}

/** The named commits and all their ancestors, as far as they are known. */
export function reachable(known: ReadonlyMap<string, Commit>, from: readonly string[]) {
  const found = new Map<string, Commit>();
  const open = [...from];
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    const commit = known.get(sha);
    if (commit === undefined || found.has(sha)) continue;
    found.set(sha, commit);
    open.push(...commit.parents);
  }
  return found;
}

/**
 * Whether a merge brought commits that are in none of its pull requests, for example by `git pull` on the branch itself.
 */
function bringsMore({ commit: { sha, parents }, side, pulls }: Landing): boolean {
  if (pulls.some(({ mergeSha }) => mergeSha === sha)) return false;
  const left = new Set(side.keys());
  for (const { mergeSha, head } of pulls) {
    const isTip = mergeSha === head && parents.includes(head);
    const [before = "", ...own] = isTip ? ["", head] : (side.get(mergeSha)?.parents ?? []);
    const others = reachable(side, [before]);
    // A merge has its pull request on its side. A tip contains all of it. A squash is one commit.
    for (const one of reachable(side, own).keys()) if (!others.has(one)) left.delete(one);
    left.delete(mergeSha);
  }
  return left.size > 0;
}

/** Whether a title is the one that GitHub gives to the commit of a pull request. */
function titleOf({ number, title, branch }: Pull): (title: string) => boolean {
  const merge = `Merge pull request #${number} from `;
  const squash = `${title} (#${number})`;
  return (it) => it === squash || (it.startsWith(merge) && it.endsWith(branch));
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
  const own = ownCommits.get(pull?.number ?? 0) ?? [];
  let left = own.length;
  const isOther = ({ sha, identity }: CommitIdentity) => {
    // A rebase leaves out commits that the branch already has.
    left = own
      .slice(0, left)
      .findLastIndex((commit) => commit.identity === identity || commit.sha === sha);
    return left < 0;
  };
  const others = isOther(landing) ? undecided.length : undecided.findLastIndex(isOther) + 1;
  return [...undecided.slice(0, others).map(byItself), { ...entry, undecided: [] }];
}

/** The committer of commits that GitHub makes. */
const GITHUB = "GitHub <noreply@github.com>";
/** How long GitHub's list of pull requests may lag behind the branch, in milliseconds. */
const BEHIND = DAY;

/**
 * Whether a commit without a listed pull request may still have one, because the list lags behind: GitHub created it, its
 * title is like that of a squash or merge, or it was rebased recently.
 *
 * @param now GitHub's time, in milliseconds since 1970
 */
export function mayBePulls(
  { committer, title, author, authoredAt, committedAt }: Commit,
  now: number,
) {
  if (committer === GITHUB || /\(#\d+\)$|^Merge pull request #/.test(title)) return true;
  const isAnew = authoredAt !== committedAt || !committer.startsWith(`${author.name} <`);
  return isAnew && now - Date.parse(committedAt) < BEHIND;
}
