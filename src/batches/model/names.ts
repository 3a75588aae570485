import { hash } from "node:crypto";
import { changePlace } from "../../github/changes/change-details.ts";
import { safeLink } from "../../text/link.ts";
import { cut, inlineCode, listed, oneLine } from "../../text/markdown.ts";
import { counted } from "../../text/sentence.ts";
import type { Change, Group } from "./ledger.ts";

/** How many changes a message or an item names. */
export const MOST_NAMED = 10;

/** Longest name of a task, in characters. */
const LONGEST_NAME = 60;

/** A change in a few words: `#12`, a short SHA, the first line of a task's ID, or the beginning of its prompt. */
export function nameOf(change: Change): string {
  if (change.kind === "task") {
    const prompt = change.isPlain ? cut(oneLine(change.title), LONGEST_NAME) : "";
    const [firstLine = ""] = change.key.split("\n", 1);
    return prompt === "" ? firstLine : JSON.stringify(prompt);
  }
  return change.number === null ? change.sha.slice(0, 7) : `#${change.number}`;
}

/** For example `#12, #14 and a1b2c3d`. */
export function namesOf(changes: readonly Change[]): string {
  const names = changes.slice(0, MOST_NAMED).map(nameOf);
  const more = changes.length - names.length;
  return LIST.format(more > 0 ? [...names, `${more} more`] : names);
}

const LIST = new Intl.ListFormat("en-GB");

/** A change on one line. Text from outside is shown as code, which GitHub does not interpret. */
export function changeText(change: Change): string {
  if (change.kind === "task") {
    const id = inlineCode(change.key, 100);
    const title = inlineCode(change.title, 80);
    return change.isPlain ? title || id : `${id} ${title}`;
  }
  const title = inlineCode(change.title, 120) || "`(no title)`";
  const link = safeLink(change.url);
  const place = inlineCode(changePlace(change), 100);
  return `${link === null ? title : `[${title}](${link})`} ${place}`;
}

/**
 * A list item: what it is about, and its changes: one on the same line, several below.
 *
 * @param about empty for nothing
 * @param more the number of further changes
 */
export function itemText(about: string, changes: readonly Change[], more = 0): string {
  const head = about === "" ? "-" : `- ${about} ←`;
  const count = changes.length + more;
  const texts = changes.slice(0, MOST_NAMED).map(changeText);
  if (changes.length === 1 && more === 0) return `${head} ${texts[0]}`;
  const items = texts.map((text) => `- ${text}`);
  const named = listed(items, MOST_NAMED, count - items.length).map((line) => `  ${line}`);
  return [`${head} ${counted(count, "change")}`, ...named].join("\n");
}

/** Names a branch in which changes are found. */
export function sourceKey({ id, branch }: { id: number; branch: string }): string {
  return `${id}@${branch}`;
}

/** A hash of a finished task's key, for the ledger: 66 bits, so that the hashes of 20,000 tasks differ. */
export function endedMark(key: string): string {
  return hash("sha256", key, "base64url").slice(0, 11);
}

/** The items in groups of a size; the last one may be smaller. */
export function chunks<T>(items: readonly T[], size: number): T[][] {
  const nth = (at: number) => items.slice(at * size, (at + 1) * size);
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => nth(at));
}

/** The waiting groups without these changes. */
export function without(waiting: readonly Group[], keys: ReadonlySet<string>): Group[] {
  return waiting
    .map((group) => ({ ...group, changes: group.changes.filter(({ key }) => !keys.has(key)) }))
    .filter(({ changes }) => changes.length > 0);
}
