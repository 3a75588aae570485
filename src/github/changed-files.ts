import type { Octokit } from "@octokit/core";
import type { Payload } from "./run-context.ts";

/** Maximum number of files that GitHub lists in a comparison of two commits. */
const MOST_COMPARED = 300;

/** The commits before and after a push. */
export interface PushRange {
  before: string;
  after: string;
}

/** Names of the files that a push changed, if the event names them. */
export function namedFiles({ commits = [] }: Payload): string[] {
  const names = commits.flatMap(({ added = [], modified = [], removed = [] }) => [
    ...added,
    ...modified,
    ...removed,
  ]);
  return [...new Set(names)];
}

/** The commits to compare for the changed files of a push; null for a new or deleted branch. */
export function pushRange({ before = "", after = "" }: Payload): PushRange | null {
  const isCommit = (id: string) => /^[0-9a-f]{40,64}$/i.test(id) && !/^0+$/.test(id);
  return isCommit(before) && isCommit(after) ? { before, after } : null;
}

/**
 * Names of the files that differ between two commits. If GitHub does not list all of them, the last entry says so.
 *
 * @param repository `owner/name`
 */
export async function comparedFiles(
  github: Octokit,
  repository: string,
  { before, after }: PushRange,
): Promise<string[]> {
  const [owner = "", repo = ""] = repository.split("/");
  const { data } = await github.request("GET /repos/{owner}/{repo}/compare/{basehead}", {
    ...{ owner, repo, basehead: `${before}...${after}` },
    // The pages are pages of commits. The first one has all the files.
    per_page: 1,
  });
  const names = (data.files ?? []).map(({ filename }) => filename);
  return names.length < MOST_COMPARED
    ? names
    : [...names, `(there may be more; only the first ${MOST_COMPARED} are listed)`];
}
