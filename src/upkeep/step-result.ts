import type { UpkeepInputs } from "../inputs/upkeep.ts";
import type { RunResult } from "../ledger/protocol/run-ledger.ts";
import { cancelledRun } from "../ledger/run/cancelled.ts";
import type { LedgerStepResult } from "../ledger/run/step-result.ts";
import { unusableLedger } from "../ledger/run/unusable-ledger.ts";
import type { ActionError } from "../runtime/errors.ts";
import type { UpkeepChange } from "./ledger-change.ts";
import type { UpkeepRun } from "./upkeep-run.ts";

/** As the output `result` tells it. */
export type UpkeepResult =
  | "started"
  | "continued"
  | "idle"
  | "busy"
  | "held"
  | "limited"
  | "paused"
  | "dry-run";

/** How a run of upkeep came out. */
export interface UpkeepOutcome {
  result: Pick<RunResult<UpkeepChange>, "end">;
  upkeepRun: Pick<UpkeepRun, "reason" | "delivered" | "failure">;
  inputs: Pick<UpkeepInputs, "dryRun">;
  /** Why the batch could not be waited for; null: it could, or was not to be. */
  waitError: ActionError | null;
  /** By a signal: the step fails whatever it came to. */
  isCancelled: boolean;
}

/** What the outcome of a run means for the step. */
export function upkeepResultOf(outcome: UpkeepOutcome): LedgerStepResult<UpkeepResult> {
  const unusable = unusableLedger(outcome.result.end, "changes");
  if (unusable !== null) return { result: "", error: null, unusable };
  return { result: resultOf(outcome), error: errorOf(outcome), unusable };
}

function errorOf({ upkeepRun, waitError, isCancelled }: UpkeepOutcome): ActionError | null {
  const error = upkeepRun.failure ?? upkeepRun.delivered?.error ?? waitError;
  return error ?? (isCancelled ? cancelledRun() : null);
}

function resultOf({ result: { end }, upkeepRun, inputs }: UpkeepOutcome): UpkeepResult | "" {
  if (end.type === "paused") return "paused";
  if (upkeepRun.failure !== null) return "";
  if (inputs.dryRun) return "dry-run";
  if (end.type === "busy") return "busy";
  const { delivered, reason } = upkeepRun;
  if (end.type === "handed-over" && delivered !== null) {
    if (delivered.reason !== null) return delivered.reason;
    if (delivered.job === null) return "";
    return delivered.isFollowUp ? "continued" : "started";
  }
  return reason ?? "idle";
}
