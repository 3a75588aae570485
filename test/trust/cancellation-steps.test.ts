import { expect, test } from "vitest";
import { JOURNEYS } from "./journey.ts";
import { pool } from "./pool.ts";
import type { Moment } from "./stepper.ts";
import { type Stop, stepsOf, stop } from "./stops.ts";

/** Most of a stopped run is waiting: more at a time than cores. */
const AT_A_TIME = 6;
const LIMIT = 200_000;
const MOMENTS: readonly Moment[] = ["answered after", "never answered", "just answered"];
const SIGNALS = ["SIGINT", "SIGTERM", "SIGKILL"] as const;

const inTurn = pool(AT_A_TIME);

test.each(JOURNEYS)(
  "$name, stopped at every request: gone in time, and all is told",
  {
    timeout: LIMIT,
  },
  async (journey) => {
    const steps = await stepsOf(journey);
    const stops = steps.flatMap((step) =>
      MOMENTS.flatMap((moment) =>
        SIGNALS.map((signal): Stop => ({ journey, step, moment, signal })),
      ),
    );
    const wrong = await Promise.all(stops.map((it) => inTurn(() => stop(it))));
    console.log(
      `${journey.name}: stopped ${stops.length} times, at ${steps.length} requests:\n  ${steps.join("\n  ")}`,
    );
    expect(wrong.flat()).toEqual([]);
  },
);
