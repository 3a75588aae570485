import { expect, test } from "vitest";
import { isExhaustive, shuffled } from "../sample.ts";
import { CANCELLABLE_RUNS, type CancellableRun } from "./cancellable-runs.ts";
import type { Moment } from "./request-watcher.ts";
import { nameOfStop, runStop, type Stop, stepsOf } from "./stop.ts";

const MOMENTS: readonly Moment[] = ["answered after", "never answered", "just answered"];
const SIGNALS = ["SIGINT", "SIGTERM", "SIGKILL"] as const;
const WAYS = MOMENTS.flatMap((moment) => SIGNALS.map((signal) => ({ moment, signal })));

/** Every request of a run with each signal at each moment; in a sample, every request once. */
async function stopsToRun(run: CancellableRun): Promise<Stop[]> {
  const steps = await stepsOf(run);
  const ways = shuffled(WAYS, ({ moment, signal }) => `${run.name} ${signal} ${moment}`);
  return steps.flatMap((step, nth) => {
    const chosen = isExhaustive ? WAYS : ways.slice(nth % ways.length, (nth % ways.length) + 1);
    return chosen.map((way) => ({ run, step, ...way }));
  });
}

const stops = (await Promise.all(CANCELLABLE_RUNS.map(stopsToRun))).flat();

// Most of a stopped run is waiting, so they run side by side: `maxConcurrency` in vitest.config.ts.
for (const stop of stops) {
  test.concurrent(nameOfStop(stop), async () => {
    expect(await runStop(stop)).toEqual([]);
  });
}
