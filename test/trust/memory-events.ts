import fc from "fast-check";
import type { Fault } from "../support/memory-world/faulty-servers.ts";

/** What goes wrong with a request of a run in memory. */
export const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({
    kind: fc.constantFrom("error" as const, "error after" as const),
    status: fc.constantFrom(500 as const, 502 as const, 503 as const),
  }),
  fc.record({
    kind: fc.constant("refused" as const),
    status: fc.constantFrom(401 as const, 403 as const, 404 as const, 422 as const, 429 as const),
  }),
  fc.record({
    kind: fc.constantFrom(
      "no connection" as const,
      "lost" as const,
      "lost after" as const,
      "done late" as const,
    ),
  }),
  fc.record({ kind: fc.constant("behind" as const), by: fc.constantFrom(200, 1_000, 4_000) }),
);

/** At which request of a run something happens. */
export const at = fc.integer({ min: 0, max: 24 });

export const kill = fc.option(
  fc.record({ at, when: fc.constantFrom("before" as const, "after" as const) }),
);

export const faults: fc.Arbitrary<{ at: number; fault: Fault }[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<{ at: number; fault: Fault }[]>([]) },
  { weight: 2, arbitrary: fc.array(fc.record({ at, fault }), { minLength: 1, maxLength: 4 }) },
);

/** What comes of each request that the service accepts, over and over. */
export const plans = fc.array(
  fc.record({
    outcome: fc.constantFrom(
      "completed" as const,
      "completed" as const,
      "no-changes" as const,
      "failed" as const,
      "unknown" as const,
      "archived" as const,
    ),
    takes: fc.constantFrom(0, 20_000, 30 * 60_000),
  }),
  { minLength: 1, maxLength: 6 },
);

export const plain = <const K extends string>(kind: K) => fc.record({ kind: fc.constant(kind) });

/** One run, mostly; or several at once. */
export const runsOf = <R>(run: fc.Arbitrary<R>) =>
  [
    { weight: 10, arbitrary: fc.record({ kind: fc.constant("run" as const), run }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("runs" as const),
        runs: fc.array(run, { minLength: 2, maxLength: 5 }),
        order: fc.array(fc.nat({ max: 59 }), { minLength: 1, maxLength: 40 }),
      }),
    },
  ] as const;
