import { invalidInput } from "../runtime/errors.ts";
import { parsePathPattern } from "../text/path-filter.ts";
import { quote } from "../text/sentence.ts";
import type { History } from "./history.ts";

/** What the newest release of a branch contains. */
interface Released {
  /** The tag, and the tip of the branch that it was compared with. */
  name: string;
  contains(sha: string): boolean;
}

/** Of tags that match, so many of the newest are tried: the branch may not contain the first. */
const MOST_TAGS = 5;

/**
 * What of a branch is in the newest published release, or in the newest of its tags that matches.
 *
 * @param head the branch's tip
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
  const tags = pattern === "" ? await releaseTags(history) : await matchingTags(history, pattern);
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

async function releaseTags(history: History): Promise<string[]> {
  const tag = await history.newestRelease();
  return tag === undefined ? [] : [tag];
}

async function matchingTags(history: History, pattern: string): Promise<string[]> {
  const parsed = parsePathPattern(pattern);
  const tags = await history.newestTags();
  const matching = "problem" in parsed ? [] : tags.filter((tag) => parsed.matches(tag));
  if (tags.length === 0 || matching.length > 0) return matching.slice(0, MOST_TAGS);
  throw invalidInput(
    `release-tag: none of the newest 100 tags of ${history.repository} matches ${quote(pattern)}.`,
  );
}
