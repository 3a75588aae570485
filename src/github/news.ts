/** How a run reports its results: the last line of the log, the summary, and the error outputs. */

import type { Dependencies } from "../runtime/dependencies.ts";
import { type ActionError, KIND_WORDS } from "../runtime/errors.ts";
import { pullNumber, safeLink } from "../text/link.ts";
import { listed, quotation } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";

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
  words: (entries: readonly T[]) => string,
  item: (entry: T) => string,
): News[] {
  return entries.length === 0 ? [] : [{ title, words: words(entries), items: entries.map(item) }];
}

/** Docs pull requests in the words of a heading: the only one by its link, or how many there are. */
export function pullsText(entries: readonly { prLink: string | null }[]): string {
  const links = entries.flatMap(({ prLink }) => prLink ?? []);
  const [only = "", ...others] = new Set(links);
  if (others.length > 0) return counted(others.length + 1, "docs pull request");
  return pullLink("docs pull request", only);
}

interface NewsReport {
  /** The most important comes first. */
  news: readonly News[];
  /** Why the step fails; null if it does not. */
  error: ActionError | null;
  /** Markdown for the summary, above and below the news. */
  before?: string;
  after: readonly string[];
}

/** Writes the headline to the log, the summary, and the error outputs. @returns whether the step fails */
export function reportNews(
  { news: all, error, before = "", after }: NewsReport,
  { title, outputs, log }: Dependencies,
): boolean {
  const words = all.map((entry) => entry.words).filter((text) => text !== "");
  if (error !== null) {
    words.push(KIND_WORDS[error.kind]);
    log.error(error.message, KIND_WORDS[error.kind]);
  }
  const headline = `${title}: ${words.join(", ") || "nothing new"}`;
  log.info(`${forLog(headline)}.`);
  const lists = [...Map.groupBy(all, (entry) => entry.title)].map(([name, group]) => {
    const items = group.flatMap((entry) => entry.items);
    return `**${name}**\n\n${listed(items, MOST_ITEMS).join("\n")}`;
  });
  const parts = [
    `### ${error === null ? "" : "❌ "}${headline}`,
    ...(error === null ? [] : [quotation(error.what), error.advice]),
    ...[before, ...lists, ...after],
  ];
  outputs.writeSummary(parts.filter((part) => part !== "").join("\n\n"));
  if (error === null) return false;
  outputs.setOutput("errorKind", error.kind);
  outputs.setOutput("errorMessage", error.message);
  return true;
}

/** A link with the pull request's number; the words alone if its URL is not safe to show. */
export function pullLink(words: string, prLink: string): string {
  const link = safeLink(prLink);
  if (link === null) return words;
  const number = pullNumber(link);
  return `[${words}${number === "" ? "" : ` #${number}`}](${link})`;
}

/** Shows the links to pull requests by their URLs, without Markdown. */
export function forLog(text: string): string {
  return text.replace(/\[([^[\]]+?)(?: #\d+)?\]\((https?:[^()]+)\)/g, "$1 $2");
}
