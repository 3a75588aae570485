/** Which of a source's waiting changes are released, by the history of its branch. */

import {
  type HistoryReader,
  isServerFault,
  isUnknownCommit,
} from "../github/changes/history-reader.ts";
import type { Comparison, Tag } from "../github/changes/history-records.ts";
import { ABSENT, type Fact, known, mapFact } from "../runtime/fact.ts";
import { shortHash } from "../text/short-hash.ts";
import type { ReleaseFacts } from "./sources.ts";

/** Maximum number of commits with tags that are compared. */
const MOST_TAGS = 40;
/** So many of them are compared, whatever the first ones say: the newest release may be one of an older line. */
const ENOUGH_TAGS = 10;
/** Maximum number of pages of a release's history in which changes are looked for: 2,000 commits. */
const MOST_PAGES = 20;
/** Maximum number of commits that are asked for one by one. */
const MOST_ALONE = 20;

/** What a release is compared with. */
export interface WaitingSource {
  /** Tip of the branch. */
  head: string;
  /** The changes that wait for a release: their commits. */
  waiting: readonly string[];
  /** The branch may no longer contain some of the waiting changes. */
  wasRewritten: boolean;
}

/** What is compared: releases, the branch's tip and what waits. */
export function nameOfReleases(tags: readonly Tag[], { head, waiting }: WaitingSource): string {
  const [newest] = tags;
  const seen = distinct(tags).map(({ name, sha }) => ({ name, sha }));
  return `${newest?.name ?? ""} ${shortHash(JSON.stringify([seen, head, waiting]))}`;
}

/** Each commit once, by its newest tag. */
function distinct(tags: readonly Tag[]): Tag[] {
  const all = new Map(tags.toReversed().map((tag) => [tag.sha, tag]));
  return [...all.values()].reverse().slice(0, MOST_TAGS);
}

/**
 * Looks for waiting changes in what is released: in the release, or the tag, that is furthest on the way to the
 * branch's tip. The newest one may be a fix of an older version, or made later on an older commit.
 *
 * @param tags the newest first
 */
export async function readRelease(
  history: HistoryReader,
  source: WaitingSource,
  tags: readonly Tag[],
): Promise<Fact<ReleaseFacts>> {
  const compared = await furthestOf(history, distinct(tags), source.head);
  if (compared.type !== "known") return compared;
  const { furthest, isComplete } = compared.value;
  const decided = furthest === null ? known(NOTHING) : await findIn(history, furthest, source);
  if (decided.type === "unread") return decided;
  // What an old copy of GitHub's database lacks is compared by the next run.
  const isKnown = isComplete && decided.type === "known";
  const { released, dropped } = decided.type === "known" ? decided.value : NOTHING;
  return known({
    name: isKnown ? nameOfReleases(tags, source) : null,
    released: new Set(released),
    dropped: new Set(dropped),
  });
}

const NOTHING = { released: [], dropped: [] };

/**
 * The commit of a tag that is the nearest to the head, null for none; `isComplete`: whether GitHub knew all of them.
 * Behind the newest ones, the search goes on until one is found that the branch contains: those of older lines that
 * were published later hide none.
 */
async function furthestOf(
  history: HistoryReader,
  tags: readonly Tag[],
  head: string,
): Promise<Fact<{ furthest: string | null; isComplete: boolean }>> {
  let furthest: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  let isComplete = true;
  let hasContained = false;
  for (const [nth, tag] of tags.entries()) {
    if (nth >= ENOUGH_TAGS && hasContained) break;
    const commit = tag.isCommit ? known(tag.sha) : await commitOf(history, tag);
    if (commit.type === "unread") return commit;
    const sha = commit.type === "known" ? commit.value : null;
    if (sha !== null && tags.length === 1) return known({ furthest: sha, isComplete });
    const compared = sha === null ? ABSENT : await history.standing(sha, head);
    if (sha === null || isUnknownCommit(compared)) isComplete = false;
    else if (isServerFault(compared)) furthest ??= sha;
    else if (compared.type === "unread") return compared;
    else if (compared.type === "known") {
      hasContained ||= compared.value.isContained;
      if (compared.value.distance >= least) continue;
      furthest = sha;
      least = compared.value.distance;
    }
  }
  return known({ furthest, isComplete });
}

/** A branch may have the tag's name. */
async function commitOf(history: HistoryReader, { name }: Tag): Promise<Fact<string>> {
  return mapFact(await history.commit(`tags/${name}`), ({ sha }) => sha);
}

/**
 * Which waiting changes a release contains, and which neither it nor the branch does; absent if GitHub does not know
 * the tag's commit yet.
 */
async function findIn(
  history: HistoryReader,
  sha: string,
  { head, waiting, wasRewritten }: WaitingSource,
): Promise<Fact<{ released: readonly string[]; dropped: readonly string[] }>> {
  const compared = await compareAll(history, sha, head);
  if (compared.type === "unread") return compared;
  const commits = compared.type === "known" ? compared.value.commits : [];
  const unreleased = new Set(commits.map((commit) => commit.sha));
  const others = waiting.filter((commit) => !unreleased.has(commit));
  if (compared.type === "known" && !wasRewritten) return known({ released: others, dropped: [] });
  const read = await containedIn(history, sha, others);
  if (read.type !== "known") return read;
  const { contained, isWhole } = read.value;
  const rest = others.filter((commit) => !contained.includes(commit));
  if (compared.type === "absent") return known({ released: contained, dropped: [] });
  const each = await findEach(history, sha, rest.slice(0, MOST_ALONE), isWhole);
  return mapFact(each, ({ released, dropped }) => {
    return { released: [...contained, ...released], dropped };
  });
}

/**
 * Asks for commits that are not in a branch one by one whether a tag contains them.
 *
 * @param isWhole whether the whole history of the tag was read, and has none of them: GitHub may answer no comparison
 */
async function findEach(
  history: HistoryReader,
  tag: string,
  commits: readonly string[],
  isWhole: boolean,
): ReturnType<typeof findIn> {
  const released: string[] = [];
  const dropped: string[] = [];
  for (const commit of commits) {
    const distance = await history.distance(tag, commit);
    if (isUnknownCommit(distance)) {
      const own = await history.commit(commit);
      if (own.type === "unread") return own;
      if (own.type === "absent") dropped.push(commit);
    } else if (isServerFault(distance)) {
      if (isWhole) dropped.push(commit);
    } else if (distance.type === "unread") {
      return distance;
    } else {
      const isReleased = distance.type === "known" && distance.value === 0;
      (isReleased ? released : dropped).push(commit);
    }
  }
  return known({ released, dropped });
}

/** Absent if GitHub does not list all commits. */
async function compareAll(
  history: HistoryReader,
  base: string,
  head: string,
): Promise<Fact<Comparison>> {
  const fact = await history.compare(base, head);
  const isListed = fact.type === "known" ? fact.value.isComplete : !isServerFault(fact);
  return isListed ? fact : ABSENT;
}

/**
 * Those of some commits that are in the history of another one, and whether that was read as far as is needed; absent
 * if GitHub does not know that one yet.
 */
async function containedIn(
  history: HistoryReader,
  sha: string,
  commits: readonly string[],
): Promise<Fact<{ contained: readonly string[]; isWhole: boolean }>> {
  if (commits.length === 0) return known({ contained: [], isWhole: true });
  const missing = new Set(commits);
  const isEnough = (page: readonly { sha: string }[]) => {
    for (const commit of page) missing.delete(commit.sha);
    return missing.size === 0;
  };
  const read = await history.commitsBack(sha, { pages: MOST_PAGES, isEnough });
  return mapFact(read, ({ items, isComplete: isWhole }) => {
    const shas = new Set(items.map((commit) => commit.sha));
    return { contained: commits.filter((commit) => shas.has(commit)), isWhole };
  });
}
