import type { Change } from "../../../src/ledger/model/record.ts";
import type { ClaimMemory, Effect, Steps } from "../../../src/ledger/protocol/effects.ts";

/** A run, or its post step, in the midst of its work. */
export interface SimulatedRun {
  name: string;
  /** The key that it signs with. */
  key: number;
  steps: Steps<Change, unknown>;
  /** What it asks for next; null when it is at its end. */
  effect: Effect<Change> | null;
  /** What its post step will find. */
  memory: ClaimMemory<Change> | null;
  result: unknown;
}

export function startRun(name: string, key: number, steps: Steps<Change, unknown>): SimulatedRun {
  const run: SimulatedRun = { name, key, steps, effect: null, memory: null, result: null };
  proceed(run, undefined);
  return run;
}

/** Gives a run the answer to its effect. */
export function proceed(run: SimulatedRun, answer: unknown): void {
  const step = run.steps.next(answer);
  run.effect = step.done ? null : step.value;
  if (step.done) run.result = step.value;
}
