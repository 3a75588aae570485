import type { Octokit } from "@octokit/core";
import type { Log } from "../runtime/log.ts";
import { changedFiles } from "./comments.ts";
import type { Connect } from "./connect.ts";
import { renderContext, sectionsOf } from "./prompt-context.ts";
import { explainRefusal } from "./refusal.ts";
import { owned } from "./rest.ts";
import {
  isOnPullRequest,
  type Payload,
  type RunContext,
  triggeringSubject,
} from "./run-context.ts";

/** The quoted context that follows the prompt; empty for events without any. */
export async function readPromptContext(
  context: RunContext,
  connect: Connect,
  log: Log,
): Promise<string> {
  return renderContext(sectionsOf(context, await readChangedFiles(context, connect, log)));
}

async function readChangedFiles(
  context: RunContext,
  connect: Connect,
  log: Log,
): Promise<string[]> {
  const { repository, eventName, payload } = context;
  const files = eventName === "push" ? namedFiles(payload) : [];
  if (files.length > 0) return files;
  const range = eventName === "push" ? pushRange(payload) : null;
  if (range !== null) {
    const read = (github: Octokit) => comparedFiles(github, repository, range);
    return await tryReading(read, "contents: read", { connect, log });
  }
  const issue = triggeringSubject(context)?.number;
  if (issue === undefined || !isOnPullRequest(context)) return [];
  const read = (github: Octokit) => changedFiles(github, { repository, issue });
  return await tryReading(read, "pull-requests: read", { connect, log });
}

async function tryReading(
  read: (github: Octokit) => Promise<string[]>,
  permission: string,
  { connect, log }: { connect: Connect; log: Log },
): Promise<string[]> {
  try {
    return await read(await connect());
  } catch (error) {
    const { why } = explainRefusal(error, permission);
    log.warning(`The changed files could not be read: ${why}. The prompt does not include them.`);
    return [];
  }
}

/** Maximum number of files that GitHub lists in a comparison of two commits. */
const MOST_COMPARED = 300;

/** The commits before and after a push. */
interface PushRange {
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
  const { data } = await github.request("GET /repos/{owner}/{repo}/compare/{basehead}", {
    ...owned({ repository }),
    basehead: `${before}...${after}`,
    // The pages are pages of commits. The first one has all the files.
    per_page: 1,
  });
  const names = (data.files ?? []).map(({ filename }) => filename);
  return names.length < MOST_COMPARED
    ? names
    : [...names, `(there may be more; only the first ${MOST_COMPARED} are listed)`];
}
