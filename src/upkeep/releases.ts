import type { History } from "../github/changes/history.ts";
import { invalidInput } from "../runtime/errors.ts";
import { parsePathPattern } from "../text/path-filter.ts";
import { quote } from "../text/sentence.ts";
import type { ReleaseFacts } from "./sources.ts";

/** Maximum number of matching tags that are tried, because the branch may not contain the newest one. */
const MOST_TAGS = 5;

/**
 * Compares a branch with the newest published release, or with the branch's newest tag that matches `release-tag`.
 *
 * @param head tip of the branch
 * @param last the release, with the tip, that was compared last; null for none
 * @param releaseTag the pattern; empty for releases
 * @returns null if there is no new release
 * @throws ActionError `invalid-input` if there are tags, and none matches
 */
export async function readRelease(
  history: History,
  head: string,
  last: string | null,
  releaseTag: string,
): Promise<ReleaseFacts | null> {
  const tags =
    releaseTag === ""
      ? (await history.releases()).slice(0, 1)
      : matchingTags(await history.newestTags(), releaseTag, history.repository);
  const [newest] = tags;
  if (newest === undefined || `${newest} ${head}` === last) return null;
  const name = `${newest} ${head}`;
  for (const tag of tags) {
    const comparison = await history.compare(tag, head);
    if (comparison === undefined || (releaseTag !== "" && comparison.isDiverged)) continue;
    const { commits, isComplete } = comparison;
    return { name, unreleased: isComplete ? new Set(commits.map(({ sha }) => sha)) : null };
  }
  return { name, unreleased: null };
}

function matchingTags(tags: readonly string[], pattern: string, repository: string): string[] {
  const parsed = parsePathPattern(pattern);
  const matching = "problem" in parsed ? [] : tags.filter((tag) => parsed.matches(tag));
  if (tags.length === 0 || matching.length > 0) return matching.slice(0, MOST_TAGS);
  throw invalidInput(
    `release-tag: none of the newest 100 tags of ${repository} matches ${quote(pattern)}.`,
  );
}
