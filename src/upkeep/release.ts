import type { History } from "../github/history.ts";
import type { Source } from "../ledger/model/ledger.ts";
import type { LedgerEdit } from "../ledger/model/ledger-edit.ts";
import { sourceKey } from "../ledger/model/names.ts";
import { invalidInput } from "../runtime/errors.ts";
import { parsePathPattern } from "../text/path-pattern.ts";
import { quote } from "../text/quote.ts";

/** Of tags that match, so many of the newest are tried: the branch may not contain the first. */
const MOST_TAGS = 5;

/**
 * With `after: release`: finds the newest release, or the newest tag that matches, and marks what waits and is
 * in it.
 *
 * @param pattern of `release-tag`; empty for releases
 * @returns the source, which remembers the release
 */
export async function markReleased(
  edit: LedgerEdit,
  source: Source,
  history: History,
  head: string,
  pattern: string,
): Promise<Source> {
  const key = sourceKey(source);
  const isOpen = edit.ledger.waiting.some((it) => !it.isReleased && it.source === key);
  if (!isOpen) return source;
  const tags =
    pattern === "" ? await releaseTags(history) : await matchingTags(history, source, pattern);
  // What is in the branch after a tag that was seen before is not in it now either.
  if (tags[0] === undefined || `${tags[0]} ${head}` === source.release) return source;
  for (const tag of tags) {
    const comparison = await history.compare(tag, head);
    if (comparison === undefined || (pattern !== "" && comparison.isDiverged)) continue;
    const after = new Set(comparison.commits.map(({ sha }) => sha));
    const isIn = (sha: string) => !after.has(sha) && comparison.commits.length >= comparison.total;
    edit.change({
      waiting: edit.ledger.waiting.map((it) =>
        it.source === key && it.changes.every((one) => one.kind === "change" && isIn(one.sha))
          ? { ...it, isReleased: true }
          : it,
      ),
    });
    break;
  }
  return { ...source, release: `${tags[0]} ${head}` };
}

async function releaseTags(history: History): Promise<string[]> {
  const tag = await history.newestRelease();
  return tag === undefined ? [] : [tag];
}

/** @throws ActionError if there are tags, and none matches */
async function matchingTags(history: History, source: Source, pattern: string): Promise<string[]> {
  const parsed = parsePathPattern(pattern);
  const tags = await history.newestTags();
  const matching = "problem" in parsed ? [] : tags.filter((tag) => parsed.matches(tag));
  if (tags.length === 0 || matching.length > 0) return matching.slice(0, MOST_TAGS);
  throw invalidInput(
    `release-tag: none of the newest 100 tags of ${source.repository} matches ${quote(pattern)}.`,
  );
}
