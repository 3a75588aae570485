/** What each commit of a branch's line brought: the commits of its side, and the pull requests that came with it. */

import type { Commit, Pull } from "./history-records.ts";

/** New commits of a branch. */
export interface Landed {
  /** Its first-parent commits, oldest first. */
  line: readonly Commit[];
  /** The commits that merges brought, if they were read; may hold the line, too. */
  known: Commits;
  /**
   * Commits from before the cursor, as far as they were read. Null: every commit that is not known is from before it,
   * because all new ones were read.
   */
  before: ReadonlySet<string> | null;
  /**
   * The branch was rewritten: a commit whose title is the one that GitHub gives to a merge of a pull
   * request counts as that pull request, where its own commit is not in the branch.
   */
  isRewritten: boolean;
}

export type Commits = ReadonlyMap<string, Commit>;

/** A first-parent commit, and what came with it. */
export interface Landing {
  commit: Commit;
  pulls: readonly Pull[];
  /** Commits that it merged, and that are in none of its pull requests as far as the history says. */
  others: readonly Commit[];
  /**
   * The pull requests that may contain them nevertheless, by their own commits: those that were rebased, or whose
   * branch was pushed as it is. `atMost`: what one has if GitHub does not list its own commits.
   */
  candidates: readonly { number: number; atMost: ReadonlySet<string> }[];
  /** Whether it merged commits that were not read. */
  isUnread: boolean;
}

/**
 * The commits of the line, each with what came with it. One that a pull request of the branch contains which came with
 * another one is left out.
 *
 * @param merged the merged pull requests, into any branch
 * @param branch the name of the branch
 */
export function landingsOf(landed: Landed, merged: readonly Pull[], branch: string): Landing[] {
  const { line, known, before } = landed;
  const sides = sidesOf(line, known);
  const carriers = new Map<string, Commit>();
  for (const { commit, side } of sides) {
    for (const sha of [commit.sha, ...side.keys()]) carriers.set(sha, commit);
  }
  // Sorted by number, so that every run gets the same result.
  const sorted = merged.toSorted((a, b) => a.number - b.number);
  const carried = Map.groupBy(sorted, (pull) => carrierOf(pull, landed, carriers, branch));
  const all = before === null ? bySha([...known.values(), ...line]) : null;
  const ofPulls = new Set<string>();
  const ofBranch = new Set<string>();
  for (const { commit, side } of sides) {
    for (const pull of carried.get(commit) ?? []) {
      for (const sha of commitsOf(pull, commit, side, all)) {
        ofPulls.add(sha);
        if (pull.base === branch) ofBranch.add(sha);
      }
    }
  }
  const landings = sides.map(({ commit, side }): Landing => {
    const pulls = ownPulls(commit, carried.get(commit) ?? []);
    const others = [...side.values()].filter(({ sha }) => !ofPulls.has(sha));
    const candidates = others.length === 0 ? [] : candidatesOf(sorted, commit, side, others);
    const isOwn = pulls.some(({ mergeSha }) => mergeSha === commit.sha);
    const isUnread =
      !isOwn &&
      before !== null &&
      commit.parents.slice(1).some((sha) => !before.has(sha) && !carriers.has(sha));
    return { commit, pulls, others, candidates, isUnread };
  });
  return landings.filter(({ commit, pulls }) => pulls.length > 0 || !ofBranch.has(commit.sha));
}

/** The commit of the line that a pull request came with; undefined for none. */
function carrierOf(
  pull: Pull,
  { line, isRewritten }: Landed,
  carriers: ReadonlyMap<string, Commit>,
  branch: string,
): Commit | undefined {
  const { mergeSha } = pull;
  // The commits of a branch may come in once more, beside the squash or rebase of them.
  const head = pull.base === branch ? pull.head : mergeSha;
  const onLine = [mergeSha, head].find((sha) => carriers.get(sha)?.sha === sha);
  return (
    carriers.get(onLine ?? mergeSha) ??
    carriers.get(head) ??
    (isRewritten ? line.find(({ title }) => isTitleOf(pull, title)) : undefined)
  );
}

export function bySha(commits: readonly Commit[]): Map<string, Commit> {
  return new Map(commits.map((commit) => [commit.sha, commit]));
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
 * SHAs of the commits that came with one pull request of a landing, as far as the history says: all of a merge, the
 * last of a rebase.
 *
 * @param all all new commits; null if they were read in part
 */
function commitsOf({ mergeSha, head }: Pull, { sha }: Commit, side: Commits, all: Commits | null) {
  if (mergeSha === sha) {
    const isPushed = head === sha;
    const from = side.has(head) ? reachable(side, [head]) : side;
    return isPushed ? [sha] : [sha, ...from.keys()];
  }
  const known = all ?? side;
  const [before, ...merged] = known.get(mergeSha)?.parents ?? [];
  if (before === undefined || merged.length === 0 || mergeSha === head) return [mergeSha, head];
  const others = reachable(known, [before]);
  const own = [...reachable(known, merged).keys()].filter((each) => !others.has(each));
  return [mergeSha, ...own];
}

/** The pull requests that may contain the commits beside their last one, which only their own commits tell. */
function candidatesOf(
  merged: readonly Pull[],
  commit: Commit,
  side: Commits,
  others: readonly Commit[],
): Landing["candidates"] {
  const shas = new Set(others.map(({ sha }) => sha));
  return merged.flatMap(({ number, mergeSha, head }) => {
    const isTip = mergeSha === commit.sha && head === commit.sha;
    const last = isTip ? commit : (side.get(mergeSha) ?? side.get(head));
    if (last === undefined || !last.parents.some((sha) => shas.has(sha))) return [];
    const isMerged = last.sha === head && commit.parents.includes(head);
    return [{ number, atMost: new Set(isMerged ? reachable(side, [head]).keys() : []) }];
  });
}

/** Whether a title is the one that GitHub gives to the commit of a pull request. */
function isTitleOf({ number, title, branch }: Pull, ofCommit: string): boolean {
  const isMerge = ofCommit.startsWith(`Merge pull request #${number} from `);
  return ofCommit === `${title} (#${number})` || (isMerge && ofCommit.endsWith(branch));
}
