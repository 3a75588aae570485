import type { QueueTask } from "../inputs/tasks-file.ts";
import type { LedgerState } from "../ledger/model/read-ledger.ts";
import type { Handed } from "../ledger/model/record.ts";
import { selectChanges } from "../ledger/model/select-changes.ts";
import { type TaskChange, taskChange } from "./task-change.ts";

/**
 * The hour that `per-hour` counts, in milliseconds: a minute longer, because requests go out some time
 * after their comment, by whose time they are counted.
 */
export const HOUR = 61 * 60_000;

/** Why nothing is started. `ended`: no task waits. */
export type NoStartReason = "busy" | "limited" | "ended";

/** What to start now, in order; or why nothing is. */
export type StartDecision = { handed: Handed<TaskChange>[]; reason: NoStartReason | null };

export interface StartFacts {
  state: LedgerState<TaskChange>;
  tasks: readonly QueueTask[];
  /** The boxes that are ticked. */
  ticked: string[];
  maxRunning: number;
  perHour: number;
  maxAttempts: number;
}

/** Chooses what to start: tasks that are started again first, then new ones in the order of the file. */
export function decideStarts({
  state,
  tasks,
  ticked,
  maxRunning,
  perHour,
  maxAttempts,
}: StartFacts): StartDecision {
  const changes = new Map(tasks.map(taskChange).map((change) => [change.key, change]));
  const fresh = [...changes.values()].filter(({ key }) => !state.known.has(key));
  const { handed } = selectChanges(state, {
    found: fresh.map((change) => ({ change, source: "", sha: "", passedOver: false })),
    ...{ ticked, maxAttempts },
    maxChanges: Number.POSITIVE_INFINITY,
  });
  // What was taken out of the file is not started again; what is still there, as it is written now.
  const waiting = handed.flatMap((one) => {
    const change = changes.get(one.change.key);
    return change === undefined ? [] : [{ ...one, change }];
  });
  if (waiting.length === 0) return { handed: [], reason: "ended" };
  const places = maxRunning - running(state);
  if (places <= 0) return { handed: [], reason: "busy" };
  const requests = perHour - startsInAnHour(state);
  if (requests <= 0) return { handed: [], reason: "limited" };
  return { handed: waiting.slice(0, Math.min(places, requests)), reason: null };
}

function running({ claims }: LedgerState<TaskChange>): number {
  return claims.flatMap(({ batches }) => batches).filter(({ stateNow }) => stateNow === "running")
    .length;
}

/** Requests that went out, or may have, in the last hour by GitHub's clock. */
export function startsInAnHour({ starts, now }: LedgerState<TaskChange>): number {
  return [...starts.values()].filter(({ at }) => now - at < HOUR).length;
}
