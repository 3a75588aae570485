import { expect, test } from "vitest";
import { sampleOf } from "../../support/sample.ts";
import { CANCELLABLE_RUNS, type CancellableRun } from "./cancellable-runs.ts";
import type { Moment } from "./request-watcher.ts";
import { nameOfStop, runStop, type Stop, stepsOf } from "./stop.ts";

const MOMENTS: readonly Moment[] = ["answered after", "never answered", "just answered"];
/** What is dead notices no answer that comes later. */
const MOMENTS_OF_DEATH: readonly Moment[] = ["never answered", "just answered"];

/** What asks a run to end. Both mean the same: at each request and moment, another one is sent. */
const REQUESTS_TO_END = ["SIGINT", "SIGTERM"] as const;

/** Number of stops of each run in a sample. */
const SAMPLED_PER_RUN = 1;

/** Every request of a run, asked to end and killed at each moment, or a sample of these. */
async function stopsToRun(run: CancellableRun): Promise<Stop[]> {
  const steps = await stepsOf(run);
  const stops = steps.flatMap((step, at) => waysAt(at).map((way) => ({ run, step, ...way })));
  return sampleOf(stops, SAMPLED_PER_RUN, run.name);
}

function waysAt(at: number): Pick<Stop, "moment" | "signal">[] {
  const asked = MOMENTS.map((moment, nth) => {
    const signal = REQUESTS_TO_END[(at + nth) % REQUESTS_TO_END.length] ?? "SIGINT";
    return { moment, signal };
  });
  const killed = MOMENTS_OF_DEATH.map((moment) => ({ moment, signal: "SIGKILL" as const }));
  return [...asked, ...killed];
}

const stops = (await Promise.all(CANCELLABLE_RUNS.map(stopsToRun))).flat();

// Stopped runs mostly wait, so they run concurrently (`maxConcurrency` in vitest.config.ts).
for (const stop of stops) {
  test.concurrent(nameOfStop(stop), async () => {
    expect(await runStop(stop)).toEqual([]);
  });
}
