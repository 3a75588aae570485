import { pullRequestAt } from "../text/link.ts";
import type { Connect } from "./connect.ts";

export type PullState = "open" | "closed" | "merged";

/**
 * What has become of a pull request; null when the token cannot read it, or the link leads elsewhere.
 *
 * @param link a safe link
 * @param serverUrl address of GitHub for people
 */
export async function readPullState(
  link: string,
  serverUrl: string,
  connect: Connect,
): Promise<PullState | null> {
  const pull = pullRequestAt(link, serverUrl);
  if (pull === null) return null;
  const [owner = "", repo = ""] = pull.repository.split("/");
  try {
    const github = await connect();
    const { data } = await github.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", {
      ...{ owner, repo },
      pull_number: pull.number,
    });
    if (data.merged === true || typeof data.merged_at === "string") return "merged";
    return data.state === "closed" ? "closed" : "open";
  } catch {
    // Whoever cannot read it finds out from the service whether the job goes on.
    return null;
  }
}
