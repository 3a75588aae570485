/** How the ledger of upkeep and a queue begins, and what is dropped from it with time. */

import type { LedgerFormat } from "../../ledger/file.ts";
import { DAY } from "../../runtime/clock.ts";
import { NO_FAILURES } from "./failures.ts";
import { type Ledger, ledgerSchema } from "./ledger.ts";

/** How many days of counts are kept for the coverage and the cost of 30 days. */
const COUNTED_DAYS = 31;

export function batchFormat(identity: { action: string; project: string }): LedgerFormat<Ledger> {
  const begin: Ledger = {
    version: 1,
    ...identity,
    writes: 0,
    historyFiles: [],
    ownerWorkflow: null,
    dashboard: { type: "none" },
    closedByBot: null,
    sources: [],
    waiting: [],
    batches: [],
    reviews: [],
    followed: [],
    drafts: [],
    done: [],
    passedOver: [],
    noLongerRead: [],
    unread: { sources: [], changes: [], accepted: [] },
    days: {},
    starts: [],
    requests: {},
    failures: NO_FAILURES,
    limitedSince: null,
    busyJobs: [],
    answeredRuns: [],
    pendingComments: [],
    agent: { links: [], branches: [] },
    ended: [],
  };
  return { begin, schema: ledgerSchema, recent };
}

/** Without the counts of days, the times of requests and the busy jobs that no decision and no output uses any more. */
function recent(ledger: Ledger, now: number): Ledger {
  const firstDay = new Date(now - COUNTED_DAYS * DAY).toISOString().slice(0, 10);
  const since = <Count>(days: Readonly<Record<string, Count>>) =>
    Object.fromEntries(Object.entries(days).filter(([day]) => day >= firstDay));
  return {
    ...ledger,
    days: since(ledger.days),
    starts: ledger.starts.filter(({ at }) => now - Date.parse(at) < DAY),
    requests: since(ledger.requests),
    busyJobs: ledger.busyJobs.filter((busy) => busy.since.slice(0, 10) >= firstDay),
  };
}
