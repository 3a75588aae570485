import { expect, test } from "vitest";
import { cellsByRow, sampleOfCells } from "./cells.ts";

test("a sample of the matrix has every row and every fault, and not all of it", () => {
  const all = cellsByRow();
  const sample = sampleOfCells(all);
  expect(new Set(sample.map(({ row }) => row.name))).toEqual(
    new Set(all.flat().map(({ row }) => row.name)),
  );
  expect(new Set(sample.map(({ fault }) => fault.name))).toEqual(
    new Set(all.flat().map(({ fault }) => fault.name)),
  );
  expect(sample.length).toBeLessThan(all.flat().length / 4);
});
