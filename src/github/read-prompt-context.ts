import type { Log } from "../runtime/log.ts";
import { changedFiles } from "./comments.ts";
import type { Connect } from "./connect.ts";
import { renderContext, sectionsOf } from "./prompt-context.ts";
import { explainRefusal } from "./refusal.ts";
import { isOnPullRequest, type RunContext, triggeringSubject } from "./run-context.ts";

/** What triggered the run, quoted, to follow the prompt; empty for events that say nothing. */
export async function readPromptContext(
  context: RunContext,
  connect: Connect,
  log: Log,
): Promise<string> {
  const files = isOnPullRequest(context) ? await readChangedFiles(context, connect, log) : [];
  return renderContext(sectionsOf(context, files));
}

async function readChangedFiles(
  context: RunContext,
  connect: Connect,
  log: Log,
): Promise<string[]> {
  const { repository } = context;
  const issue = triggeringSubject(context)?.number;
  if (issue === undefined) return [];
  try {
    return await changedFiles(await connect(), { repository, issue });
  } catch (error) {
    const { why } = explainRefusal(error, "pull-requests: read");
    log.warning(`The changed files could not be read: ${why}. The prompt does not include them.`);
    return [];
  }
}
