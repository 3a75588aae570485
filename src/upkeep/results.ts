/** The outputs of upkeep, and how many changes of the last 30 days are documented. */

import type { Delivered } from "../job/start.ts";
import type { Change } from "../ledger/model/ledger.ts";
import type { LedgerEdit } from "../ledger/model/ledger-edit.ts";
import type { RunResult } from "../ledger/protocol/run-ledger.ts";
import { safeLink } from "../text/link.ts";
import { progressText, type Slice } from "../text/markdown.ts";

const DAYS = 30;
const DAY = 24 * 60 * 60_000;

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
export function coverageOf(edit: LedgerEdit): Slice[] {
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
  return [
    { name: "Documented", meaning: "good", count: ended("documented") },
    { name: "In review", meaning: "at work", count: recent(reviews) },
    { name: "In progress", meaning: "at work", count: recent(edit.active) },
    { name: "Waiting", meaning: "at rest", count: recent(waiting) },
    { name: "Needs a decision", meaning: "wrong", count: recent(edit.undecided) },
    // Their docs pull request was closed without merging, or a person left them.
    { name: "Not documented", meaning: "at rest", count: ended("not") },
  ];
}

/** For example `Last 30 days: 41 of 43 changes documented, 1 in review, 1 needs a decision.` */
export function coverageLine(slices: readonly Slice[]): string {
  const isEmpty = slices.every(({ count }) => count === 0);
  return isEmpty
    ? `No changes were merged in the last ${DAYS} days.`
    : `Last ${DAYS} days: ${progressText(slices, "change")}.`;
}
