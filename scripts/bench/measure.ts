import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Runs that warm up the machine's caches and do not count. */
const WARM_UP = 3;

/** One program, as it is started. */
export interface Side {
  name: string;
  file: string;
  args: string[];
  env: Record<string, string>;
}

/** What one process took. */
interface Sample {
  /** From start to exit, in milliseconds. */
  wall: number;
  /** From start until its first request arrived, in milliseconds. */
  first: number;
}

/** Medians over all runs of one side. */
export interface Result extends Sample {
  /** Peak memory, in MiB. */
  memory: number;
}

export interface Bench {
  runs: number;
  /** A folder for the bench's own files. */
  work: string;
  /** When the newest process's first request arrived, by the clock of `process.hrtime`. */
  firstRequest: { at: bigint | undefined };
}

/** Runs all sides in turn, again and again, so that other load on the machine affects all of them alike. */
export async function alternate(sides: readonly Side[], bench: Bench): Promise<Result[]> {
  const samples = sides.map((): Sample[] => []);
  const peaks = sides.map((): number[] => []);
  for (let run = 0; run < bench.runs + WARM_UP; run++) {
    for (const [index, side] of sides.entries()) {
      const sample = await time(side, bench);
      const peak = await weigh(side, bench);
      if (run < WARM_UP) continue;
      samples[index]?.push(sample);
      peaks[index]?.push(peak);
    }
  }
  return sides.map((_, index) => ({
    wall: median(samples[index]?.map(({ wall }) => wall) ?? []),
    first: median(samples[index]?.map(({ first }) => first) ?? []),
    memory: median(peaks[index] ?? []),
  }));
}

/** How long one process takes. */
export async function time(side: Side, bench: Bench): Promise<Sample> {
  bench.firstRequest.at = undefined;
  const begun = process.hrtime.bigint();
  await start(side, [], {});
  const wall = milliseconds(process.hrtime.bigint() - begun);
  const first = milliseconds((bench.firstRequest.at ?? begun) - begun);
  return { wall, first };
}

/** Peak memory of one process, in MiB; measured apart, so that it costs the timing nothing. */
export async function weigh(side: Side, { work }: Pick<Bench, "work">): Promise<number> {
  const file = join(work, "peak");
  const preload = resolve(import.meta.dirname, "peak.cjs");
  await start(side, ["--require", preload], { PEAK_FILE: file });
  return Number(readFileSync(file, "utf8")) / 1024;
}

/** What the runs of one side took. */
export interface CpuResult {
  name: string;
  /** From start to exit, in milliseconds: the median. */
  wall: number;
  /** CPU time of the whole process, in milliseconds: the least, which other work on the machine changes least. */
  cpu: number;
}

/** Runs all sides in turn, and measures the CPU time too. Needs bash. */
export async function alternateWithCpu(
  sides: readonly Side[],
  bench: Pick<Bench, "runs" | "work">,
): Promise<CpuResult[]> {
  const samples = sides.map((): { wall: number; cpu: number }[] => []);
  for (let run = 0; run < bench.runs + WARM_UP; run++) {
    for (const [index, side] of sides.entries()) {
      const sample = await timeWithCpu(side, bench);
      if (run >= WARM_UP) samples[index]?.push(sample);
    }
  }
  return sides.map(({ name }, index) => ({
    name,
    wall: median(samples[index]?.map(({ wall }) => wall) ?? []),
    cpu: Math.min(...(samples[index]?.map(({ cpu }) => cpu) ?? [])),
  }));
}

/** Writes the seconds that a command takes into the file that is the first argument. */
const TIMED = 'TIMEFORMAT="%R %U %S"; { time "$@" 2>&3; } 3>&2 2>"$0"';

/** Node tells a process its own CPU time, without what it takes to end; the shell tells all of it. */
async function timeWithCpu(side: Side, { work }: Pick<Bench, "work">) {
  const file = join(work, "times");
  await run("bash", ["-c", TIMED, file, process.execPath, side.file, ...side.args], side);
  const [wall = 0, user = 0, system = 0] = readFileSync(file, "utf8").split(" ").map(Number);
  return { wall: wall * 1_000, cpu: (user + system) * 1_000 };
}

async function start(side: Side, options: string[], env: Record<string, string>): Promise<void> {
  const of = { ...side, env: { ...side.env, ...env } };
  await run(process.execPath, [...options, side.file, ...side.args], of);
}

/** Runs a command to its end. @param side whose environment it has */
async function run(command: string, args: string[], { name, env }: Side): Promise<void> {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH ?? "", ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise((done) => child.on("exit", done));
  if (code !== 0) throw new Error(`${name} ended with exit code ${code}`);
}

function milliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds) / 1e6;
}

/** The greater of the two in the middle, of an even number. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
