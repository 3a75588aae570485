import { expect, test } from "vitest";
import { runCell } from "./cell.ts";
import { cellsToRun, nameOfCell } from "./cells.ts";

/** The longest that a cell's rules allow, and as much again for a busy machine. */
const LIMIT = 180_000;

// Most of a cell is waiting, so cells run side by side: `maxConcurrency` in vitest.config.ts.
for (const cell of cellsToRun()) {
  test.concurrent(nameOfCell(cell), { timeout: LIMIT }, async () => {
    expect(await runCell(cell)).toEqual([]);
  });
}
