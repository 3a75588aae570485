// Simulates a month of an organization of 120 repositories with 20 merges an hour, and a run of upkeep every hour.

import { HOUR, MINUTE } from "./days/organization.ts";
import { DaysSimulation } from "./days/simulation.ts";
import { tallyOf } from "./days/tally.ts";
import { median, type Row } from "./measure.ts";
import { generator } from "./simulate.ts";

const DAYS = 30;
/** What upkeep may make of requests to GitHub in a run. */
const BUDGET = 300;
const SEED = 2026;

export async function benchDays(): Promise<Row[]> {
  const begun = performance.now();
  const simulation = new DaysSimulation({
    repositories: 120,
    mergesAnHour: 20,
    hours: DAYS * 24,
    failing: 0.02,
    privateAt: 10 * 24 + 8,
    renamedAt: 15 * 24 + 12,
    refusedAt: 5,
    random: generator(SEED),
  });
  await simulation.simulate();
  const { runs, backlogs, organization } = simulation;
  const tally = tallyOf(simulation);
  for (const sentence of tally.wrong) console.log(sentence);
  const { agent } = organization.servers;
  const failed = runs.filter(({ errorKind }) => errorKind !== "").length;
  const first = Math.max(...backlogs.slice(0, 10));
  const last = Math.max(...backlogs.slice(-10));
  const requests = runs.map((run) => run.requests);
  const took = runs.map((run) => run.took / 1_000);
  const waits = tally.waits.map((wait) => wait / HOUR);
  const backlogRows = backlogs.flatMap((backlog, day): Row[] =>
    (day + 1) % 5 === 0 ? [[`backlog at the end of day ${day + 1}`, backlog, "changes"]] : [],
  );
  return [
    ["changes merged", organization.merged.length, "changes"],
    ...backlogRows,
    ["backlog of the last ten days, at most, to the first ten days'", last / first, "×", 1],
    ["requests to GitHub in a run, median", median(requests), "requests"],
    ["requests to GitHub in a run, at most", Math.max(...requests), "requests", BUDGET],
    ["time of a run, median", median(took), "s"],
    ["time of a run, at most", Math.max(...took), "s"],
    ["runs", runs.length, "runs"],
    ["runs that failed", failed, "runs"],
    ["jobs", agent.jobs.length, "jobs"],
    ["jobs and follow-ups", agent.accepted.length, "requests"],
    ["… for a change", agent.accepted.length / tally.handed, "requests"],
    ["changes handed over", tally.handed, "changes"],
    ["… again, because people merged before the agent was done", tally.again, "changes"],
    ["… lost, or several times without a reason", tally.wrong.length, "changes", 0],
    ["changes of the repository that became private, passed over", tally.passedOver, "changes"],
    ["changes that the service refused, left by people", tally.left, "changes"],
    ["wait from merge to hand-over, median", median(waits), "hours", 3],
    ["… at most", Math.max(...waits), "hours"],
    ["time of the simulation", (performance.now() - begun) / MINUTE, "minutes"],
  ];
}
