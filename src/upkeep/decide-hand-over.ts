import type { PullState } from "../github/pull-request.ts";
import type { BatchNow } from "../ledger/model/claim-now.ts";
import type { LedgerState } from "../ledger/model/read-ledger.ts";
import type { Selection } from "../ledger/model/select-changes.ts";
import type { Target } from "../ledger/run/deliver.ts";
import type { UpkeepChange } from "./ledger-change.ts";

/** The day that `max-jobs-per-day` counts, in milliseconds. */
const DAY = 24 * 60 * 60_000;

/** Why nothing is handed over. */
export type NoHandOverReason = "idle" | "busy" | "held" | "limited";

export type HandOverDecision =
  | { type: "hand-over"; target: Target }
  | { type: "nothing"; reason: NoHandOverReason };

export interface HandOverFacts {
  state: LedgerState<UpkeepChange>;
  selection: Pick<Selection<UpkeepChange>, "handed">;
  openPullRequest: "continue" | "hold" | "new";
  maxJobsPerDay: number;
  /** What has become of the docs pull request of the last batch; null when it cannot be read. */
  pull: PullState | null;
}

/** What to do with what was selected. */
export function decideHandOver({
  state,
  selection,
  openPullRequest,
  maxJobsPerDay,
  pull,
}: HandOverFacts): HandOverDecision {
  if (isAtWork(state)) return { type: "nothing", reason: "busy" };
  if (selection.handed.length === 0) return { type: "nothing", reason: "idle" };
  const last = lastDocumented(state);
  const isOpen = last !== undefined && pull !== "closed" && pull !== "merged";
  // One that cannot be read is no reason to wait for ever.
  if (isOpen && openPullRequest === "hold" && pull !== null) {
    return { type: "nothing", reason: "held" };
  }
  if (startsInADay(state) >= maxJobsPerDay) return { type: "nothing", reason: "limited" };
  const jobId = last?.batch.jobId ?? null;
  const goesOn = isOpen && openPullRequest === "continue" && jobId !== null;
  return { type: "hand-over", target: goesOn ? { type: "job", jobId } : { type: "new" } };
}

/** Whether a batch is with the agent. */
export function isAtWork({ claims }: LedgerState<UpkeepChange>): boolean {
  return claims.some(({ batches }) => batches.some(({ stateNow }) => stateNow === "running"));
}

/**
 * The newest batch with a docs pull request. One after it that failed, or needed none, leaves that pull
 * request open: there is to be one at a time.
 */
export function lastDocumented({
  claims,
}: LedgerState<UpkeepChange>): BatchNow<UpkeepChange> | undefined {
  return claims
    .flatMap(({ batches }) => batches)
    .findLast(({ stateNow, batch }) => stateNow === "done" && batch.prLink !== null);
}

/** Requests that went out, or may have, in the last 24 hours by GitHub's clock. */
export function startsInADay({ starts, now }: LedgerState<UpkeepChange>): number {
  return [...starts.values()].filter(({ at }) => now - at < DAY).length;
}
