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

/** One entry, or none for an empty list. */
export function news<T>(
  title: string,
  some: readonly T[],
  words: (some: readonly T[]) => string,
  item: (one: T) => string,
): News[] {
  return some.length === 0 ? [] : [{ title, words: words(some), items: some.map(item) }];
}

/** Docs pull requests in the words of a heading: the only one by its link, or how many there are. */
export function pullsText(prLinks: readonly (string | null)[], link: Link): string {
  const [only = "", ...others] = new Set(prLinks.filter((it) => it !== null));
  return others.length === 0 ? link(only) : counted(others.length + 1, "docs pull request");
}

export interface Told {
  /** Stands behind the action's title: ` (dry run)`. */
  note?: string;
  /** What matters most comes first. */
  newsOf(link: Link): News[];
  /** Why the step fails; null: it does not. */
  error: ActionError | null;
  /** What the summary says above and below the news, besides the error. */
  before?: string;
  after?: readonly string[];
}

/** Without any news, it says *nothing new*. @returns whether the step fails */
export function tellNews(
  { note = "", newsOf, error, before = "", after = [] }: Told,
  { title, outputs, log }: Dependencies,
): boolean {
  const headline = (all: readonly News[]) => {
    const words = all.flatMap((it) => (it.words === "" ? [] : [it.words]));
    if (error !== null) words.push(KIND_WORDS[error.kind]);
    return `${title}${note}: ${words.join(", ") || "nothing new"}`;
  };
  if (error !== null) log.error(error.message, KIND_WORDS[error.kind]);
  log.info(`${headline(newsOf((prLink) => `docs pull request ${prLink}`))}.`);
  const all = newsOf((prLink) => pullLink("docs pull request", prLink) ?? "docs pull request");
  const lists = [...Map.groupBy(all, (it) => it.title)].map(([name, some]) => {
    const items = some.flatMap((it) => it.items);
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

/** Null if there is no pull request, or its address may not be shown. @param words what it is called */
export function pullLink(words: string, prLink: string | null): string | null {
  const link = prLink === null ? null : safeLink(prLink);
  if (link === null) return null;
  const number = pullNumber(link);
  return `[${words}${number === "" ? "" : ` #${number}`}](${link})`;
}
