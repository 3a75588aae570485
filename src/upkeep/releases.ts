/** Which of a source's waiting changes are released, by the history of its branch. */

import { compareCommits } from "../github/changes/gained-commits.ts";
import type { History } from "../github/changes/history.ts";
import type { Comparison, Tag } from "../github/changes/history-records.ts";
import type { Fact, Unread } from "../runtime/fact.ts";
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
  history: History,
  source: WaitingSource,
  releaseTag: string | null,
): Promise<Fact<ReleaseFacts>> {
  const found = releaseTag === null ? await history.releases() : await history.newestTags();
  const all = releaseTag === null ? found : matchingTags(found, releaseTag);
  if (releaseTag !== null && found.length > 0 && all.length === 0) return noMatch(releaseTag);
  const tags = [...new Map(all.toReversed().map((tag) => [tag.sha, tag])).values()]
    .reverse()
    .slice(0, MOST_TAGS);
  const [newest] = tags;
  if (newest === undefined) return { type: "absent" };
  const { head, last, waiting } = source;
  const compared = shortHash(JSON.stringify([tags, head, waiting]));
  const name = `${newest.name} ${compared}`;
  if (name === last) return { type: "absent" };
  const { furthest, isComplete } = await furthestOf(history, tags, head);
  const decided = furthest === null ? NOTHING : await findIn(history, furthest, source);
  // What an old copy of GitHub's database lacks is compared by the next run.
  const isKnown = isComplete && decided !== null;
  const { released, dropped } = decided ?? NOTHING;
  return {
    type: "known",
    value: {
      name: isKnown ? name : null,
      released: new Set(released),
      dropped: new Set(dropped),
    },
  };
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
  history: History,
  tags: readonly Tag[],
  head: string,
): Promise<{ furthest: Tag | null; isComplete: boolean }> {
  if (tags.length === 1) return { furthest: tags[0] ?? null, isComplete: true };
  let furthest: Tag | null = null;
  let least = Number.POSITIVE_INFINITY;
  let isComplete = true;
  for (const tag of tags) {
    const distance = await history.distance(tag.sha, head);
    if (distance === "missing") isComplete = false;
    const isUnanswered = distance === "unanswered" && furthest === null;
    if (!isUnanswered && !(typeof distance === "number" && distance < least)) continue;
    furthest = tag;
    if (typeof distance === "number") least = distance;
  }
  return { furthest, isComplete };
}

/** Null if GitHub does not know the tag's commit yet. */
async function findIn(
  history: History,
  { sha }: Tag,
  { head, waiting, wasRewritten }: WaitingSource,
): Promise<Decided | null> {
  const comparison = await compareAll(history, sha, head);
  const unreleased = new Set(comparison?.commits.map((commit) => commit.sha));
  const others = waiting.filter((commit) => !unreleased.has(commit));
  if (comparison !== null && !wasRewritten) return { released: others, dropped: [] };
  const read = await containedIn(history, sha, others);
  if (read === null) return null;
  const { contained, isWhole } = read;
  const rest = others.filter((commit) => !contained.includes(commit));
  if (comparison === null) return { released: contained, dropped: [] };
  const { released, dropped } = await findEach(history, sha, rest.slice(0, MOST_ALONE), isWhole);
  return { released: [...contained, ...released], dropped };
}

/**
 * Asks for commits that are not in a branch one by one whether a tag contains them.
 *
 * @param isWhole whether the whole history of the tag was read, and has none of them: GitHub may answer no comparison
 */
async function findEach(
  history: History,
  tag: string,
  commits: readonly string[],
  isWhole: boolean,
): Promise<Decided> {
  const released: string[] = [];
  const dropped: string[] = [];
  for (const commit of commits) {
    const distance = await history.distance(tag, commit);
    const isGone = distance === "missing" && (await history.commit(commit)) === undefined;
    const isElsewhere = isWhole && distance === "unanswered";
    if (distance === 0) released.push(commit);
    else if (typeof distance === "number" || distance === "unrelated" || isGone || isElsewhere) {
      dropped.push(commit);
    }
  }
  return { released, dropped };
}

/** Null if GitHub does not list all commits. */
async function compareAll(
  history: History,
  base: string,
  head: string,
): Promise<Comparison | null> {
  const comparison = await compareCommits(history, base, head);
  return typeof comparison === "object" && comparison.isComplete ? comparison : null;
}

/**
 * Those of some commits that are in the history of another one, and whether that was read as far as is needed; null if
 * GitHub does not know that one yet.
 */
async function containedIn(
  history: History,
  sha: string,
  commits: readonly string[],
): Promise<{ contained: readonly string[]; isWhole: boolean } | null> {
  if (commits.length === 0) return { contained: [], isWhole: true };
  const missing = new Set(commits);
  const isEnough = (page: readonly { sha: string }[]) => {
    for (const commit of page) missing.delete(commit.sha);
    return missing.size === 0;
  };
  const read = await history.commitsBack(sha, { pages: MOST_PAGES, isEnough });
  if (read === undefined) return null;
  const shas = new Set(read.items.map((commit) => commit.sha));
  const contained = commits.filter((commit) => shas.has(commit));
  return { contained, isWhole: read.isComplete };
}
