/** What happens in a history of a ledger, as data that fast-check draws, shrinks and prints. */

import fc from "fast-check";
import { READ_KINDS } from "../../../emulator/github/lag.ts";
import type { Plan } from "../../../emulator/local-world/memory-servers.ts";
import { FAULTS, type Fault } from "../../support/memory-world/faulty-servers.ts";
import { DASHBOARD, STRANGER, type WorldEvent } from "../../support/memory-world/ledger-world.ts";
import { HABITS, type ServerEvent, TROUBLES } from "../../support/memory-world/world.ts";

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
    // A job may be unknown for a while, and its link may come late.
    steering: fc.constantFrom<NonNullable<Plan["steering"]>[]>(
      {},
      {},
      { missingMs: 45 * MINUTE },
      { linkMs: MINUTE / 2 },
    ),
  }),
  { minLength: 1, maxLength: 6 },
);

const fault = fc.constantFrom(...FAULTS);

/** One of some words. */
export const one = <const V extends readonly string[]>(...words: V) =>
  fc.constantFrom<V[number][]>(...words);

export const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

const minutes = fc.constantFrom(1, 6, 12, 60, 60 * 25, 60 * 24 * 31);
const by = fc.integer({ min: 1, max: 4 });
const box = fc.nat({ max: 3 });

const world: fc.Arbitrary<WorldEvent> = fc.oneof(
  often(8, fc.record({ kind: one("pass"), minutes })),
  often(3, fc.record({ kind: one("tick"), what: one("again", "again", "leave", "go-on"), box })),
  often(3, fc.record({ kind: one("dashboard"), is: one(...DASHBOARD) })),
  fc.record({ kind: one("ref"), is: one("deleted", "deleted and forgotten", "set back"), by }),
  fc.record({ kind: one("stranger"), does: one(...STRANGER) }),
  fc.record({ kind: one("trouble"), is: one(...TROUBLES) }),
  fc.record({ kind: one("relief", "new key", "rename", "transfer") }),
);

const habit: fc.Arbitrary<ServerEvent> = fc.oneof(
  fc.record({
    kind: one("lag"),
    of: one(...READ_KINDS),
    seconds: fc.constantFrom(1, 5, 30, 120),
  }),
  fc.record({ kind: one("habit"), is: one(...HABITS) }),
);

/** At which request of a run something happens. */
const at = fc.integer({ min: 0, max: 24 });

function runOf<E>(own: fc.Arbitrary<E>): fc.Arbitrary<Run<E>> {
  const kill = fc.record({ at, when: one("before", "after") });
  const faults = fc.array(fc.record({ at, fault }), { minLength: 1, maxLength: 4 });
  const event = fc.oneof(own, world);
  const meanwhile = fc.array(fc.record({ at, event }), { minLength: 1, maxLength: 2 });
  const post = fc.boolean();
  const disturbance = fc.oneof<fc.MaybeWeightedArbitrary<Run<E>>[]>(
    often(6, fc.constant({})),
    often(3, fc.record({ kill, post })),
    often(3, fc.record({ faults })),
    often(2, fc.record({ meanwhile })),
    often(1, fc.record({ faults, post })),
    often(1, fc.record({ kill, post, faults, meanwhile })),
  );
  const options = fc.oneof<fc.MaybeWeightedArbitrary<Run<E>>[]>(
    often(9, fc.constant({})),
    often(4, fc.record({ max: by })),
    often(1, fc.record({ skew: fc.constantFrom(-600, -9, 9, 600) })),
    often(1, fc.constant({ isByEdit: true as const })),
    often(1, fc.constant({ inputs: { wait: "true" as const } })),
    often(1, fc.constant({ inputs: { "dry-run": "true" as const } })),
  );
  return fc.tuple(disturbance, options).map(([how, more]) => ({ ...how, ...more }));
}

/** One after the other. @param own what happens to what is handed over */
export function eventsWith<E>(own: fc.Arbitrary<E>): fc.Arbitrary<Event<E>[]> {
  const run = runOf(own);
  const runs = fc.array(run, { minLength: 2, maxLength: 3 });
  const order = fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 30 });
  const event = fc.oneof<fc.MaybeWeightedArbitrary<Event<E>>[]>(
    often(6, own),
    often(4, world),
    often(2, habit),
    often(6, fc.record({ kind: one("run"), run })),
    often(1, fc.record({ kind: one("runs"), runs, order })),
  );
  return fc.array(event, { maxLength: 40, size: "max" });
}
