// Simulates polls of jobs by the default schedule: arithmetic, no network.
import { delayBefore } from "../../src/job/poll.ts";

const PACE = { initial: 3_000, max: 15_000 };
/** Simulated jobs for each length. */
const JOBS = 2000;

export interface SimulatedJob {
  polls: number;
  /** When the last poll returns its end, in milliseconds after its start. */
  endSeenAt: number;
}

/**
 * Jobs of about a length, the same in every run.
 *
 * @param length in milliseconds
 * @param spread how much the lengths vary, evenly around this one
 */
export function simulate(length: number, spread = 0.4): SimulatedJob[] {
  const random = generator(20_26);
  return Array.from({ length: JOBS }, () => {
    const end = length * (1 - spread / 2 + spread * random());
    let endSeenAt = 0;
    let polls = 0;
    while (endSeenAt < end) {
      polls += 1;
      endSeenAt += delayBefore(polls, PACE, random());
    }
    return { polls, endSeenAt };
  });
}

/** Numbers from 0 to 1 (Park and Miller's generator). @param seed from 1 */
export function generator(seed: number): () => number {
  let state = seed;
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
