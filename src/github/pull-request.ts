import { pullRequestAt } from "../text/link.ts";
import type { Connect } from "./connect.ts";
import { owned } from "./rest.ts";

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
