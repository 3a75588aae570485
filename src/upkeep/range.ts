/** What a branch gained since a cursor, read from GitHub with as few requests as there are. */

import { type Branch, type History, TooManyCommits } from "../github/history.ts";
import type { Commit, Pull } from "../github/history-records.ts";
import type { Since } from "../inputs/since.ts";
import { attributeCommits, type Entry } from "./attribution.ts";
import type { SourceCursor } from "./changes.ts";
import { startOf } from "./first-run.ts";

/** Where changes are read. */
export interface ChangeSource {
  history: History;
  /** Missing: the default branch. */
  branch?: string;
  /** Missing: the first run. */
  cursor?: SourceCursor;
  since: Since;
}

export interface Range {
  branch: Branch;
  /** Where it begins: what a first run has to remember, even if there is nothing to do. */
  start: SourceCursor;
  /** Oldest first. */
  entries: Entry[];
  pulls: Pull[];
  /** Whether all pull requests that may have landed are among `pulls`. */
  hasAllPulls: boolean;
  /** What was in the branch before it was rewritten. */
  dropped: Commit[];
}

/** What the branch gained, without its pull requests. */
interface Gained {
  start: SourceCursor;
  commits: Commit[];
  isRewritten: boolean;
  dropped: Commit[];
}

interface Problem {
  problem: string;
}

/** A pull request may have changed last a little before the cursor by the clock of whoever pushed that. */
const CLOCK_SKEW = 24 * 60 * 60 * 1000;

/** Commits with a date from before the start that are stepped over, in search of newer ones behind them. */
const MOST_STEPS = 20;

/** @returns a problem for what the workflow gave and GitHub does not know. */
export async function readRange(source: ChangeSource): Promise<Range | Problem> {
  const branch = await readBranch(source);
  if ("problem" in branch) return branch;
  try {
    const gained = await readGained(source, branch);
    if ("problem" in gained) return gained;
    const { commits, start, isRewritten, dropped } = gained;
    const from = Math.min(Date.parse(start.date), branch.now) - CLOCK_SKEW;
    const { pulls, isComplete } =
      commits.length === 0
        ? { pulls: [], isComplete: true }
        : await source.history.mergedPulls(branch.name, from);
    const entries = attributeCommits({ commits, head: branch.sha, pulls, isRewritten });
    return { branch, start, entries, pulls, hasAllPulls: isComplete, dropped };
  } catch (error) {
    if (!(error instanceof TooManyCommits)) throw error;
    const { repository } = source.history;
    const advice = source.cursor === undefined ? ": set `since` to a later time" : "";
    return { problem: `${repository} has ${error.message} to look through${advice}` };
  }
}

async function readBranch({ history, branch }: ChangeSource): Promise<Branch | Problem> {
  const { repository } = history;
  let name = branch;
  try {
    name ??= await history.defaultBranch();
    return await history.branch(name);
  } catch (error) {
    if ((error as { status?: unknown }).status !== 404) throw error;
  }
  const missing = {
    problem: `repositories: ${repository} does not exist, or github-token cannot read it`,
  };
  if (name === undefined || branch === undefined) return missing;
  try {
    await history.defaultBranch();
    return { problem: `repositories: ${repository} has no branch ${branch}` };
  } catch (error) {
    if ((error as { status?: unknown }).status !== 404) throw error;
    return missing;
  }
}

async function readGained(source: ChangeSource, branch: Branch): Promise<Gained | Problem> {
  const { history, since } = source;
  if (source.cursor !== undefined) return sinceCursor(history, source.cursor, branch);
  if (since.kind === "ref") {
    const commit = await history.commit(since.ref);
    if (commit === undefined) {
      return { problem: `since: ${history.repository} has no commit or tag ${since.ref}` };
    }
    const start = { sha: commit.sha, date: commit.committedAt };
    const comparison = await history.compare(start.sha, branch.sha);
    if (comparison === undefined) {
      return { problem: `since: ${since.ref} and ${branch.name} have no history in common` };
    }
    return { start, commits: comparison.commits, isRewritten: false, dropped: [] };
  }
  const date = startOf(since, branch.now);
  return typeof date === "string" ? sinceDate(history, date, branch) : date;
}

async function sinceCursor(history: History, start: SourceCursor, branch: Branch): Promise<Gained> {
  const none = { start, commits: [], isRewritten: false, dropped: [] };
  if (start.sha === branch.sha) return none;
  const comparison = start.sha === null ? undefined : await history.compare(start.sha, branch.sha);
  if (start.sha === null || comparison === undefined) {
    const gained = await sinceDate(history, start.date, branch);
    return { ...gained, isRewritten: start.sha !== null };
  }
  const { commits, isDiverged } = comparison;
  if (!isDiverged) return { ...none, commits };
  const former = await history.compare(branch.sha, start.sha);
  return { start, commits, isRewritten: true, dropped: former?.commits ?? [] };
}

/** What was committed from a time on, as far as the branch's own line from its head back reaches. */
async function sinceDate(history: History, date: string, branch: Branch): Promise<Gained> {
  const recent = await history.commitsSince(branch.sha, date);
  const bySha = new Map(recent.map((commit) => [commit.sha, commit]));
  const unseen = new Set(bySha.keys());
  let start: string | undefined = branch.sha;
  let older: Commit[] = [];
  for (let next: string | undefined = start; next !== undefined; ) {
    const known: Commit | undefined = bySha.get(next);
    // Older by its date than what is behind it, as when an old commit is pushed late.
    const isWorth = unseen.size > 0 && older.length < MOST_STEPS;
    if (known === undefined && !isWorth) break;
    const commit: Commit | undefined = known ?? (await history.commit(next));
    if (commit === undefined) break;
    next = commit.parents[0];
    older.push(commit);
    if (known === undefined) continue;
    for (const one of older) bySha.set(one.sha, one);
    older = [];
    start = next;
    see(commit, bySha, unseen);
  }
  const commits = [...bySha.values()];
  return { start: { sha: start ?? null, date }, commits, isRewritten: false, dropped: [] };
}

/** Strikes off a commit, and what came with it through its other parents. */
function see(commit: Commit, bySha: ReadonlyMap<string, Commit>, unseen: Set<string>): void {
  unseen.delete(commit.sha);
  const open = commit.parents.slice(1);
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    if (unseen.delete(sha)) open.push(...(bySha.get(sha)?.parents ?? []));
  }
}
