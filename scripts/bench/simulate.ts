// How jobs are polled by the default schedule: arithmetic, no network.
import { delayBefore } from "../../src/job/poll.ts";

const PACE = { initial: 3_000, max: 15_000 };
/** Simulated jobs for each length. */
const JOBS = 2000;

/**
 * Jobs of about a length, in milliseconds: how often each is polled, and when the last poll finds its end. The same in
 * every run.
 *
 * @param spread how much the lengths vary, evenly around the given one
 */
export function simulate(length: number, spread = 0.4): { polls: number; found: number }[] {
  const random = generator();
  return Array.from({ length: JOBS }, () => {
    const end = length * (1 - spread / 2 + spread * random());
    let [found, polls] = [0, 0];
    while (found < end) found += delayBefore(++polls, PACE, random());
    return { polls, found };
  });
}

/** Numbers from 0 to 1 (Park and Miller's generator). */
function generator(): () => number {
  let state = 20_26;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Rows of cells as a Markdown table. */
export function table(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
