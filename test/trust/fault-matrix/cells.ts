import { isExhaustive, shuffled } from "../../support/sample.ts";
import { hostOf } from "../../support/world/servers.ts";
import { FAULTS, type Fault } from "./faults.ts";
import { ROWS, type Row, type Times } from "./rows.ts";

/** One request, one fault, once or for good. */
export interface Cell {
  row: Row;
  fault: Fault;
  times: Times;
}

/** The name of a cell's test, for example `create: 503, for good`. */
export function nameOfCell({ row, fault, times }: Cell): string {
  return `${row.name}: ${fault.name}, ${times}`;
}

/** Every cell, or a sample in which every row and every fault occurs. */
export function cellsToRun(): Cell[] {
  const all = cellsByRow();
  return isExhaustive ? all.flat() : sampleOfCells(all);
}

export function cellsByRow(): Cell[][] {
  return ROWS.map(cellsOf);
}

/** Rows in which a fault is tried in every form: what a form means is decided in one place for all. */
const EVERY_FORM = ["create", "poll", "create comment"];

/** Statuses that mean the same as another to GitHub's client. */
const OTHER_STATUS = /^(400|408|409|410|425|502|504|504 for work that was done)$/;

/** Faults that leave the work in another state than others of their kind, or end otherwise in some rows. */
const OF_ITS_OWN = /^(HTML|wrong length)$| work that was done$/;

/** Other forms of `Retry-After`. A date means nothing to a step whose clock is fast. */
const OTHER_FORM = /^429 Retry-After: (?!2$|1e9)/;

/** Every fault, or of those that mean the same one, another in each row. */
function faultsOf(row: Row, nth: number): readonly Fault[] {
  if (EVERY_FORM.includes(row.name)) return FAULTS;
  const kindOf = ({ name, kind }: Fault) => (OF_ITS_OWN.test(name) ? name : kind);
  const alike = FAULTS.filter(({ name }) => !OTHER_FORM.test(name));
  const byKind = Map.groupBy(alike, kindOf);
  return [...byKind.values()].flatMap((faults) => faults.slice(nth % faults.length).slice(0, 1));
}

/** GitHub's lists: an empty one is a good answer that says something else. */
const LIST = /^GET \/repos\/.*\/(comments|files)$/;

function cellsOf(row: Row, nth: number): Cell[] {
  const isOther = ({ name }: Fault) =>
    hostOf(row.route) === "github" && !EVERY_FORM.includes(row.name) && OTHER_STATUS.test(name);
  const isGood = ({ name }: Fault) => name === "array" && LIST.test(row.route);
  const faults = faultsOf(row, nth).filter((fault) => !isOther(fault) && !isGood(fault));
  const { times = ["once", "for good"] } = row;
  return faults.flatMap((fault) => times.map((often): Cell => ({ row, fault, times: often })));
}

/** One cell of each row, of a fault that no other row has so far, and one of each fault that is left. */
export function sampleOfCells(byRow: readonly Cell[][]): Cell[] {
  const sample: Cell[] = [];
  const isNew = ({ fault }: Cell) => !sample.some((cell) => cell.fault === fault);
  for (const cells of byRow) {
    const inOrder = shuffled(cells, nameOfCell);
    const chosen = inOrder.find(isNew) ?? inOrder[0];
    if (chosen !== undefined) sample.push(chosen);
  }
  for (const cell of shuffled(byRow.flat(), nameOfCell)) if (isNew(cell)) sample.push(cell);
  return sample;
}
