import { type RunResult, runAction } from "../../emulator/runner/runner.ts";
import type { Expectation } from "./expectation.ts";
import type { Fault } from "./fault.ts";
import { arrivedCreates, whatIsWrong } from "./judge.ts";
import { promisesBroken } from "./promises.ts";
import type { Row } from "./row.ts";
import { expectation, fastClock } from "./rules.ts";
import { type Stage, setStage, type Times } from "./stage.ts";

/** One request, one fault, once or for good. */
export interface Cell {
  row: Row;
  fault: Fault;
  times: Times;
}

export interface CellResult {
  cell: Cell;
  /** How it came out, in a few words. */
  told: string;
  /** What is not as it must be; empty when all is. */
  wrong: string[];
  took: number;
}

/** Runs a cell and judges it. */
export async function runCell(cell: Cell): Promise<CellResult> {
  const { row, fault, times } = cell;
  const startedAt = performance.now();
  await using stage = await setStage(row, fault, times);
  const expected = expectation(row, fault, times);
  const fast = fastClock(row, fault, times);
  const took = () => Math.round(performance.now() - startedAt);
  let result: RunResult;
  try {
    result = await runAction({
      ...stage.options,
      fastClock: fast,
      onLine: stage.onLine,
      limitMs: 2 * expected.within,
      inputs: { ...stage.options.inputs, ...paceOf(row, expected, fast) },
    });
  } catch (error) {
    return { cell, told: "no end", wrong: [String(error)], took: took() };
  }
  const seen = { result, stage, row, fault, times };
  return {
    cell,
    told: tell(result, stage, row),
    wrong: [...whatIsWrong(expected, seen), ...promisesBroken(seen)],
    took: took(),
  };
}

/** Real delays of 20 to 400 ms between two looks, and the cell's time limit. */
function paceOf(
  { run: { action = "root" } }: Row,
  { timeout }: Expectation,
  fast: number,
): Record<string, string> {
  const limit = { "timeout-minutes": String(timeout / 60_000) };
  if (action !== "root") return action === "jobs" ? {} : limit;
  return {
    ...limit,
    "poll-interval-seconds": String(0.02 * fast),
    "poll-max-interval-seconds": String(0.4 * fast),
  };
}

function tell(result: RunResult, stage: Stage, row: Row): string {
  const kind = result.outputs.errorKind || result.outputs.status || "?";
  const host = row.host === "service" ? stage.service : stage.github.server;
  const creates = arrivedCreates(stage);
  return `${kind} ×${host.requestsTo(row.route).length}${creates > 1 ? ` creates ${creates}` : ""}`;
}
