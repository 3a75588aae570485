/** Reads lists page by page. */

import { type Fact, known } from "../../runtime/fact.ts";

/** Entries per page: GitHub's maximum. */
export const PAGE = 100;

/** Which page: its number, or what GitHub's own link to it says, such as a cursor. */
export type PagePlace =
  | { readonly per_page: number; readonly page: number }
  | Readonly<Record<string, string>>;

/** A page, and the `link` header of its answer. */
export interface Page<D> {
  readonly data: D;
  readonly link: string | undefined;
}

/** A list, and the first page of it. */
export interface PagedList<D, T> {
  readonly items: T[];
  readonly first: D;
  /** False if there are more pages. */
  readonly isComplete: boolean;
}

/** Where the pages of a list come from. */
export interface PageSource<D, T> {
  ask(query: PagePlace): Promise<Fact<Page<D>>>;
  items(page: D): readonly T[];
  /** Maximum number of pages. */
  most: number;
}

/** Reads a list as one array. A page that cannot be read leaves all of it unread. */
export async function readList<D, T, K>(
  request: PageSource<D, T> & {
    /** What is kept of a page's entries. */
    keep(items: readonly T[]): Promise<readonly K[]> | readonly K[];
    /** Whether no further page is needed after this one. */
    isEnough(page: D): boolean;
  },
): Promise<Fact<PagedList<D, K>>> {
  const kept: K[] = [];
  let first: D | undefined;
  let query: PagePlace = { per_page: PAGE, page: 1 };
  for (let page = 1; ; page++) {
    const fact: Fact<Page<D>> = await request.ask(query);
    if (fact.type !== "known") return fact;
    const { data, link } = fact.value;
    first ??= data;
    const items = request.items(data);
    kept.push(...(await request.keep(items)));
    const next = nextPage(link, items.length, page);
    const isComplete = next === null || request.isEnough(data);
    if (isComplete || page === request.most) return known({ items: kept, first, isComplete });
    query = next;
  }
}

/**
 * The pages of a list that GitHub sorts from the oldest entry on, the last page first, and the entries of each page
 * from the newest on. Where GitHub does not name the last page, all pages are read before.
 */
export async function* readBack<D, T>(
  request: PageSource<D, T>,
): AsyncGenerator<Fact<readonly T[]>> {
  const newestFirst = (page: Page<D>) => known(request.items(page.data).toReversed());
  const first = await request.ask({ per_page: PAGE, page: 1 });
  if (first.type !== "known") return yield first;
  const last = lastPage(first.value.link);
  if (last !== null) {
    for (let page = last; page > 1; page--) {
      const fact = await request.ask({ per_page: PAGE, page });
      if (fact.type !== "known") return yield fact;
      yield newestFirst(fact.value);
    }
    return yield newestFirst(first.value);
  }
  const pages = [first.value];
  for (let newest = first.value; pages.length < request.most; ) {
    const next = nextPage(newest.link, request.items(newest.data).length, pages.length);
    if (next === null) break;
    const fact = await request.ask(next);
    if (fact.type !== "known") return yield fact;
    newest = fact.value;
    pages.push(newest);
  }
  for (const page of pages.reverse()) yield newestFirst(page);
}

/**
 * The page after one; null after the last. The `link` header decides. GitHub sends none with a list of one page, and a
 * proxy may remove it. Some lists have cursors in place of numbers.
 *
 * @param count how many entries the page has
 * @param page its number
 */
function nextPage(link: string | undefined, count: number, page: number): PagePlace | null {
  const numbered = { per_page: PAGE, page: page + 1 };
  if (link === undefined || link === "") return count >= PAGE ? numbered : null;
  const url = linkTo("next", link);
  if (url === null) return null;
  return url.searchParams.has("after") ? Object.fromEntries(url.searchParams) : numbered;
}

/** The number of the last page; null if the `link` header does not name it, as with cursors. */
function lastPage(link: string | undefined): number | null {
  const url = link === undefined ? null : linkTo("last", link);
  return Number(url?.searchParams.get("page")) || null;
}

/** Reads one URL at a time: a pattern for the whole header could take very long if nothing matches. */
function linkTo(rel: "next" | "last", link: string): URL | null {
  const entry = link.split(",").find((text) => text.trimEnd().endsWith(`rel="${rel}"`));
  if (entry === undefined) return null;
  return URL.parse(entry.slice(entry.indexOf("<") + 1, entry.indexOf(">")));
}
