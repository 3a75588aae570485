/** Changes and pull requests as people read them on a dashboard and in a summary. */

import { placeOf } from "../../github/change-details.ts";
import { safeLink } from "../../text/link.ts";
import { inlineCode, listed } from "../../text/markdown.ts";
import type { Change } from "../model/ledger.ts";

/** How many changes of a batch are named. */
const MOST_NAMED = 10;

/** A change on one line. What comes from outside stands in code, where GitHub reads nothing into it. */
export function changeText(change: Change): string {
  if (change.kind === "task") {
    const id = inlineCode(change.id, 100);
    const title = inlineCode(change.title, 80);
    return change.isPlain ? title || id : `${id} ${title}`;
  }
  const title = inlineCode(change.title, 120) || "`(no title)`";
  const link = safeLink(change.url);
  const place = inlineCode(placeOf(change), 100);
  return `${link === null ? title : `[${title}](${link})`} ${place}`;
}

/**
 * An item of a list: what it is about, and its changes: one beside it, several below it.
 *
 * @param more how many changes there are beside those given
 */
export function itemText(what: string, changes: readonly Change[], more = 0): string {
  const [only] = changes;
  if (changes.length === 1 && more === 0 && only !== undefined) {
    return `- ${what}${changeText(only)}`;
  }
  const named = listed(
    changes.map((it) => `- ${changeText(it)}`),
    MOST_NAMED,
    more,
  );
  const head = `- ${what}${changes.length + more} changes`;
  return [head, ...named.map((line) => `  ${line}`)].join("\n");
}
