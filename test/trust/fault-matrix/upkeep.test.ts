import { BADLY, hour, land, rowsOf, run, testRows, upkeep } from "./ledgers.ts";

testRows(
  rowsOf(
    ["the first run of upkeep", "started", upkeep([land, land])],
    ["a run that goes on with a job", "continued", upkeep([land, run, hour, land])],
    ["a run that reads two repositories", "started", upkeep([land], { sources: 2 })],
    ["a run that hands over what failed", "started", upkeep([land, run, hour], { plans: BADLY })],
  ),
);
