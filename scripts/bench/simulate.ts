// What the polling schedule costs and gains, compared to polling at a fixed interval: arithmetic, no network.
import { delayBefore, type PollPace } from "../../src/job/schedule.ts";

/** Lengths of jobs, in seconds, that the table shows. */
const LENGTHS = [20, 60, 180, 600, 1800];
/** Simulated jobs for each length: it is spread evenly by a fifth to both sides. */
const JOBS = 2000;
export const DEFAULT_PACE: PollPace = { initial: 3_000, max: 15_000 };

interface Schedule {
  name: string;
  /** Milliseconds before poll n, from 1. */
  delay: (poll: number, random: number) => number;
}

const SCHEDULES: Schedule[] = [
  { name: "the action", delay: (poll, random) => delayBefore(poll, DEFAULT_PACE, random) },
  ...[5, 15, 30].map((seconds) => ({ name: `every ${seconds} s`, delay: () => seconds * 1000 })),
];

/** Mean number of polls, and mean delay between the job's end and the poll that finds it, in seconds. */
function simulate({ delay }: Schedule, length: number, random: () => number) {
  let polls = 0;
  let late = 0;
  let most = 0;
  for (let job = 0; job < JOBS; job++) {
    const end = length * 1000 * (0.8 + 0.4 * random());
    let time = 0;
    let poll = 0;
    while (time < end) time += delay(++poll, random());
    polls += poll;
    late += time - end;
    most = Math.max(most, poll);
  }
  return { polls: polls / JOBS, late: late / JOBS / 1000, most };
}

/** Numbers from 0 to 1, the same in every run (Park and Miller's generator). */
export function generator(): () => number {
  let state = 20_26;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** The table, in Markdown: polls, and seconds late. */
export function simulation(): string {
  const random = generator();
  const head = ["job of about", ...SCHEDULES.map(({ name }) => name)];
  const rows = LENGTHS.map((length) => [
    length < 60 ? `${length} s` : `${length / 60} min`,
    ...SCHEDULES.map((schedule) => {
      const { polls, late } = simulate(schedule, length, random);
      return `${polls.toFixed(1)} polls, ${late.toFixed(1)} s late`;
    }),
  ]);
  return table([head, head.map(() => "---"), ...rows]);
}

/** The largest number of polls that a job of exactly ten minutes took in the simulation. */
export function mostPollsInTenMinutes(): number {
  const random = generator();
  let most = 0;
  for (let job = 0; job < JOBS; job++) {
    let poll = 0;
    for (let time = 0; time < 600_000; ) time += delayBefore(++poll, DEFAULT_PACE, random());
    most = Math.max(most, poll);
  }
  return most;
}

/** Rows of cells as a Markdown table. */
export function table(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
