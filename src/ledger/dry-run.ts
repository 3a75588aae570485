import type { DryRun } from "../inputs/ledger.ts";

/** What a dry run says, in the log and the summary. */
export function dryRunText(dryRun: DryRun): string {
  const text = "Dry run: nothing was written or started.";
  return dryRun === "new"
    ? `${text} There is no ledger yet: the next scheduled run begins it, and starts what this one shows.`
    : text;
}
