import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cell, type CellResult, runCell } from "./cell.ts";
import { FAULTS } from "./faults.ts";
import { pool } from "./pool.ts";
import type { Row } from "./row.ts";
import { ROWS } from "./rows.ts";
import { ROWS_ASSISTANT } from "./rows-assistant.ts";
import { ROWS_V1 } from "./rows-v1.ts";
import type { Times } from "./stage.ts";
import { tableOf } from "./table.ts";

/** Children are short bursts of work: more at a time than cores keeps those busy. */
const AT_A_TIME = 6;
const LIMIT = 300_000;
/** Part of a row's name, to run that row alone. */
const only = process.env.TRUST_ROW ?? "";

const rows = [...ROWS, ...ROWS_V1, ...ROWS_ASSISTANT].filter(({ name }) => name.includes(only));
const timesOf = ({ times = ["once", "for good"] }: Row): readonly Times[] => times;
const results: CellResult[] = [];
const running = new Map<string, Promise<CellResult[]>>();
const startedAt = performance.now();

beforeAll(() => {
  const inTurn = pool(AT_A_TIME);
  for (const row of rows) {
    const cells = FAULTS.flatMap((fault) =>
      timesOf(row).map((times): Cell => ({ row, fault, times })),
    );
    running.set(row.name, Promise.all(cells.map((cell) => inTurn(() => runCell(cell)))));
  }
});

afterAll(() => {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(`${tableOf(results)}\n\n${results.length} cells in ${seconds} s`);
});

test.each(rows)("$name keeps its promises under every fault", { timeout: LIMIT }, async (row) => {
  const came = (await running.get(row.name)) ?? [];
  results.push(...came);
  const broken = came.flatMap(({ cell, wrong }) =>
    wrong.map((it) => `${cell.fault.name}, ${cell.times}: ${it}`),
  );
  expect(broken).toEqual([]);
  expect(came).toHaveLength(timesOf(row).length * FAULTS.length);
});
