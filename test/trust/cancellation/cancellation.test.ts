import { expect, test } from "vitest";
import { sampleOf } from "../../support/sample.ts";
import { CANCELLABLE_RUNS, type CancellableRun } from "./cancellable-runs.ts";
import type { Moment } from "./request-watcher.ts";
import { nameOfStop, runStop, type Stop, stepsOf } from "./stop.ts";

const MOMENTS: readonly Moment[] = ["answered after", "never answered", "just answered"];
const SIGNALS = ["SIGINT", "SIGTERM", "SIGKILL"] as const;
const WAYS = MOMENTS.flatMap((moment) => SIGNALS.map((signal) => ({ moment, signal })));

/** Number of stops of each run in a sample. */
const SAMPLED_PER_RUN = 1;

/** Every request of a run with each signal at each moment, or a sample of these. */
async function stopsToRun(run: CancellableRun): Promise<Stop[]> {
  const steps = await stepsOf(run);
  const stops = steps.flatMap((step) => WAYS.map((way) => ({ run, step, ...way })));
  return sampleOf(stops, SAMPLED_PER_RUN, run.name);
}

const stops = (await Promise.all(CANCELLABLE_RUNS.map(stopsToRun))).flat();

// Stopped runs mostly wait, so they run concurrently (`maxConcurrency` in vitest.config.ts).
for (const stop of stops) {
  test.concurrent(nameOfStop(stop), async () => {
    expect(await runStop(stop)).toEqual([]);
  });
}
