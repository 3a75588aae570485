/** Starts programs as whole processes, and measures what they take. */

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BenchServer } from "./servers.ts";

/** A folder for the files of what is measured. */
export const WORK = mkdtempSync(join(tmpdir(), "docs-agent-bench-"));
process.once("exit", () => rmSync(WORK, { recursive: true, force: true }));

/** Runs that warm up the machine's caches and do not count. */
const WARM_UP = 3;

/** One program, as it is started. */
export interface Side {
  name: string;
  file: string;
  args: string[];
  env: Record<string, string>;
  /** Where it sends its requests. */
  server: BenchServer;
}

/** Medians over all runs of one side. */
export interface Result {
  /** From start to exit, in milliseconds. */
  wall: number;
  /** From start until its first request arrived, in milliseconds. */
  first: number;
  /** Peak memory, in MiB. */
  memory: number;
}

/** Runs all sides in turn, again and again, so that other load on the machine affects all of them alike. */
export async function alternate(sides: readonly Side[], runs: number): Promise<Result[]> {
  const samples = sides.map((): Result[] => []);
  for (let run = 0; run < runs + WARM_UP; run++) {
    for (const [index, side] of sides.entries()) {
      const sample = { ...(await time(side)), memory: await weigh(side) };
      if (run >= WARM_UP) samples[index]?.push(sample);
    }
  }
  return samples.map((of) => ({
    wall: median(of.map(({ wall }) => wall)),
    first: median(of.map(({ first }) => first)),
    memory: median(of.map(({ memory }) => memory)),
  }));
}

/** How long one process takes, and what it sends: `METHOD /path?query`. */
export async function time(side: Side): Promise<Omit<Result, "memory"> & { requests: string[] }> {
  side.server.begin();
  const begun = performance.now();
  await start(side, [], {});
  const wall = performance.now() - begun;
  const { firstAt, requests } = side.server.seen;
  return { wall, first: (firstAt ?? begun) - begun, requests };
}

/** Peak memory of one process, in MiB; measured apart, so that it costs the timing nothing. */
export async function weigh(side: Side): Promise<number> {
  const file = join(WORK, "peak");
  await start(side, ["--require", join(import.meta.dirname, "peak.cjs")], { PEAK_FILE: file });
  return Number(readFileSync(file, "utf8")) / 1024;
}

async function start(side: Side, options: string[], env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, [...options, side.file, ...side.args], {
    env: { PATH: process.env.PATH ?? "", ...side.env, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise((done) => child.on("exit", done));
  if (code !== 0) throw new Error(`${side.name} ended with exit code ${code}`);
}

/** The greater of the two in the middle, of an even number. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** One row of what was measured. */
export type Row = [what: string, value: number, unit: string, bound?: number | undefined];
