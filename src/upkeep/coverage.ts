import { needsDecisionText } from "../ledger/dashboard/dashboard-lines.ts";
import { renderPie, type SliceMeaning } from "../ledger/dashboard/pie.ts";
import type { LedgerState } from "../ledger/model/read-ledger.ts";
import { dayOf } from "../ledger/model/record.ts";
import type { UpkeepChange } from "./ledger-change.ts";

/** How many days the line of coverage looks back. */
const DAYS = 30;

/** Of the changes that landed in 30 days, how many are where. */
export interface Coverage {
  covered: number;
  inProgress: number;
  needsDecision: number;
  waiting: number;
}

/** Whether a change landed in the days that coverage counts. */
export function isRecent({ landedAt }: Pick<UpkeepChange, "landedAt">, now: number): boolean {
  return dayOf(landedAt) > dayOf(now) - DAYS;
}

/**
 * @param waiting changes that are not handed over yet
 * @param more how many more of these there are that landed in the 30 days
 */
export function coverageOf(
  { now, open, doneByDay }: LedgerState<UpkeepChange>,
  { waiting, more }: { waiting: readonly UpkeepChange[]; more: { recent: number } },
  needsDecision: ReadonlySet<string>,
): Coverage {
  const first = dayOf(now) - DAYS;
  let covered = 0;
  for (const [day, count] of doneByDay) if (day > first) covered += count;
  const coverage = { covered, inProgress: 0, needsDecision: 0, waiting: 0 };
  for (const { handed, batch } of open.values()) {
    const { change } = handed;
    if (!isRecent(change, now)) continue;
    if (needsDecision.has(change.key)) coverage.needsDecision += 1;
    else if (batch.stateNow === "running" || batch.stateNow === "claimed") coverage.inProgress += 1;
    else coverage.waiting += 1;
  }
  const isNew = (it: UpkeepChange) => !open.has(it.key) && isRecent(it, now);
  coverage.waiting += waiting.filter(isNew).length + more.recent;
  return coverage;
}

/** For example `Last 30 days: 41 of 43 changes covered, 1 in progress, 1 needs a decision.` */
export function coverageLine({ covered, inProgress, needsDecision, waiting }: Coverage): string {
  const all = covered + inProgress + needsDecision + waiting;
  if (all === 0) return "No change landed in the last 30 days.";
  const parts = [
    `${covered} of ${all} ${all === 1 ? "change" : "changes"} covered`,
    inProgress > 0 ? `${inProgress} in progress` : "",
    waiting > 0 ? `${waiting} waiting` : "",
    needsDecisionText(needsDecision),
  ];
  return `Last 30 days: ${parts.filter((part) => part !== "").join(", ")}.`;
}

const SLICES: { name: string; meaning: SliceMeaning; of: keyof Coverage }[] = [
  { name: "Covered", meaning: "good", of: "covered" },
  { name: "In progress", meaning: "at work", of: "inProgress" },
  { name: "Waiting", meaning: "at rest", of: "waiting" },
  { name: "Needs a decision", meaning: "wrong", of: "needsDecision" },
];

/** The same as a Mermaid pie; empty if nothing landed. */
export function coveragePie(coverage: Coverage): string {
  return renderPie(SLICES.map(({ of, ...it }) => ({ ...it, count: coverage[of] })));
}
