import { expect, test } from "vitest";
import { cellsByRow } from "./cells.ts";
import { EXPECTATIONS, expectationOf, unknownWords } from "./expectations.ts";

const cells = cellsByRow().flat();

test("what-goes-wrong.md uses no unknown word", () => {
  expect(unknownWords(new Set(cells.map(({ row }) => row.purpose)))).toEqual([]);
});

test("each row of what-goes-wrong.md fits a cell, and each cell has a row", () => {
  const used = new Set(cells.map(({ row, fault, times }) => expectationOf(row, fault, times)));
  expect(EXPECTATIONS.filter((row) => !used.has(row))).toEqual([]);
});
