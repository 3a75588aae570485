/** What turns a decision to hand over in any action with batches, read again right before the request. */

import { pauseOf } from "./batch-plan.ts";
import type { BatchReads } from "./batch-reads.ts";
import { checkDashboard, type DashboardPlace } from "./dashboard-issue.ts";
import type { Ledger } from "./model/ledger.ts";
import type { SharedReason } from "./reasons.ts";

/** Whether a person has closed the dashboard meanwhile. One that no run has opened cannot be closed. */
export async function pauseNow(
  ledger: Ledger,
  reads: BatchReads,
  place: DashboardPlace,
): Promise<SharedReason | null> {
  if (place.named === null && ledger.dashboard.type !== "open") return null;
  const read = await reads.dashboard(ledger);
  const checked = checkDashboard(read, ledger, reads.commit(), place);
  return checked.type === "dashboard" ? pauseOf(checked.dashboard) : { code: "other-run" };
}
