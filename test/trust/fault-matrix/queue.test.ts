import { add, BADLY, hour, pages, queue, rowsOf, run, testRows } from "./ledgers.ts";

testRows(
  rowsOf(
    ["the first run of a queue", "started", queue([add, pages])],
    ["a run of a queue whose tasks are at their end", "finished", queue([add, run, hour])],
    ["a run of a queue whose tasks failed", "started", queue([pages, run, hour], BADLY)],
  ),
);
