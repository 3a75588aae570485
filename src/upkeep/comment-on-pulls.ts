import { keepComment, newestComments } from "../github/comments.ts";
import type { Connect } from "../github/connect.ts";
import { pullLink } from "../github/news.ts";
import { explainRefusal } from "../github/refusal.ts";
import type { Ledger } from "../ledger/model/ledger.ts";
import type { Log } from "../runtime/log.ts";

/** How many comments a run writes. */
const MOST_COMMENTS = 20;

/**
 * Comments once on merged pull requests whose batch is done. A comment that is there already, from a run that
 * was killed, is recognised. What GitHub refuses is a warning, and tried again by later runs, unless the
 * pull request takes no comments at all. Never throws.
 *
 * @returns keys of the changes that need no comment any more
 */
export async function commentOnPulls(
  untold: Ledger["untold"],
  connect: Connect,
  log: Log,
): Promise<string[]> {
  const told: string[] = [];
  for (const { change, prLink, job } of untold.slice(0, MOST_COMMENTS)) {
    if (change.kind !== "change" || change.number === null) continue;
    const place = { repository: change.repository, issue: change.number };
    try {
      const github = await connect();
      const mark = `docs-agent-upkeep:${job.replace(/[^\w-]/g, "")}`;
      await keepComment(github, place, mark, textOf(prLink), newestComments(github, place));
      told.push(change.key);
    } catch (error) {
      const { why } = explainRefusal(error, "pull-requests: write");
      const { status = 0 } = error as { status?: number };
      if (FINAL.includes(status)) told.push(change.key);
      log.warning(
        `${change.repository}#${change.number} could not be commented on: ${why}. The batch is not affected.`,
      );
    }
  }
  return told;
}

/** Deleted, or locked. */
const FINAL = [404, 410, 422];

function textOf(prLink: string | null): string {
  const pull = pullLink("pull request", prLink);
  return pull === null
    ? "### Docs agent\n\nThis pull request needed no documentation change."
    : `### Docs agent\n\nThis change is documented in **${pull}**.`;
}
