/**
 * What upkeep reports: its outputs, how many changes of the last 30 days are documented, and comments on pull
 * requests.
 */

import type { Counts } from "../batches/dashboard/progress.ts";
import { type CommentResult, isLastTry } from "../batches/model/comments.ts";
import type { Change, PendingComment } from "../batches/model/ledger.ts";
import { activeBatches, type BatchRevision, undecidedBatches } from "../batches/model/revision.ts";
import type { Decided } from "../batches/run-batches.ts";
import type { Connect } from "../github/api/connect.ts";
import { explainRefusal, type Refusal } from "../github/api/refusal.ts";
import { repositoryIdIn } from "../github/changes/change-details.ts";
import { IssueComments } from "../github/conversation/comments.ts";
import { pullLink } from "../github/conversation/news.ts";
import { DAY } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Job } from "../service/agent.ts";
import { safeLink } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import { clause } from "../text/sentence.ts";

/** The days that the dashboard's counts are about. */
export const DAYS = 30;

/**
 * The outputs that are upkeep's own.
 *
 * @param decided null if the run ended before: then it does not count what the ledger holds
 * @param job that this run started or continued; null for none
 */
export function outputsOf(
  decided: Decided<unknown> | null,
  job: Job | null,
): Record<string, string | null> {
  const { revision = null, handed = [], finished = [], polls } = decided ?? {};
  const changes = handed
    .filter(({ result }) => result.type === "accepted" || result.type === "uncertain")
    .flatMap(({ act }) => act.changes.flatMap(changeOutput));
  const countIn = (entries: readonly { changes: readonly Change[] }[]) =>
    String(entries.flatMap((entry) => entry.changes).length);
  const ended = finished.map((line) => {
    const { batch, state, jobId, prLink } = line;
    const status = polls?.get(batch)?.status ?? (state === "done" ? "completed" : "failed");
    return { jobId, status, prLink, changes: line.changes.flatMap(changeOutput) };
  });
  return {
    jobId: job?.id ?? null,
    status: job?.status ?? null,
    prLink: safeLink(job?.prLink),
    changes: JSON.stringify(changes),
    changeCount: String(changes.length),
    waitingCount: revision && countIn(revision.ledger.waiting),
    finished: JSON.stringify(ended),
    finishedCount: String(ended.length),
    needsDecisionCount: revision && countIn(undecidedBatches(revision)),
  };
}

function changeOutput(change: Change) {
  if (change.kind !== "change") return [];
  const { repository, number, sha, title, url, author } = change;
  return [{ repository, number, sha, title, url, author }];
}

/** The numbers of changes that landed in 30 days, by their state. */
export function coverageOf(revision: BatchRevision): Counts {
  const { days, reviews, waiting } = revision.ledger;
  const first = new Date(revision.now - DAYS * DAY).toISOString();
  const recent = (entries: readonly { changes: readonly Change[] }[]) =>
    entries
      .flatMap(({ changes }) => changes)
      .filter((change) => change.kind === "change" && change.landedAt >= first).length;
  const ended = (field: "documented" | "not") =>
    Object.entries(days)
      .filter(([day]) => day >= first.slice(0, 10))
      .reduce((sum, [, counts]) => sum + counts[field], 0);
  return {
    Documented: ended("documented"),
    "In review": recent(reviews),
    "In progress": recent(activeBatches(revision)),
    Waiting: recent(waiting),
    "Needs a decision": recent(undecidedBatches(revision)),
    // Their docs pull request was closed without merging, or a person left them.
    "Not documented": ended("not"),
  };
}

/** What writing comments takes. */
export interface CommentParts {
  connect: Connect;
  /** The present name of a repository, by its ID. */
  nameOf(id: number): Promise<string>;
  log: Log;
}

/**
 * Comments on a merged pull request whose batch is done. If an earlier run may have written the comment, it is looked
 * for first; a comment that is there is never changed. A refusal is a warning.
 */
export async function commentOnPull(
  pending: PendingComment,
  { connect, nameOf, log }: CommentParts,
): Promise<CommentResult> {
  const { change, prLink, job, tries } = pending;
  if (change.kind !== "change" || change.number === null) return { type: "settled" };
  const { key, number: issue } = change;
  const mark = `<!-- docs-agent-upkeep:${job.replace(/[^\w-]/g, "")} -->`;
  try {
    const id = repositoryIdIn(key);
    const repository = id === null ? change.repository : await nameOf(id);
    const comments = new IssueComments(connect, { repository, issue });
    const known = tries > 0 ? await comments.findOwn(mark) : null;
    if (known === null) await comments.create(`${mark}\n${textOf(prLink)}`);
    return { type: "settled" };
  } catch (error) {
    const refusal = explainRefusal(error, ["pull-requests: write"]);
    const result = resultAfter(refusal);
    const place = `${change.repository}#${issue}`;
    const reason = reasonOf(refusal, result, pending);
    log.warning(`${place} could not be commented on: ${reason}. The batch is not affected.`);
    return result;
  }
}

/** Why a comment could not be written, and whether that was the last try. */
function reasonOf(refusal: Refusal, result: CommentResult, pending: PendingComment): string {
  if (result.type === "limited") return clause(refusal.reason);
  const over = "It is not tried again";
  if (result.type === "settled") {
    const words = refusal.type === "rest" ? inlineCode(refusal.message, 200) : "";
    return `GitHub says ${words || refusal.reason}. ${over}`;
  }
  const reason = clause(refusal.reason);
  return isLastTry(pending, result.type) ? `${reason}. ${over}` : reason;
}

/** What comes of a comment that could not be written. */
function resultAfter(refusal: Refusal): CommentResult {
  if (refusal.type === "limited") return { type: "limited" };
  if (refusal.type !== "rest" || refusal.isPassing) return { type: "not settled" };
  // Somebody can give the token the permission. All else is the pull request's: it is locked or gone, it has too many
  // comments, its repository is archived, or its owner has blocked the account.
  const { status, message } = refusal;
  const isOfToken = status === 401 || (status === 403 && /not accessible/i.test(message));
  return { type: isOfToken ? "not allowed" : "settled" };
}

function textOf(prLink: string | null): string {
  return prLink === null
    ? "### Docs agent\n\nThis pull request needed no documentation change."
    : `### Docs agent\n\nThe documentation of this change is in **${pullLink("docs pull request", prLink)}**.`;
}
