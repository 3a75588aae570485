// npm run cost: prints the example and the tables of docs/cost.md: what a month of upkeep costs, and the minutes that
// GitHub bills for a day of jobs, waiting against collecting; and what the README says of a month. Arithmetic, no network.
import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { CREDITS_PER_USE } from "../src/service/credits.ts";
import { mean, simulate, table } from "./bench/simulate.ts";

/** The service's prices, as publicly listed in August 2026. */
const PLAN_CREDITS = 10_000;
const DOLLARS_PER_CREDIT = 0.01;
/** Credits of an add-on, and its price in dollars, a month. */
const ADD_ONS = [
  { credits: 15_000, dollars: 145 },
  { credits: 40_000, dollars: 370 },
  { credits: 90_000, dollars: 800 },
];
/** GitHub's prices of a minute on a standard Linux runner with 2 cores, and on `ubuntu-slim`, since January 2026. */
const DOLLARS_PER_MINUTE = 0.006;
const DOLLARS_PER_SLIM_MINUTE = 0.002;

/** Merges are spread evenly at random over these hours. */
const WORKING_DAYS = 21;
const WORKING_HOURS = 8;
/** Hours of a month of average length: schedules also run at night. */
const HOURS = 730;
/** Its days. */
const LONGEST_MONTH = 31;
/** Upkeep's `max-jobs-per-day`. */
const MAX_JOBS_PER_DAY = 24;

/** Ten merges a week, in a month. */
const TEN_A_WEEK = Math.round((10 * 52) / 12);
const DAY = 24 * 60;
/** Merges a month, and changes for each job, that the tables show. */
const MERGES = [50, 500, 2000];
const SIZES = [1, 5, 20];
/** Merges a month of what many teams have. */
const TYPICAL_MERGES = 500;
/** Minutes between two runs that the tables show. */
const SCHEDULES = [60, 10];
const SCHEDULE_NAMES = new Map([
  [DAY, "once a day"],
  [60, "every hour"],
  [10, "every 10 minutes"],
]);

/** Jobs a month on a schedule: one for each run that finds something merged. @param every minutes between two runs */
export function jobsOnSchedule(merges: number, every: number): number {
  const runs = WORKING_DAYS * Math.max(1, (WORKING_HOURS * 60) / every);
  const runsWithChanges = runs * (1 - (1 - 1 / runs) ** merges);
  return Math.round(Math.min(runsWithChanges, WORKING_DAYS * MAX_JOBS_PER_DAY));
}

/** Minutes a month that GitHub bills for one workflow whose runs end within a minute. */
export const minutesOnSchedule = (every: number) => Math.round((HOURS * 60) / every);

/** Dollars for credits beyond those of the plan. */
export function dollarsBeyondPlan(credits: number): number {
  return Math.max(0, credits - PLAN_CREDITS) * DOLLARS_PER_CREDIT;
}

/** Dollars for credits beyond those of the plan, with the add-on that costs least, if one costs less than none. */
export function dollarsWithAddOn(credits: number): number {
  const all = ADD_ONS.map((addOn) => addOn.dollars + dollarsBeyondPlan(credits - addOn.credits));
  return Math.min(dollarsBeyondPlan(credits), ...all);
}

/** Both averages' results. */
function range(jobs: number, value: (credits: number) => number, unit = ""): string {
  const ends = CREDITS_PER_USE.map((credits) => `${unit}${number(value(jobs * credits))}`);
  return [...new Set(ends)].join(" to ");
}

const number = (value: number) => Math.round(value).toLocaleString("en-US");

const dollars = (minutes: number, price = DOLLARS_PER_MINUTE) => `$${(minutes * price).toFixed(2)}`;

const AGENT = ["credits", "beyond the plan", "with an add-on"];
const agentCells = (jobs: number) => [
  number(jobs),
  range(jobs, (credits) => credits),
  range(jobs, dollarsBeyondPlan, "$"),
  range(jobs, dollarsWithAddOn, "$"),
];

/** Jobs, credits and dollars of what many teams have: the example at the top of docs/cost.md. */
export function typicalMonth(): string {
  const [jobs, credits, beyond] = agentCells(jobsOnSchedule(TYPICAL_MERGES, 60));
  const minutes = minutesOnSchedule(60);
  return `For example, ${TYPICAL_MERGES} merges a month, handed over by [upkeep](upkeep.md) every hour, make about ${jobs} jobs. They take ${credits} credits: ${beyond} beyond the ${number(PLAN_CREDITS)} credits of a Pro plan. The ${number(minutes)} runner minutes cost at most ${dollars(minutes)} in a private repository, and nothing in a public one. For 50 merges a month, the plan's credits are enough.`;
}

/** What limits the quick start's workflow. */
interface Limits {
  /** Jobs and follow-ups that upkeep starts in 24 hours. */
  jobsPerDay: number;
  /** Follow-ups that land sends for each docs pull request. */
  followUps: number;
}

/** The defaults of the workflow that the quick start calls. It leaves land's follow-ups to land. */
export function quickStartLimits(): Limits {
  const read = (file: string) =>
    parse(readFileSync(path.join(import.meta.dirname, "..", file), "utf8"));
  const { inputs } = read(".github/workflows/team.yml").on.workflow_call;
  return {
    jobsPerDay: Number(inputs["max-jobs-per-day"].default),
    followUps: Number(read("land/action.yml").inputs["max-follow-ups"].default),
  };
}

/** Uses of the agent in the longest month: each job opens at most one docs pull request. */
export function mostUses({ jobsPerDay, followUps }: Limits): number {
  return LONGEST_MONTH * jobsPerDay * (1 + followUps);
}

/** The most that the quick start's workflow costs in a month, requests by comment aside: for the README. */
export function monthAtMost(limits: Limits): string {
  const uses = mostUses(limits);
  const credits = Math.max(...CREDITS_PER_USE);
  const runs = LONGEST_MONTH * 24;
  const price = dollarsBeyondPlan(uses * credits);
  return [
    `**With these defaults, a month costs at most $${number(price)} beyond a Pro plan**, requests by comment aside, and nothing until you allow *overages* on the [Usage page](https://app.mintlify.com/settings/organization/usage).`,
    `That is ${limits.jobsPerDay} jobs on each of ${LONGEST_MONTH} days, and ${limits.followUps} follow-ups for the pull request of each: ${number(uses)} uses of the agent.`,
    `Each is counted with ${credits} credits, the higher of the list's averages, at $${DOLLARS_PER_CREDIT}; the plan has ${number(PLAN_CREDITS)}.`,
    `In a private repository, GitHub's minutes for ${runs} hourly runs add ${dollars(runs)}.`,
    "These are the [prices](https://www.mintlify.com/docs/credits) of August 2026. [Cost](docs/cost.md) has usual months: 50 merges take no more than the plan's credits.",
  ].join(" ");
}

/** A month by schedule, in Markdown. */
export function monthTable(): string {
  const head = ["merges", "schedule", "jobs", ...AGENT];
  const months = MERGES.flatMap((merges) => SCHEDULES.map((every) => ({ merges, every })));
  const rows = [{ merges: TEN_A_WEEK, every: DAY }, ...months].map(({ merges, every }) => [
    number(merges),
    SCHEDULE_NAMES.get(every) ?? "",
    ...agentCells(jobsOnSchedule(merges, every)),
  ]);
  return table([head, head.map((name) => (name === "schedule" ? "---" : "---:")), ...rows]);
}

/** GitHub's part of a month in a private repository, by schedule, in Markdown. */
export function runnerTable(): string {
  const head = ["schedule", "runner minutes", "standard runner", "`ubuntu-slim`"];
  const rows = [DAY, ...SCHEDULES].map((every) => {
    const minutes = minutesOnSchedule(every);
    return [
      SCHEDULE_NAMES.get(every) ?? "",
      number(minutes),
      dollars(minutes),
      dollars(minutes, DOLLARS_PER_SLIM_MINUTE),
    ];
  });
  return table([head, head.map((name) => (name === "schedule" ? "---" : "---:")), ...rows]);
}

/** A month of the typical merges by the size of batches, in Markdown. */
export function sizeTable(): string {
  const head = ["changes for each job", "jobs", ...AGENT];
  const rows = SIZES.map((size) => [String(size), ...agentCells(Math.ceil(TYPICAL_MERGES / size))]);
  return table([head, head.map(() => "---:"), ...rows]);
}

/** The service's add-ons, and from how many credits beyond the plan they cost less than these, in Markdown. */
export function addOnTable(): string {
  const head = ["credits more, a month", "price", "for each credit", "cheaper from"];
  const rows = ADD_ONS.map(({ credits, dollars: price }) => [
    number(credits),
    `$${number(price)}`,
    `$${(price / credits).toFixed(4)}`,
    `${number(price / DOLLARS_PER_CREDIT)} credits beyond the plan`,
  ]);
  return table([head, head.map(() => "---:"), ...rows]);
}

/**
 * How long the action's own processes take, in seconds, as measured for docs/cost.md: a run that does not wait, a sweep
 * with nothing to do, and what each comment adds that is to be finished. Far longer ones are billed the same minutes.
 */
const TIMES = { start: 0.17, sweep: 0.16, finish: 0.01 };
/** What a runner needs for a job besides the action, in seconds: an assumption, and a generous one. */
const SETUP = 15;
/** Jobs a day, and how long the agent works on one, in minutes, that the table shows. */
const JOBS_PER_DAY = [5, 50, 500];
const LENGTHS = [3, 10, 30];
/** Delays between two sweeps that the table shows, in minutes. */
const SWEEPS = [10, 60];

/** GitHub rounds the time of each job up to whole minutes. */
const billed = (seconds: number) => Math.ceil((SETUP + seconds) / 60);

/** Minutes a day for runs that wait for their jobs. @param length minutes that the agent works on a job */
export function waiting(jobs: number, length: number): number {
  const minutes = simulate(length * 60_000).map(({ endSeenAt }) =>
    billed(TIMES.start + endSeenAt / 1000),
  );
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
  const rows = JOBS_PER_DAY.map((jobs) =>
    [
      jobs,
      ...LENGTHS.map((length) => waiting(jobs, length)),
      ...SWEEPS.map((every) => collecting(jobs, every)),
    ].map(number),
  );
  return table([head, head.map(() => "---:"), ...rows]);
}

if (import.meta.main) {
  const tables = [monthTable(), runnerTable(), sizeTable(), addOnTable(), costTable()];
  const texts = [monthAtMost(quickStartLimits()), typicalMonth(), ...tables, ""];
  console.log(texts.join("\n\n"));
}
