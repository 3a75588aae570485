/** What upkeep tells: its outputs, how many changes of the last 30 days are documented, and comments on pull requests. */

import type { Connect } from "../github/api/connect.ts";
import { explainRefusal } from "../github/api/refusal.ts";
import { IssueComments } from "../github/conversation/comments.ts";
import { pullLink } from "../github/conversation/news.ts";
import type { Delivered } from "../job/send.ts";
import type { Counts } from "../ledger/dashboard/progress.ts";
import type { Change, Ledger } from "../ledger/model/ledger.ts";
import type { LedgerEdit } from "../ledger/model/ledger-edit.ts";
import type { RunResult } from "../ledger/protocol/run-ledger.ts";
import { DAY } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { safeLink } from "../text/link.ts";

/** The days that the dashboard's counts are about. */
export const DAYS = 30;

/** The outputs that are upkeep's own. */
export function outputsOf(
  { edit, finished, handed, polls }: RunResult,
  delivered: Delivered | null,
): Record<string, string> {
  const job = delivered?.job ?? null;
  const changes = handed
    .filter(({ sent }) => sent.type === "accepted" || sent.type === "uncertain")
    .flatMap((one) => one.changes.flatMap(changeOutput));
  const waiting = edit?.ledger.waiting.flatMap((group) => group.changes) ?? [];
  const undecided = edit?.undecided.flatMap((batch) => batch.changes) ?? [];
  const ended = finished.map(({ batch, state, jobId, prLink, changes }) => {
    const status = polls.get(batch)?.status ?? (state === "done" ? "completed" : "failed");
    return { jobId, status, prLink, changes: changes.flatMap(changeOutput) };
  });
  return {
    jobId: job?.id ?? "",
    status: job?.status ?? "",
    prLink: safeLink(job?.prLink ?? "") ?? "",
    changes: JSON.stringify(changes),
    changeCount: String(changes.length),
    waitingCount: String(waiting.length),
    finished: JSON.stringify(ended),
    finishedCount: String(ended.length),
    needsDecisionCount: String(undecided.length),
  };
}

function changeOutput(change: Change) {
  if (change.kind !== "change") return [];
  const { repository, number, sha, title, url, author } = change;
  return [{ repository, number, sha, title, url, author }];
}

/** The numbers of changes that landed in 30 days, by their state. */
export function coverageOf(edit: LedgerEdit): Counts {
  const { days, reviews, waiting } = edit.ledger;
  const first = new Date(edit.now - DAYS * DAY).toISOString();
  const recent = (held: readonly { changes: readonly Change[] }[]) =>
    held
      .flatMap(({ changes }) => changes)
      .filter((change) => change.kind === "change" && change.landedAt >= first).length;
  const ended = (field: "documented" | "not") =>
    Object.entries(days)
      .filter(([day]) => day >= first.slice(0, 10))
      .reduce((sum, [, counts]) => sum + counts[field], 0);
  return {
    Documented: ended("documented"),
    "In review": recent(reviews),
    "In progress": recent(edit.active),
    Waiting: recent(waiting),
    "Needs a decision": recent(edit.undecided),
    // Their docs pull request was closed without merging, or a person left them.
    "Not documented": ended("not"),
  };
}

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
      // It was deleted, or is locked.
      if ([404, 410, 422].includes(status)) settled.push(change.key);
      log.warning(
        `${change.repository}#${change.number} could not be commented on: ${why}. The batch is not affected.`,
      );
    }
  }
  return settled;
}

function textOf(prLink: string | null): string {
  return prLink === null
    ? "### Docs agent\n\nThis pull request needed no documentation change."
    : `### Docs agent\n\nThis change is documented in **${pullLink("pull request", prLink)}**.`;
}
