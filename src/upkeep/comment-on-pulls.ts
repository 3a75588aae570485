import { IssueComments } from "../github/comments.ts";
import type { Connect } from "../github/connect.ts";
import { pullLink } from "../github/news.ts";
import { explainRefusal } from "../github/refusal.ts";
import type { Ledger } from "../ledger/model/ledger.ts";
import type { Log } from "../runtime/log.ts";

/** Maximum number of comments per run. */
const MOST_COMMENTS = 20;

/**
 * Comments once on merged pull requests whose batch is done. It recognizes a comment of a run that was killed. A refusal
 * is a warning, and later runs try again, unless the pull request accepts no comments. Never throws.
 *
 * @returns keys of the changes that need no further attempt
 */
export async function commentOnPulls(
  untold: Ledger["untold"],
  connect: Connect,
  log: Log,
): Promise<string[]> {
  const settled: string[] = [];
  for (const { change, prLink, job } of untold.slice(0, MOST_COMMENTS)) {
    if (change.kind !== "change" || change.number === null) continue;
    const place = { repository: change.repository, issue: change.number };
    try {
      const mark = `docs-agent-upkeep:${job.replace(/[^\w-]/g, "")}`;
      await new IssueComments(connect, place).keep(mark, textOf(prLink));
      settled.push(change.key);
    } catch (error) {
      const { why } = explainRefusal(error, "pull-requests: write");
      const { status = 0 } = error as { status?: number };
      if (FINAL.includes(status)) settled.push(change.key);
      log.warning(
        `${change.repository}#${change.number} could not be commented on: ${why}. The batch is not affected.`,
      );
    }
  }
  return settled;
}

/** Deleted, or locked. */
const FINAL = [404, 410, 422];

function textOf(prLink: string | null): string {
  const pull = pullLink("pull request", prLink);
  return pull === null
    ? "### Docs agent\n\nThis pull request needed no documentation change."
    : `### Docs agent\n\nThis change is documented in **${pull}**.`;
}
