import { pullRequestAt } from "../text/link.ts";
import type { Connect } from "./connect.ts";

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

/** The state of a pull request. `unread`: the token cannot read it, or it is not on this GitHub. */
interface PullRequestState {
  state: "open" | "merged" | "closed" | "unread";
  /** SHA of the last commit of its branch. */
  head: string;
}

const UNREAD: PullRequestState = { state: "unread", head: "" };

/**
 * @param link a safe link
 * @param serverUrl address of GitHub for people
 */
export async function readPullRequest(
  link: string,
  serverUrl: string,
  connect: Connect,
): Promise<PullRequestState> {
  const pull = pullRequestAt(link, serverUrl);
  if (pull === null) return UNREAD;
  try {
    const github = await connect();
    const { data } = await github.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", {
      ...owned(pull),
      pull_number: pull.number,
    });
    const isMerged = data.merged === true || typeof data.merged_at === "string";
    const ended = isMerged ? "merged" : "closed";
    return { state: data.state === "closed" ? ended : "open", head: String(data.head.sha) };
  } catch {
    return UNREAD;
  }
}

/** When the last commit of a pull request was made, ISO 8601; empty if that cannot be read. */
export async function readCommitTime(
  link: string,
  sha: string,
  serverUrl: string,
  connect: Connect,
): Promise<string> {
  const pull = pullRequestAt(link, serverUrl);
  if (pull === null) return "";
  try {
    const github = await connect();
    const route = "GET /repos/{owner}/{repo}/git/commits/{commit_sha}";
    const { data } = await github.request(route, { ...owned(pull), commit_sha: sha });
    return String(data.committer.date);
  } catch {
    return "";
  }
}
