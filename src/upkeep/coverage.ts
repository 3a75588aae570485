import type { Change } from "../ledger/model/ledger.ts";
import type { LedgerEdit } from "../ledger/model/ledger-edit.ts";
import { changesThatNeedDecision } from "../ledger/run/report.ts";
import type { Slice } from "../text/pie.ts";

/** How many days the line of coverage looks back. */
const DAYS = 30;
const DAY = 24 * 60 * 60_000;

/** Of the changes that landed in 30 days, how many are where. */
export interface Coverage {
  documented: number;
  inReview: number;
  inProgress: number;
  waiting: number;
  needsDecision: number;
  /** Their docs pull request was closed without merging, or a person left them. */
  notDocumented: number;
}

export function coverageOf(edit: LedgerEdit): Coverage {
  const { days, reviews, batches, waiting } = edit.ledger;
  const first = new Date(edit.now - DAYS * DAY).toISOString();
  const recent = (changes: readonly Change[]) =>
    changes.filter((it) => it.kind === "change" && it.landedAt >= first).length;
  const ended = Object.entries(days).filter(([day]) => day >= first.slice(0, 10));
  return {
    documented: ended.reduce((sum, [, { documented }]) => sum + documented, 0),
    inReview: recent(reviews.flatMap(({ changes }) => changes)),
    inProgress: recent(batches.filter((it) => edit.holdsUp(it)).flatMap(({ changes }) => changes)),
    waiting: recent(waiting.flatMap(({ changes }) => changes)),
    needsDecision: recent(changesThatNeedDecision(edit)),
    notDocumented: ended.reduce((sum, [, { not }]) => sum + not, 0),
  };
}

/** For example `Last 30 days: 41 of 43 changes documented, 1 in review, 1 needs a decision.` */
export function coverageLine(coverage: Coverage): string {
  const all = Object.values(coverage).reduce((sum, count) => sum + count, 0);
  if (all === 0) return "No changes were merged in the last 30 days.";
  const { documented, inReview, inProgress, waiting, needsDecision, notDocumented } = coverage;
  const parts = [
    `${documented} of ${all} ${all === 1 ? "change" : "changes"} documented`,
    inReview > 0 ? `${inReview} in review` : "",
    inProgress > 0 ? `${inProgress} in progress` : "",
    waiting > 0 ? `${waiting} waiting` : "",
    needsDecision > 0
      ? `${needsDecision} ${needsDecision === 1 ? "needs" : "need"} a decision`
      : "",
    notDocumented > 0 ? `${notDocumented} not documented` : "",
  ];
  return `Last 30 days: ${parts.filter((part) => part !== "").join(", ")}.`;
}

/** The same, for a pie. */
export function coverageSlices(coverage: Coverage): Slice[] {
  return [
    { name: "Documented", meaning: "good", count: coverage.documented },
    { name: "In review", meaning: "at work", count: coverage.inReview },
    { name: "In progress", meaning: "at work", count: coverage.inProgress },
    { name: "Waiting", meaning: "at rest", count: coverage.waiting },
    { name: "Needs a decision", meaning: "wrong", count: coverage.needsDecision },
    { name: "Not documented", meaning: "at rest", count: coverage.notDocumented },
  ];
}
