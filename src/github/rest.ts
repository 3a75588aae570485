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

/** The pages of a list. `isLast`: no page follows. @param most the maximum number of pages */
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

/** A list as one array, with the data of its last page. `isComplete`: false if there are more pages. */
export async function readList<R extends Response, T>(
  most: number,
  request: (query: PageQuery) => Promise<R>,
  itemsOf: (data: R["data"]) => T[],
  isEnough: (data: R["data"]) => boolean = () => false,
): Promise<{ items: T[]; data: R["data"]; isComplete: boolean }> {
  const list = { items: [] as T[], data: undefined as R["data"], isComplete: false };
  for await (const { response, items, isLast } of readPages(most, request, itemsOf)) {
    list.items.push(...items);
    list.data = response.data;
    list.isComplete = isLast || isEnough(response.data);
    if (list.isComplete) break;
  }
  return list;
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
