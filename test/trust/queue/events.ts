import fc from "fast-check";
import type { LedgerEvent, LedgerRunEvent, LedgerSetting } from "../ledger-history.ts";
import { faults, kill, plain, plans, runsOf } from "../memory-events.ts";

/** A run, and how it is disturbed. */
export interface RunEvent extends LedgerRunEvent {
  /** `max-running` */
  max: number;
  isDry: boolean;
}

/** What happens to a file of tasks. */
export type FileEvent =
  | { kind: "add"; count: number; at: number; plain: boolean }
  | { kind: "take out" | "put back" | "edit" | "move"; at: number };

/** What happens to a file of tasks, its dashboard and its runs, one after the other. */
export type Event = LedgerEvent<RunEvent> | FileEvent;

/** What is the same for a whole history. */
export interface Setting extends LedgerSetting {
  perHour: number;
}

const run: fc.Arbitrary<RunEvent> = fc.record({
  max: fc.integer({ min: 1, max: 5 }),
  kill,
  post: fc.boolean(),
  isDry: fc.integer({ min: 0, max: 9 }).map((it) => it === 9),
  faults,
});

const somewhere = <const K extends string>(kind: K) =>
  fc.record({ kind: fc.constant(kind), at: fc.nat({ max: 20 }) });

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("add" as const),
      count: fc.integer({ min: 1, max: 4 }),
      at: fc.nat({ max: 20 }),
      plain: fc.boolean(),
    }),
  },
  somewhere("take out"),
  somewhere("put back"),
  somewhere("edit"),
  somewhere("move"),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("pass" as const),
      minutes: fc.constantFrom(1, 6, 12, 60, 60 * 25),
    }),
  },
  fc.record({ kind: fc.constant("tick" as const), box: fc.nat({ max: 3 }) }),
  plain("rotate the key"),
  plain("close dashboard"),
  plain("empty body"),
  plain("say something"),
  plain("quote a marker"),
  ...runsOf(run),
);

export const events = fc.array(event, { maxLength: 40, size: "max" });

export const setting: fc.Arbitrary<Setting> = fc.record({
  perHour: fc.constantFrom(2, 5, 50),
  plans,
  seed: fc.nat(),
});
