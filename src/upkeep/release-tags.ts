/** Which tags may be the newest release of a source. */

import type { HistoryReader } from "../github/changes/history-reader.ts";
import type { Tag } from "../github/changes/history-records.ts";
import { ABSENT, type Fact, known, type Unread } from "../runtime/fact.ts";
import { parsePathPattern } from "../text/path-filter.ts";
import { quote } from "../text/sentence.ts";

/** How many of the newest tags GitHub lists at once. */
const NEWEST = 100;
/** So many of them are enough: the newest release may be one of an older line. */
const ENOUGH = 10;

/**
 * The tags that count as releases, the newest first: those of published releases, or those that a pattern matches. The
 * newest of these may be behind many of another package's, so all that begin as the pattern does are listed then.
 *
 * @param pattern null for GitHub's releases
 * @returns absent if there is no release and no tag yet; unread if there are tags, and none matches
 */
export async function listReleases(
  history: HistoryReader,
  pattern: string | null,
): Promise<Fact<readonly Tag[]>> {
  const found = pattern === null ? await history.releases() : await history.newestTags();
  if (found.type !== "known") return found;
  const { value: newest } = found;
  if (newest.length === 0) return ABSENT;
  if (pattern === null) return known(newest);
  const matching = newest.filter(({ name }) => matches(name, pattern));
  const others =
    newest.length < NEWEST || matching.length >= ENOUGH
      ? known([])
      : await history.tagsBelow(beginningOf(pattern));
  if (others.type !== "known") return others;
  const names = new Set(newest.map(({ name }) => name));
  const older = others.value
    .filter(({ name }) => !names.has(name) && matches(name, pattern))
    .sort((tag, other) => BY_NUMBERS.compare(other.name, tag.name));
  const all = [...matching, ...older];
  return all.length === 0 ? noMatch(pattern) : known(all);
}

/** Of two versions, the higher one is the newer one. */
const BY_NUMBERS = new Intl.Collator("en", { numeric: true });

function matches(name: string, pattern: string): boolean {
  const parsed = parsePathPattern(pattern);
  return !("problem" in parsed) && parsed.matches(name);
}

/** What every name that matches a pattern begins with. `?` and `+` are about the character before them. */
export function beginningOf(pattern: string): string {
  const [beginning = ""] = /^[^*?+[\]!\\]*/.exec(pattern) ?? [];
  return /^[?+]/.test(pattern.slice(beginning.length)) ? beginning.slice(0, -1) : beginning;
}

function noMatch(pattern: string): Unread {
  const reason = `none of its tags matches ${quote(pattern)}, the \`release-tag\``;
  return { type: "unread", cause: "refused", reason, isPassing: false, status: null };
}
