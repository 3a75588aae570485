/** What happens in a history of a ledger, as data that fast-check draws, shrinks and prints. */

import fc from "fast-check";
import type { Plan } from "../../../emulator/local-world/memory-servers.ts";
import { FAULTS, type Fault } from "../../support/memory-world/faulty-servers.ts";
import {
  DASHBOARD,
  STRANGER,
  TROUBLES,
  type WorldEvent,
} from "../../support/memory-world/ledger-world.ts";

/** A run, and how it is disturbed; its requests are counted from 0. `E`: what happens beside it. */
export interface Run<E> {
  kill?: { at: number; when: "before" | "after" };
  /** Whether the post step follows. Default: after every run but one that is killed. */
  post?: boolean;
  faults?: { at: number; fault: Fault }[];
  /** What happens right before a request of it. */
  meanwhile?: { at: number; event: E | WorldEvent }[];
  /** How far the runner's clock is from GitHub's, in minutes. */
  skew?: number;
  /** Triggered by an edit of the dashboard. */
  isByEdit?: true;
  inputs?: { wait?: "true"; "dry-run"?: "true" };
  /** `max-changes`, `max-running` */
  max?: number;
}

/** `E`: what happens to what is handed over. */
export type Event<E> =
  | E
  | WorldEvent
  | { kind: "run"; run: Run<E> }
  | { kind: "runs"; runs: Run<E>[]; order: number[] };

const MINUTE = 60_000;

/** What comes of each request that the service accepts, over and over. */
export const plans: fc.Arbitrary<Plan[]> = fc.array(
  fc.record({
    outcome: fc.constantFrom<Plan["outcome"][]>(
      ...(["completed", "completed", "no-changes", "failed", "unknown", "archived"] as const),
    ),
    // The last: longer than any job may take.
    takes: fc.constantFrom(0, 0, MINUTE / 3, 30 * MINUTE, 60 * 24 * 60 * MINUTE),
  }),
  { minLength: 1, maxLength: 6 },
);

const fault = fc.constantFrom(...FAULTS);

export const is = <const K extends string, const V extends readonly string[]>(kind: K, ...all: V) =>
  fc.record({ kind: fc.constant(kind), is: fc.constantFrom<V[number][]>(...all) });

const world: fc.Arbitrary<WorldEvent> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("pass" as const),
      minutes: fc.constantFrom(1, 6, 12, 60, 60 * 25, 60 * 24 * 31),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("tick" as const),
      what: fc.constantFrom("again" as const, "again" as const, "leave" as const),
      box: fc.nat({ max: 3 }),
    }),
  },
  { weight: 3, arbitrary: is("dashboard", ...DASHBOARD) },
  fc.record({
    kind: fc.constant("ref" as const),
    is: fc.constantFrom("deleted" as const, "deleted and forgotten" as const, "set back" as const),
    by: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({ kind: fc.constant("stranger" as const), does: fc.constantFrom(...STRANGER) }),
  is("trouble", ...TROUBLES),
  fc.record({ kind: fc.constantFrom("relief" as const, "new key" as const, "rename" as const) }),
);

/** At which request of a run something happens. */
const at = fc.integer({ min: 0, max: 24 });

function runOf<E>(own: fc.Arbitrary<E>): fc.Arbitrary<Run<E>> {
  const kill = fc.record({ at, when: fc.constantFrom("before" as const, "after" as const) });
  const faults = fc.array(fc.record({ at, fault }), { minLength: 1, maxLength: 4 });
  const event = fc.oneof(own, world);
  const meanwhile = fc.array(fc.record({ at, event }), { minLength: 1, maxLength: 2 });
  const post = fc.boolean();
  const one = <T>(arbitrary: fc.Arbitrary<T>) => ({ weight: 1, arbitrary });
  const disturbance = fc.oneof<fc.MaybeWeightedArbitrary<Run<E>>[]>(
    { weight: 6, arbitrary: fc.constant({}) },
    { weight: 3, arbitrary: fc.record({ kill, post }) },
    { weight: 3, arbitrary: fc.record({ faults }) },
    { weight: 2, arbitrary: fc.record({ meanwhile }) },
    one(fc.record({ faults, post })),
    one(fc.record({ kill, post, faults, meanwhile })),
  );
  const options = fc.oneof<fc.MaybeWeightedArbitrary<Run<E>>[]>(
    { weight: 9, arbitrary: fc.constant({}) },
    { weight: 4, arbitrary: fc.record({ max: fc.integer({ min: 1, max: 4 }) }) },
    one(fc.record({ skew: fc.constantFrom(-600, -9, 9, 600) })),
    one(fc.constant({ isByEdit: true as const })),
    one(fc.constant({ inputs: { wait: "true" as const } })),
    one(fc.constant({ inputs: { "dry-run": "true" as const } })),
  );
  return fc.tuple(disturbance, options).map(([one, other]) => ({ ...one, ...other }));
}

/** One after the other. @param own what happens to what is handed over */
export function eventsWith<E>(own: fc.Arbitrary<E>): fc.Arbitrary<Event<E>[]> {
  const run = runOf(own);
  const event = fc.oneof<fc.MaybeWeightedArbitrary<Event<E>>[]>(
    { weight: 6, arbitrary: own },
    { weight: 4, arbitrary: world },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("run" as const), run }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("runs" as const),
        runs: fc.array(run, { minLength: 2, maxLength: 3 }),
        order: fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 30 }),
      }),
    },
  );
  return fc.array(event, { maxLength: 40, size: "max" });
}
