// The tables of reasons in docs/, made from the tables of codes in src/.
import { ENTRY_REASONS, type EntryReason, type SharedReason } from "../src/batches/reasons.ts";
import { QUEUE_REASONS, type QueueReason } from "../src/queue/reasons.ts";
import type { AnyReason, ReasonEntry } from "../src/runtime/reason.ts";
import { duration } from "../src/text/markdown.ts";
import {
  CHANGED_REASONS,
  type ChangedReason,
  UPKEEP_REASONS,
  type UpkeepReason,
} from "../src/upkeep/reasons.ts";
import { gateReasonsTable } from "./gate-reasons.ts";
import { landReasonsTable } from "./land-reasons.ts";
import { table } from "./markdown-table.ts";

/** An example of each code. */
type Examples<R extends AnyReason> = {
  readonly [Code in R["code"]]: Extract<R, { readonly code: Code }>;
};

const SHARED: Examples<SharedReason> = {
  "other-issue": { code: "other-issue" },
  paused: { code: "paused", by: "octocat", at: "2026-11-22T12:00:00Z" },
  "other-run": { code: "other-run" },
  halted: { code: "halted", halt: { type: "failed", id: "halt", count: 3, jobId: "job_3" } },
};

const UPKEEP: Examples<UpkeepReason> = {
  ...SHARED,
  "nothing-new": { code: "nothing-new" },
  "at-work": { code: "at-work" },
  "docs-pull-open": { code: "docs-pull-open", prLink: "" },
  "daily-limit": { code: "daily-limit", most: 24 },
};

const QUEUE: Examples<QueueReason> = {
  ...SHARED,
  "nothing-waits": { code: "nothing-waits" },
  "all-running": { code: "all-running", most: 3 },
  "hourly-limit": { code: "hourly-limit", most: 50 },
  finished: { code: "finished" },
};

type OwnChange = Exclude<ChangedReason, SharedReason>;

const CHANGED: Examples<OwnChange> = {
  excluded: {
    code: "excluded",
    place: "acme/code#12",
    by: { code: "label", label: "skip-docs" },
  },
  "docs-pull-changed": { code: "docs-pull-changed" },
  "less-visible": { code: "less-visible", repository: "acme/code" },
  unread: { code: "unread", reason: "GitHub returned 502" },
};

const ENTRIES: Examples<EntryReason> = {
  label: { code: "label", label: "skip-docs" },
  author: { code: "author", author: "renovate[bot]" },
  "no-path": { code: "no-path" },
  "no-files": { code: "no-files" },
  "by-agent": { code: "by-agent" },
  "same-commit": { code: "same-commit", sha: "1a2b3c4" },
  rewritten: { code: "rewritten", branch: "main" },
  "job-failed": { code: "job-failed", jobId: "job_3" },
  "job-unknown": { code: "job-unknown", jobId: "job_3" },
  "ended-early": { code: "ended-early", jobId: "job_3" },
  refused: { code: "refused", words: "the service's own words" },
  unanswered: { code: "unanswered", words: "the connection was lost" },
  "run-ended": { code: "run-ended" },
};

const TABLES: Record<string, () => string> = {
  upkeep: () => waitingTable(UPKEEP, UPKEEP_REASONS),
  queue: () => waitingTable(QUEUE, QUEUE_REASONS),
  changed: () => {
    const rows = rowsOf(CHANGED, CHANGED_REASONS, ({ text, wayOut }) => [text, wayOut]);
    return table(["What has changed", "What follows"], rows);
  },
  "passed-over": () => entryTable("nobody", ["Reason shown", "Filter"]),
  gate: gateReasonsTable,
  land: landReasonsTable,
  undecided: () => entryTable("person", ["Reason shown", "What ends it"]),
};

/** @param name of the table, such as `upkeep` */
export function reasonsTable(name: string): string {
  const made = TABLES[name];
  if (made === undefined) throw new Error(`There is no table of reasons ${name}.`);
  return made();
}

/** A row of a table, with the text of an example. */
interface Row {
  text: string;
  waitsFor: string;
  longest: string;
  wayOut: string;
  result: string;
}

function rowsOf<R extends AnyReason>(
  examples: { readonly [Code in R["code"]]: R },
  entries: { readonly [Code in R["code"]]: ReasonEntry<R> & { readonly result?: string } },
  cells: (row: Row) => string[],
): string[][] {
  return Object.values<R>(examples).map((example) => {
    const entry = entries[example.code as R["code"]];
    const { waitsFor, longest, wayOut, result = "" } = entry;
    const most = longest === null ? "as long as it takes" : duration(longest);
    const text = entry.text(example).replaceAll("|", "\\|");
    return cells({ text, waitsFor, longest: most, wayOut, result });
  });
}

function waitingTable<R extends AnyReason>(
  examples: { readonly [Code in R["code"]]: R },
  entries: { readonly [Code in R["code"]]: ReasonEntry<R> & { readonly result?: string } },
): string {
  const rows = rowsOf(examples, entries, (row) => {
    return [`\`${row.result}\``, row.text, row.waitsFor, row.longest, row.wayOut];
  });
  return table(["`result`", "What it says", "Waits for", "At most", "What ends it"], rows);
}

/** Why entries of the ledger are not handed over. @param waiter whom they wait for */
function entryTable(waiter: string, head: string[]): string {
  const rows = rowsOf(ENTRIES, ENTRY_REASONS, (row) => {
    return row.waitsFor === waiter ? [`\`${row.text}\``, row.wayOut] : [];
  });
  return table(
    head,
    rows.filter((row) => row.length > 0),
  );
}
