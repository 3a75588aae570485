// What the polling schedule costs and gains, compared to polling at a fixed interval: arithmetic, no network.
import { delayBefore } from "../../src/job/poll.ts";

/** Milliseconds before poll n, from 1. */
type Delay = (poll: number, random: number) => number;

/** Lengths of jobs, in seconds, that the table shows. */
const LENGTHS = [20, 60, 180, 600, 1800];
/** Simulated jobs for each length. */
const JOBS = 2000;

const defaultDelay: Delay = (poll, random) =>
  delayBefore(poll, { initial: 3_000, max: 15_000 }, random);
const SCHEDULES: Record<string, Delay> = {
  "the action": defaultDelay,
  ...Object.fromEntries([5, 15, 30].map((it) => [`every ${it} s`, () => it * 1000])),
};

/**
 * Jobs of about a length, in milliseconds: how often each is polled, and when the last poll finds its end.
 *
 * @param spread how much the lengths vary, evenly around the given one
 */
export function simulate(
  length: number,
  random = generator(),
  { delay = defaultDelay, spread = 0.4 } = {},
): { polls: number; found: number; end: number }[] {
  return Array.from({ length: JOBS }, () => {
    const end = length * (1 - spread / 2 + spread * random());
    let [found, polls] = [0, 0];
    while (found < end) found += delay(++polls, random());
    return { polls, found, end };
  });
}

/** Numbers from 0 to 1, the same in every run (Park and Miller's generator). */
export function generator(): () => number {
  let state = 20_26;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** The table, in Markdown: mean number of polls, and mean delay until the end is found. */
export function simulation(): string {
  const random = generator();
  const head = ["job of about", ...Object.keys(SCHEDULES)];
  const rows = LENGTHS.map((length) => [
    length < 60 ? `${length} s` : `${length / 60} min`,
    ...Object.values(SCHEDULES).map((delay) => {
      const jobs = simulate(length * 1000, random, { delay });
      const polls = mean(jobs.map((job) => job.polls));
      const late = mean(jobs.map(({ found, end }) => found - end)) / 1000;
      return `${polls.toFixed(1)} polls, ${late.toFixed(1)} s late`;
    }),
  ]);
  return table([head, head.map(() => "---"), ...rows]);
}

/** The largest number of polls that a job of exactly ten minutes took in the simulation. */
export function mostPollsInTenMinutes(): number {
  const jobs = simulate(600_000, generator(), { spread: 0 });
  return Math.max(...jobs.map(({ polls }) => polls));
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Rows of cells as a Markdown table. */
export function table(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
