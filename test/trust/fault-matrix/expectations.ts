/** How the step ends, cell by cell: the tables of what-goes-wrong.md. */

import { readFileSync } from "node:fs";
import { KIND_WORDS } from "../../../src/runtime/errors.ts";
import type { Fault } from "./fault.ts";
import { FAULTS } from "./faults.ts";
import type { Purpose, Row, Times } from "./row.ts";

/** One row of the table. */
export interface Expectation {
  purposes: ReadonlySet<string>;
  faults: ReadonlySet<string>;
  often: Times | null;
  /** Any of these. */
  ends: readonly string[];
  /** How often the request arrives. */
  requests: { least: number; most: number };
  /** What the log or the error contains, all of it. */
  says: readonly string[];
}

/** How often a request arrives at most, if the table does not say. */
const MOST_REQUESTS = 500;
const ENDS = new Set(["green", "skipped", ...Object.keys(KIND_WORDS)]);

const [WORDS_TABLE = [], EXPECTATIONS_TABLE = []] = tablesOf(
  readFileSync(new URL("./what-goes-wrong.md", import.meta.url), "utf8"),
);
const WORDS = new Map(WORDS_TABLE.map(([word = "", meaning = ""]) => [word, listOf(meaning)]));

export const EXPECTATIONS: readonly Expectation[] = EXPECTATIONS_TABLE.map(
  ([purposes = "", faults = "", often = "", ends = "", requests = "", says = ""]) => {
    const [least = "0", most = least] = (requests || `0-${MOST_REQUESTS}`).split("-");
    return {
      purposes: new Set(spelledOut(purposes)),
      faults: new Set(spelledOut(faults)),
      often: often === "" ? null : (often as Times),
      ends: listOf(ends),
      requests: { least: Number(least), most: Number(most) },
      says: says.split(";").map((text) => text.trim()),
    };
  },
);

/** The first row of the table that fits. @throws Error if none does */
export function expectationOf(row: Row, fault: Fault, times: Times): Expectation {
  const expectation = EXPECTATIONS.find(
    ({ purposes, faults, often }) =>
      purposes.has(row.purpose) &&
      namesOf(fault).some((name) => faults.has(name)) &&
      (often === null || often === times),
  );
  if (expectation === undefined) throw new Error(`nothing is expected of ${fault.name}`);
  return expectation;
}

/** Words of the table that mean nothing. @param purposes those of the matrix's rows */
export function unknownWords(purposes: ReadonlySet<Purpose>): string[] {
  const faults = new Set(FAULTS.flatMap(namesOf));
  const isTimes = (often: string | null) => ["once", "for good", null].includes(often);
  return EXPECTATIONS.flatMap((row) => [
    ...[...row.purposes].filter((word) => !purposes.has(word as Purpose)),
    ...[...row.faults].filter((word) => !faults.has(word)),
    ...row.ends.filter((word) => !ENDS.has(word)),
    ...(isTimes(row.often) ? [] : [String(row.often)]),
    ...Object.values(row.requests).filter(Number.isNaN).map(String),
  ]);
}

/** What the table may call a fault. */
function namesOf({ name, kind }: Fault): string[] {
  const [status = ""] = /^\d+/.exec(kind) ?? [];
  return ["any", name, kind, ...(status === "" ? [] : [status])];
}

function spelledOut(list: string): string[] {
  return listOf(list).flatMap((word) => WORDS.get(word)?.flatMap(spelledOut) ?? [word]);
}

function listOf(list: string): string[] {
  return list.split(",").map((word) => word.trim());
}

/** The rows of each table of a page, without its head. */
function tablesOf(page: string): string[][][] {
  return [...page.matchAll(/(?:^\|.*\n)+/gm)].map(([table]) =>
    table
      .trim()
      .split("\n")
      .slice(2)
      .map((line) =>
        line
          .slice(1, -1)
          .split("|")
          .map((cell) => cell.trim()),
      ),
  );
}
