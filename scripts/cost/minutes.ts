// Minutes that GitHub bills for a day of jobs: arithmetic, no network.
import { mean, simulate, table } from "../bench/simulate.ts";

/** How long the action's own processes take, in seconds. */
export interface RunTimes {
  /** A run that starts a job and does not wait. */
  start: number;
  /** A sweep with nothing to do. */
  sweep: number;
  /** What each comment that is to be finished adds to a sweep. */
  finish: number;
}

/** As measured for docs/cost.md: far longer ones are billed the same minutes. */
const TIMES: RunTimes = { start: 0.17, sweep: 0.16, finish: 0.01 };
/** What a runner needs for a job besides the action, in seconds: an assumption, and a generous one. */
const SETUP = 15;
/** Jobs a day, and how long the agent works on one, in minutes, that the table shows. */
const JOBS = [5, 50, 500];
const LENGTHS = [3, 10, 30];
/** Delays between two sweeps that the table shows, in minutes. */
const SWEEPS = [10, 60];
const DAY = 24 * 60;

/** GitHub rounds the time of each job up to whole minutes. */
function billed(seconds: number): number {
  return Math.ceil((SETUP + seconds) / 60);
}

/** Minutes a day for runs that wait for their jobs. @param length minutes that the agent works on a job */
export function waiting(jobs: number, length: number): number {
  const minutes = simulate(length * 60_000).map(({ found }) => billed(TIMES.start + found / 1000));
  return jobs * mean(minutes);
}

/** Minutes a day for runs that do not wait, and sweeps. @param every minutes between two sweeps */
export function collecting(jobs: number, every: number, times = TIMES): number {
  const sweeps = DAY / every;
  const sweep = times.sweep + (jobs / sweeps) * times.finish;
  return jobs * billed(times.start) + sweeps * billed(sweep);
}

/** The table of docs/cost.md, in Markdown. */
export function costTable(): string {
  const head = [
    "jobs per day",
    ...LENGTHS.map((length) => `waiting, ${length} min each`),
    ...SWEEPS.map((every) => `collecting every ${every} min`),
  ];
  const rows = JOBS.map((jobs) =>
    [
      jobs,
      ...LENGTHS.map((length) => waiting(jobs, length)),
      ...SWEEPS.map((every) => collecting(jobs, every)),
    ].map((value) => Math.round(value).toLocaleString("en-US")),
  );
  return table([head, head.map(() => "---:"), ...rows]);
}
