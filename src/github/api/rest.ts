/** What requests to GitHub's REST API share: a repository as parameters, the pages of a list. */

/** Entries per page: GitHub's maximum. */
export const PAGE = 100;

/** Which page: its number, or what GitHub's own link to it says, such as a cursor. */
export type PageQuery = { per_page: number; page: number } | Readonly<Record<string, string>>;
type Response = { data: unknown; headers: { link?: unknown } };

/** A list, with the answer to the first request. `isComplete`: false if there are more pages. */
interface ReadList<R, T> {
  items: T[];
  first: R;
  isComplete: boolean;
}

/** `owner/name` as parameters of GitHub's API. */
export function owned({ repository }: { repository: string }): { owner: string; repo: string } {
  const [owner = "", repo = ""] = repository.split("/");
  return { owner, repo };
}

/**
 * The path of a file, or the name of a ref, for a route. Its slashes stay: GitHub's routes have them. Octokit would take
 * `{name}` and `:name` in a route for parameters.
 */
export function encodedPath(path: string): string {
  return path.toWellFormed().split("/").map(encodeURIComponent).join("/");
}

/**
 * Reads a list as one array.
 *
 * @param most the maximum number of pages
 */
export async function readList<R extends Response, T>(
  most: number,
  request: (query: PageQuery) => Promise<R>,
  itemsOf: (data: R["data"]) => T[] | Promise<T[]>,
  isEnough: (data: R["data"]) => boolean = () => false,
): Promise<ReadList<R, T>> {
  const items: T[] = [];
  let first: R | undefined;
  let query: PageQuery = { per_page: PAGE, page: 1 };
  for (let page = 1; ; page++) {
    const response: R = await request(query);
    first ??= response;
    const { length } = items;
    items.push(...(await itemsOf(response.data)));
    const next = nextPage(response.headers.link, items.length - length, page);
    const isComplete = next === null || isEnough(response.data);
    if (isComplete || page === most) return { items, first, isComplete };
    query = next;
  }
}

/**
 * The page after one; null after the last. The `link` header decides. GitHub sends none with a list of one page, and a
 * proxy may remove it. Some lists have cursors in place of numbers.
 *
 * @param count how many entries the page has
 * @param page its number
 */
export function nextPage(link: unknown, count: number, page: number): PageQuery | null {
  const numbered = { per_page: PAGE, page: page + 1 };
  if (typeof link !== "string" || link === "") return count >= PAGE ? numbered : null;
  const url = linkTo("next", link);
  if (url === null) return null;
  return url.searchParams.has("after") ? Object.fromEntries(url.searchParams) : numbered;
}

/** The number of the last page; null if the `link` header does not name it, as with cursors. */
export function lastPage(link: unknown): number | null {
  const url = typeof link === "string" ? linkTo("last", link) : null;
  return Number(url?.searchParams.get("page")) || null;
}

/** Reads one URL at a time: a pattern for the whole header could take very long if nothing matches. */
function linkTo(rel: "next" | "last", link: string): URL | null {
  const entry = link.split(",").find((text) => text.trimEnd().endsWith(`rel="${rel}"`));
  if (entry === undefined) return null;
  return URL.parse(entry.slice(entry.indexOf("<") + 1, entry.indexOf(">")));
}
