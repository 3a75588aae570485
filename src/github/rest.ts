/** What requests to GitHub's REST API share: a repository as parameters, the pages of a list, a link as a request. */

import { pullRequestAt } from "../text/link.ts";
import type { Connect } from "./connect.ts";

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
 * A list as one array, with the answer to the first request. `isComplete`: false if there are more pages.
 *
 * @param most the maximum number of pages
 */
export async function readList<R extends Response, T>(
  most: number,
  request: (query: PageQuery) => Promise<R>,
  itemsOf: (data: R["data"]) => T[],
  isEnough: (data: R["data"]) => boolean = () => false,
) {
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

/**
 * The state of a pull request, and the SHA of the last commit of its branch. `unread`: the token cannot read it, or it
 * is not on this GitHub.
 *
 * @param serverUrl address of GitHub for people
 */
export async function readPullRequest(
  link: string,
  serverUrl: string,
  connect: Connect,
): Promise<{ state: "open" | "merged" | "closed" | "unread"; head: string }> {
  const read = await readAt(link, serverUrl, connect, (number) => `pulls/${number}`);
  if (read?.head === undefined) return { state: "unread", head: "" };
  const isMerged = read.merged === true || typeof read.merged_at === "string";
  const ended = isMerged ? "merged" : "closed";
  return { state: read.state === "closed" ? ended : "open", head: String(read.head.sha) };
}

/** When the last commit of a pull request was made, ISO 8601; empty if that cannot be read. */
export async function readCommitTime(
  link: string,
  sha: string,
  serverUrl: string,
  connect: Connect,
): Promise<string> {
  const read = await readAt(link, serverUrl, connect, () => `git/commits/${sha}`);
  return String(read?.committer?.date ?? "");
}

/** Reads from the repository of a pull request; undefined if GitHub refuses, or it is not on this GitHub. */
async function readAt(
  link: string,
  serverUrl: string,
  connect: Connect,
  pathOf: (number: number) => string,
) {
  const pull = pullRequestAt(link, serverUrl);
  if (pull === null) return undefined;
  try {
    const route = `GET /repos/{owner}/{repo}/${pathOf(pull.number)}`;
    return (await (await connect()).request(route, owned(pull))).data;
  } catch {
    return undefined;
  }
}
