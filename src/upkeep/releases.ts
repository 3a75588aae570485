/** Which of a source's waiting changes are released, by the history of its branch. */

import {
  type HistoryReader,
  isServerFault,
  isUnknownCommit,
} from "../github/changes/history-reader.ts";
import type { Comparison, Tag } from "../github/changes/history-records.ts";
import { ABSENT, type Fact, known, mapFact, type Unread } from "../runtime/fact.ts";
import { parsePathPattern } from "../text/path-filter.ts";
import { quote } from "../text/sentence.ts";
import { shortHash } from "../text/short-hash.ts";
import type { ReleaseFacts } from "./sources.ts";

/** Maximum number of commits with tags that are compared: the newest release may be one of an older line. */
const MOST_TAGS = 10;
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
  /** What was compared last; null for nothing. */
  last: string | null;
  /** The branch may no longer contain some of the waiting changes. */
  wasRewritten: boolean;
}

/**
 * Looks for waiting changes in what is released: in the release, or the tag, that is furthest on the way to the
 * branch's tip. The newest one may be a fix of an older version, or made later on an older commit.
 *
 * @param releaseTag the pattern; null for GitHub's releases
 * @returns absent if there is no release, or the same was compared last; unread if there are tags, and none matches
 */
export async function readRelease(
  history: HistoryReader,
  source: WaitingSource,
  releaseTag: string | null,
): Promise<Fact<ReleaseFacts>> {
  const found = releaseTag === null ? await history.releases() : await history.newestTags();
  if (found.type !== "known") return found;
  const all = releaseTag === null ? found.value : matchingTags(found.value, releaseTag);
  if (found.value.length > 0 && all.length === 0) return noMatch(releaseTag ?? "");
  const tags = [...new Map(all.toReversed().map((tag) => [tag.sha, tag])).values()]
    .reverse()
    .slice(0, MOST_TAGS);
  const [newest] = tags;
  if (newest === undefined) return ABSENT;
  const { head, last, waiting } = source;
  const name = `${newest.name} ${shortHash(JSON.stringify([tags, head, waiting]))}`;
  if (name === last) return ABSENT;
  const compared = await furthestOf(history, tags, head);
  if (compared.type !== "known") return compared;
  const { furthest, isComplete } = compared.value;
  const decided = furthest === null ? known(NOTHING) : await findIn(history, furthest, source);
  if (decided.type === "unread") return decided;
  // What an old copy of GitHub's database lacks is compared by the next run.
  const isKnown = isComplete && decided.type === "known";
  const { released, dropped } = decided.type === "known" ? decided.value : NOTHING;
  return known({
    name: isKnown ? name : null,
    released: new Set(released),
    dropped: new Set(dropped),
  });
}

/** Which waiting changes a release contains, and which neither it nor the branch does. */
interface Decided {
  released: readonly string[];
  dropped: readonly string[];
}

const NOTHING: Decided = { released: [], dropped: [] };

function matchingTags(tags: readonly Tag[], pattern: string): Tag[] {
  const parsed = parsePathPattern(pattern);
  return "problem" in parsed ? [] : tags.filter(({ name }) => parsed.matches(name));
}

function noMatch(pattern: string): Unread {
  const reason = `none of its newest 100 tags matches ${quote(pattern)}, the \`release-tag\``;
  return { type: "unread", cause: "refused", reason, isPassing: false, status: null };
}

/** The tag whose commit is the nearest to the head; `isComplete`: whether GitHub knew all of them. */
async function furthestOf(
  history: HistoryReader,
  tags: readonly Tag[],
  head: string,
): Promise<Fact<{ furthest: Tag | null; isComplete: boolean }>> {
  if (tags.length === 1) return known({ furthest: tags[0] ?? null, isComplete: true });
  let furthest: Tag | null = null;
  let least = Number.POSITIVE_INFINITY;
  let isComplete = true;
  for (const tag of tags) {
    const distance = await history.distance(tag.sha, head);
    if (isUnknownCommit(distance)) isComplete = false;
    else if (isServerFault(distance)) furthest ??= tag;
    else if (distance.type === "unread") return distance;
    else if (distance.type === "known" && distance.value < least) {
      furthest = tag;
      least = distance.value;
    }
  }
  return known({ furthest, isComplete });
}

/** Absent if GitHub does not know the tag's commit yet. */
async function findIn(
  history: HistoryReader,
  { sha }: Tag,
  { head, waiting, wasRewritten }: WaitingSource,
): Promise<Fact<Decided>> {
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
): Promise<Fact<Decided>> {
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
