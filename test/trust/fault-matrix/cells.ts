import { isExhaustive, shuffled } from "../../support/sample.ts";
import { type Cell, nameOfCell } from "./cell.ts";
import { FAULTS } from "./faults.ts";
import type { Row } from "./row.ts";
import { ROWS } from "./rows.ts";
import { ROWS_ASSISTANT } from "./rows-assistant.ts";
import { ROWS_COLLECT } from "./rows-collect.ts";
import { ROWS_V1 } from "./rows-v1.ts";

/** How many cells of each row are at least in a sample. */
const SAMPLED_PER_ROW = 1;

const ALL_ROWS: readonly Row[] = [...ROWS, ...ROWS_V1, ...ROWS_ASSISTANT, ...ROWS_COLLECT];

/** Every cell, or a sample in which every row and every fault occurs. */
export function cellsToRun(): Cell[] {
  const all = cellsByRow();
  return isExhaustive ? all.flat() : sampleOfCells(all);
}

export function cellsByRow(): Cell[][] {
  return ALL_ROWS.map(cellsOf);
}

function cellsOf(row: Row): Cell[] {
  const { times = ["once", "for good"] } = row;
  return FAULTS.flatMap((fault) => times.map((often): Cell => ({ row, fault, times: often })));
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
