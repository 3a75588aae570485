// The tables of reasons in docs/, made from the tables in src/.
import { EXCLUSIONS, UNDECIDED_REASONS } from "../src/batches/reasons.ts";
import { WAITS } from "../src/batches/waits.ts";
import { GATE_NOTES, VERDICT_REASONS } from "../src/gate/reasons.ts";
import { LAND_REASONS } from "../src/land/reasons.ts";
import { QUEUE_REASONS } from "../src/queue/reasons.ts";
import type { ReasonEntry } from "../src/runtime/reason.ts";
import { duration } from "../src/text/markdown.ts";
import { CHANGED_REASONS, UPKEEP_REASONS } from "../src/upkeep/reasons.ts";
import { table } from "./markdown-table.ts";

/**
 * Reasons by their codes. Those of runs have a `result`, those of verdicts a `verdict`. `longest`: milliseconds, or an
 * input.
 */
type Reasons = Readonly<
  Record<
    string,
    Omit<ReasonEntry<object>, "longest"> & {
      readonly longest: number | string | null;
      readonly result?: string;
      readonly verdict?: string;
    }
  >
>;

const TABLES: Readonly<Record<string, Reasons>> = {
  upkeep: UPKEEP_REASONS,
  changed: CHANGED_REASONS,
  "passed-over": EXCLUSIONS,
  undecided: UNDECIDED_REASONS,
  waits: WAITS,
  queue: QUEUE_REASONS,
  gate: { ...VERDICT_REASONS, ...GATE_NOTES },
  land: LAND_REASONS,
};

/** Without the columns that are the same in each row. @param name of the table, such as `upkeep` */
export function reasonsTable(name: string): string {
  const reasons = TABLES[name];
  if (reasons === undefined) throw new Error(`There is no table of reasons ${name}.`);
  const own = (["result", "verdict"] as const).filter((column) =>
    Object.values(reasons).some((entry) => column in entry),
  );
  const rows = Object.entries(reasons).map(([code, entry]) => [
    `\`${code}\``,
    ...own.map((column) => codeCell(entry[column])),
    entry.waitsFor,
    longestCell(entry.longest),
    entry.text(entry.example),
    entry.wayOut,
  ]);
  const head = ["code", ...own, "waits for", "at most", "what is said", "what ends it"];
  const varies = head.map((_, column) => new Set(rows.map((row) => row[column])).size > 1);
  const shown = (row: string[]) => row.filter((_, column) => varies[column]);
  return table(shown(head), rows.map(shown));
}

function longestCell(longest: Reasons[string]["longest"]): string {
  if (longest === null) return "";
  return typeof longest === "number" ? duration(longest) : `\`${longest}\``;
}

const codeCell = (value: string | undefined) => (value === undefined ? "" : `\`${value}\``);
