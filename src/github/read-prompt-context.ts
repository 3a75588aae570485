import type { Octokit } from "@octokit/core";
import type { Log } from "../runtime/log.ts";
import { comparedFiles, namedFiles, pushRange } from "./changed-files.ts";
import { changedFiles } from "./comments.ts";
import type { Connect } from "./connect.ts";
import { renderContext, sectionsOf } from "./prompt-context.ts";
import { explainRefusal } from "./refusal.ts";
import { isOnPullRequest, type RunContext, triggeringSubject } from "./run-context.ts";

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
