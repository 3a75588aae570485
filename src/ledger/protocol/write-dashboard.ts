import { hasFailed } from "../model/issue-answers.ts";
import type { Change } from "../model/record.ts";
import { ask, type Steps } from "./effects.ts";
import type { OpenLedger } from "./open-ledger.ts";

/** What became of writing the dashboard. `why` is empty if it is written. */
export interface DashboardWrite {
  isClosed: boolean;
  why: string;
}

/**
 * Writes the body from what the ledger says. It is read again right before, so that ticks set in the
 * meantime stay, and so that a checkpoint which knows more is not lost.
 */
export function* writeDashboard<C extends Change>(ledger: OpenLedger<C>): Steps<C, DashboardWrite> {
  const dashboard = yield* ask<C, "read-dashboard">({ type: "read-dashboard" });
  if (hasFailed(dashboard)) return { isClosed: false, why: dashboard.why };
  ledger.takeDashboard(dashboard);
  const written = yield* ask<C, "write-dashboard">({
    type: "write-dashboard",
    state: ledger.state(),
    checkpoint: ledger.checkpoint(),
    ticked: ledger.ticked,
  });
  return { isClosed: dashboard.isClosed, why: hasFailed(written) ? written.why : "" };
}
