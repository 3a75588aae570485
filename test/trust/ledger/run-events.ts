/** Carries out the runs of a history. */

import { chance, type RunOptions, Turns } from "../../support/memory-world/runs.ts";
import type { Run } from "./events.ts";

const MINUTE = 60_000;

/** Runs that make their requests in turn. @param order which of those that wait goes next, over and over */
export async function runTogether<E>(
  { runs, order }: { runs: Run<E>[]; order: number[] },
  run: (run: Run<E>, turns: Turns) => Promise<void>,
): Promise<void> {
  let nth = 0;
  const turns = new Turns(runs.length, () => order[nth++ % order.length] ?? 0);
  await Promise.all(runs.map((it) => run(it, turns)));
}

/** How a run is disturbed, but for what happens meanwhile. @param random of the history */
export function optionsOf<E>(
  { kill, post, faults = [], skew }: Run<E>,
  random: () => number,
  turns?: Turns,
): RunOptions {
  return {
    random: chance(Math.floor(random() * 2 ** 31)),
    ...(kill === undefined ? {} : { kill }),
    ...(post === undefined ? {} : { post }),
    ...(turns === undefined ? {} : { turns }),
    ...(skew === undefined ? {} : { skew: skew * MINUTE }),
    faults: new Map(faults.map((it) => [it.at, it.fault])),
  };
}

/** Whether nothing happens to a run by itself. */
export function isPlain<E>({ kill, faults = [], meanwhile = [] }: Run<E>): boolean {
  return kill === undefined && faults.length + meanwhile.length === 0;
}
