import { hour, land, rowsOf, run, testRows, upkeep } from "./ledgers.ts";

testRows(
  rowsOf(
    [
      "a run that does what was decided",
      "started",
      upkeep([
        land,
        { kind: "trouble", is: "service 500" },
        run,
        { kind: "relief" },
        hour,
        { kind: "tick", what: "again", box: 0 },
      ]),
    ],
    [
      "a run after a force-push",
      "continued",
      upkeep([land, land, run, hour, { kind: "rewrite", commits: 2 }, land]),
    ],
    ["a run without its ref", "idle", upkeep([land, run, { kind: "ref", is: "deleted", by: 1 }])],
    [
      "a run without its dashboard",
      "continued",
      upkeep([land, run, { kind: "dashboard", is: "deleted" }, hour, land]),
    ],
  ),
);
