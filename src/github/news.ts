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

/** Shows a docs pull request in the words of a heading. */
export type Link = (prLink: string) => string;

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
export function pullsText(prLinks: readonly (string | null)[], link: Link): string {
  const [only = "", ...others] = new Set(prLinks.filter((link) => link !== null));
  return others.length === 0 ? link(only) : counted(others.length + 1, "docs pull request");
}

interface NewsReport {
  /** Follows the action's title, for example ` (dry run)`. */
  note?: string;
  /** The most important comes first. */
  newsOf(link: Link): News[];
  /** Why the step fails; null if it does not. */
  error: ActionError | null;
  /** Markdown for the summary, above and below the news. */
  before?: string;
  after?: readonly string[];
}

/** Writes the headline to the log, the summary, and the error outputs. @returns whether the step fails */
export function reportNews(
  { note = "", newsOf, error, before = "", after = [] }: NewsReport,
  { title, outputs, log }: Dependencies,
): boolean {
  const headline = (all: readonly News[]) => {
    const words = all.flatMap((entry) => (entry.words === "" ? [] : [entry.words]));
    if (error !== null) words.push(KIND_WORDS[error.kind]);
    return `${title}${note}: ${words.join(", ") || "nothing new"}`;
  };
  if (error !== null) log.error(error.message, KIND_WORDS[error.kind]);
  log.info(`${headline(newsOf((prLink) => `docs pull request ${prLink}`))}.`);
  const all = newsOf((prLink) => pullLink("docs pull request", prLink) ?? "docs pull request");
  const lists = [...Map.groupBy(all, (entry) => entry.title)].map(([name, group]) => {
    const items = group.flatMap((entry) => entry.items);
    return `**${name}**\n\n${listed(items, MOST_ITEMS).join("\n")}`;
  });
  const parts = [
    `### ${error === null ? "" : "❌ "}${headline(all)}`,
    ...(error === null ? [] : [quotation(error.what), error.advice]),
    ...[before, ...lists, ...after],
  ];
  outputs.writeSummary(parts.filter((part) => part !== "").join("\n\n"));
  if (error === null) return false;
  outputs.setOutput("errorKind", error.kind);
  outputs.setOutput("errorMessage", error.message);
  return true;
}

/** Null if there is no pull request, or its URL is not safe to show. @param words the link's text */
export function pullLink(words: string, prLink: string | null): string | null {
  const link = prLink === null ? null : safeLink(prLink);
  if (link === null) return null;
  const number = pullNumber(link);
  return `[${words}${number === "" ? "" : ` #${number}`}](${link})`;
}
