/** What requests to GitHub's REST API share: a repository as parameters, and the pages of a list. */

/** Entries per page: GitHub's maximum. */
export const PAGE = 100;

type PageQuery = { per_page: number; page: number };
type Response = { data: unknown; headers: { link?: unknown } };

/** `owner/name` as parameters of GitHub's API. */
export function owned({ repository }: { repository: string }): { owner: string; repo: string } {
  const [owner = "", repo = ""] = repository.split("/");
  return { owner, repo };
}

/**
 * Reads a list page by page.
 *
 * @param most maximum number of pages
 * @param itemsOf the entries in a response
 * @yields the pages; `isLast`: no page follows. If there are more than `most`, no page is the last.
 */
export async function* readPages<R extends Response, T>(
  most: number,
  request: (query: PageQuery) => Promise<R>,
  itemsOf: (data: R["data"]) => T[],
): AsyncGenerator<{ response: R; items: T[]; isLast: boolean }> {
  for (let page = 1; page <= most; page++) {
    const response = await request({ per_page: PAGE, page });
    const items = itemsOf(response.data);
    const isLast = !hasNext(response.headers.link, items.length);
    yield { response, items, isLast };
    if (isLast) return;
  }
}

/**
 * Reads a list into one array.
 *
 * @param isEnough whether no page is needed after this response, given all entries so far
 * @returns `data`: of the last response. `isComplete`: false if there are more than `most` pages.
 */
export async function readList<R extends Response, T>(
  most: number,
  request: (query: PageQuery) => Promise<R>,
  itemsOf: (data: R["data"]) => T[],
  isEnough: (data: R["data"], items: readonly T[]) => boolean = () => false,
): Promise<{ items: T[]; data: R["data"]; isComplete: boolean }> {
  const list = { items: [] as T[], data: undefined as R["data"], isComplete: false };
  for await (const { response, items, isLast } of readPages(most, request, itemsOf)) {
    list.items.push(...items);
    list.data = response.data;
    list.isComplete = isLast || isEnough(response.data, list.items);
    if (list.isComplete) break;
  }
  return list;
}

/** The `link` header decides. GitHub sends none with a list of one page, and a proxy may remove it. */
function hasNext(link: unknown, count: number): boolean {
  return typeof link === "string" && link !== "" ? link.includes('rel="next"') : count >= PAGE;
}
