import type { Change } from "../ledger/model/ledger.ts";
import type { LedgerEdit } from "../ledger/model/ledger-edit.ts";
import { progressText, type Slice } from "../text/markdown.ts";

/** How many days the line of coverage looks back. */
const DAYS = 30;
const DAY = 24 * 60 * 60_000;

/** Of the changes that landed in 30 days, how many are where. */
export function coverageOf(edit: LedgerEdit): Slice[] {
  const { days, reviews, batches, waiting } = edit.ledger;
  const first = new Date(edit.now - DAYS * DAY).toISOString();
  const recent = (changes: readonly Change[]) =>
    changes.filter((it) => it.kind === "change" && it.landedAt >= first).length;
  const running = batches.filter((it) => edit.holdsUp(it));
  const ended = Object.entries(days).filter(([day]) => day >= first.slice(0, 10));
  const count = (field: "documented" | "not") =>
    ended.reduce((sum, [, counts]) => sum + counts[field], 0);
  return [
    { name: "Documented", meaning: "good", count: count("documented") },
    ...[
      { name: "In review", meaning: "at work", changes: reviews.flatMap((it) => it.changes) },
      { name: "In progress", meaning: "at work", changes: running.flatMap((it) => it.changes) },
      { name: "Waiting", meaning: "at rest", changes: waiting.flatMap((it) => it.changes) },
      {
        name: "Needs a decision",
        meaning: "wrong",
        changes: edit.undecided.flatMap((it) => it.changes),
      },
    ].map(({ name, meaning, changes }) => ({ name, meaning, count: recent(changes) }) as Slice),
    // Their docs pull request was closed without merging, or a person left them.
    { name: "Not documented", meaning: "at rest", count: count("not") },
  ];
}

/** For example `Last 30 days: 41 of 43 changes documented, 1 in review, 1 needs a decision.` */
export function coverageLine(slices: readonly Slice[]): string {
  if (slices.every(({ count }) => count === 0))
    return "No changes were merged in the last 30 days.";
  return `Last 30 days: ${progressText(slices, "change")}.`;
}
