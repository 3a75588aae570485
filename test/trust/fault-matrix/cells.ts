import { isExhaustive, shuffled } from "../../support/sample.ts";
import { type Cell, nameOfCell } from "./cell.ts";
import type { Fault } from "./fault.ts";
import { FAULTS } from "./faults.ts";
import type { Row } from "./row.ts";
import { ROWS } from "./rows.ts";
import { ROWS_ASSISTANT } from "./rows-assistant.ts";
import { ROWS_COLLECT } from "./rows-collect.ts";
import { ROWS_DEPLOY } from "./rows-deploy.ts";
import { ROWS_V1 } from "./rows-v1.ts";

/** How many cells of each row are at least in a sample. */
const SAMPLED_PER_ROW = 1;

const ALL_ROWS: readonly Row[] = [
  ...ROWS,
  ...ROWS_V1,
  ...ROWS_ASSISTANT,
  ...ROWS_COLLECT,
  ...ROWS_DEPLOY,
];

/** Every cell, or a sample in which every row and every fault occurs. */
export function cellsToRun(): Cell[] {
  const all = cellsByRow();
  return isExhaustive ? all.flat() : sampleOfCells(all);
}

export function cellsByRow(): Cell[][] {
  return ALL_ROWS.map(cellsOf);
}

/** Rows in which a fault is tried in every form: what a form means is decided in one place for all. */
const EVERY_FORM = ["create", "poll", "create comment"];

/** Other forms of `Retry-After`, and statuses that mean the same as another to GitHub's client. */
const OTHER_FORM = /^429 Retry-After: (?!2$|1e9)/;
const OTHER_STATUS = /^(400|408|409|410|425|502|504|504 for work that was done)$/;

function cellsOf(row: Row): Cell[] {
  const { name, host, times = ["once", "for good"] } = row;
  const isOther = (fault: Fault) =>
    OTHER_FORM.test(fault.name) || (host === "github" && OTHER_STATUS.test(fault.name));
  // An empty list is a good answer that says something else.
  const isGood = (fault: Fault) => row.isList === true && fault.name === "array";
  const isTried = (fault: Fault) => EVERY_FORM.includes(name) || !isOther(fault);
  const faults = FAULTS.filter((fault) => isTried(fault) && !isGood(fault));
  return faults.flatMap((fault) => times.map((often): Cell => ({ row, fault, times: often })));
}

/** @param byRow the cells of each row */
export function sampleOfCells(byRow: readonly Cell[][]): Cell[] {
  const inRandomOrder = (cells: readonly Cell[]) => shuffled(cells, nameOfCell);
  const sample = byRow.flatMap((cells) => inRandomOrder(cells).slice(0, SAMPLED_PER_ROW));
  const sampledFaults = new Set(sample.map(({ fault }) => fault));
  const byFault = Map.groupBy(inRandomOrder(byRow.flat()), ({ fault }) => fault);
  for (const [fault, [cell]] of byFault) {
    if (!sampledFaults.has(fault) && cell !== undefined) sample.push(cell);
  }
  return sample;
}
