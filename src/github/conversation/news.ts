/** How a run reports its results: a line of the log, and the summary. */

import type { Dependencies } from "../../runtime/dependencies.ts";
import { pullNumber, safeLink } from "../../text/link.ts";
import { listed } from "../../text/markdown.ts";
import { counted } from "../../text/sentence.ts";

const MOST_ITEMS = 50;

/** What happened: a few words for the heading, empty for none, and the items of a list. */
export interface News {
  title: string;
  words: string;
  items: string[];
}

/** The news about a list; none if it is empty. */
export function news<T>(
  title: string,
  entries: readonly T[],
  words: string,
  item: (entry: T) => string,
): News[] {
  return entries.length === 0 ? [] : [{ title, words, items: entries.map(item) }];
}

/** Docs pull requests in the words of a heading: the only one by its link, or how many there are. */
export function pullsText(entries: readonly { prLink: string | null }[]): string {
  const links = entries.flatMap(({ prLink }) => prLink ?? []);
  const [only = "", ...others] = new Set(links);
  if (others.length > 0) return counted(others.length + 1, "docs pull request");
  return pullLink("docs pull request", only);
}

/**
 * Writes a headline to the log, and with the news to the summary.
 *
 * @param all the most important comes first
 * @param more Markdown for the end of the summary
 */
export function reportNews(
  all: readonly News[],
  more: readonly string[],
  { title, outputs, log }: Pick<Dependencies, "title" | "outputs" | "log">,
): void {
  const words = all.map((entry) => entry.words).filter((text) => text !== "");
  const headline = `${title}: ${words.join(", ") || "nothing new"}`;
  log.info(`${forLog(headline)}.`);
  const lists = [...Map.groupBy(all, (entry) => entry.title)].map(([name, group]) => {
    const items = group.flatMap((entry) => entry.items);
    return `**${name}**\n\n${listed(items, MOST_ITEMS).join("\n")}`;
  });
  const parts = [`### ${headline}`, ...lists, ...more];
  outputs.writeSummary(parts.filter((part) => part !== "").join("\n\n"));
}

/** A link with the pull request's number; the words alone if its URL is not safe to show. */
export function pullLink(words: string, prLink: string): string {
  const link = safeLink(prLink);
  if (link === null) return words;
  const number = pullNumber(link);
  return `[${words}${number === null ? "" : ` #${number}`}](${link})`;
}

/** Shows the links to pull requests by their URLs, without Markdown. */
export function forLog(text: string): string {
  return text.replace(/\[([^[\]]+?)(?: #\d+)?\]\((https?:[^()]+)\)/g, "$1 $2");
}
