/** What requests to GitHub's REST API share: a repository as parameters, the pages of a list. */

/** Entries per page: GitHub's maximum. */
export const PAGE = 100;

type PageQuery = { per_page: number; page: number };
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
 * Reads a list as one array.
 *
 * @param most the maximum number of pages
 */
export async function readList<R extends Response, T>(
  most: number,
  request: (query: PageQuery) => Promise<R>,
  itemsOf: (data: R["data"]) => T[],
  isEnough: (data: R["data"]) => boolean = () => false,
): Promise<ReadList<R, T>> {
  const items: T[] = [];
  let first: R | undefined;
  for (let page = 1; ; page++) {
    const response = await request({ per_page: PAGE, page });
    first ??= response;
    const { length } = items;
    items.push(...itemsOf(response.data));
    const isLast = !hasNext(response.headers.link, items.length - length);
    const isComplete = isLast || isEnough(response.data);
    if (isComplete || page === most) return { items, first, isComplete };
  }
}

/** The `link` header decides. GitHub sends none with a list of one page, and a proxy may remove it. */
function hasNext(link: unknown, count: number): boolean {
  return typeof link === "string" && link !== "" ? link.includes('rel="next"') : count >= PAGE;
}
