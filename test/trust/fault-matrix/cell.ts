import { type RunResult, runAction as runProcess } from "../../../emulator/runner/runner.ts";
import { runAction } from "../../support/run-action.ts";
import { PR_LINK } from "../../support/scenario.ts";
import { setUpCell, type Times } from "./cell-setup.ts";
import { brokenInvariants } from "./check-invariants.ts";
import { problemsOf } from "./check-result.ts";
import type { Expectation } from "./expectation.ts";
import type { Fault } from "./fault.ts";
import type { Row } from "./row.ts";
import { expectation, fastClock } from "./rules.ts";

/** One request, one fault, once or for good. */
export interface Cell {
  row: Row;
  fault: Fault;
  times: Times;
}

/** Number of the job's pull request. */
const PULL = Number(PR_LINK.split("/").at(-1));

/** The name of a cell's test, for example `create: 503, for good`. */
export function nameOfCell({ row, fault, times }: Cell): string {
  return `${row.name}: ${fault.name}, ${times}`;
}

/** Runs a cell, and returns what is not as it must be, as sentences. */
export async function runCell({ row, fault, times }: Cell): Promise<string[]> {
  await using setup = await setUpCell(row, fault, times);
  const expected = expectation(row, fault, times);
  const fast = fastClock(row, fault, times);
  // How long a host is away is measured in real time.
  const start = fault.way.type === "refuse" ? runProcess : runAction;
  let result: RunResult;
  try {
    result = await start({
      ...setup.options,
      fastClock: fast,
      onLine: setup.onLine,
      limitMs: 2 * expected.within,
      inputs: { ...setup.options.inputs, ...delaysOf(row, expected, fast) },
    });
  } catch (error) {
    return [String(error)];
  }
  const bodiesOn = async (issue: number) =>
    (await setup.github.comments(issue)).map(({ body }) => body);
  const [comments, invitations] = [await bodiesOn(7), await bodiesOn(PULL)];
  const seen = { result, setup, row, fault, times, comments, invitations };
  return [...problemsOf(expected, seen), ...brokenInvariants(seen)];
}

/** Real delays of 20 to 400 ms between two polls, and the cell's time limit. */
function delaysOf(
  { run: { action = "root" } }: Row,
  { timeout }: Expectation,
  fast: number,
): Record<string, string> {
  const limit = { "timeout-minutes": String(timeout / 60_000) };
  if (action === "jobs" || action === "collect") return {};
  if (action !== "root") return limit;
  return {
    ...limit,
    "poll-interval-seconds": String(0.02 * fast),
    "poll-max-interval-seconds": String(0.4 * fast),
  };
}
