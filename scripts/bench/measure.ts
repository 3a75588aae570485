/** Starts actions as whole processes, as a runner does, and measures what they take. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { REPOSITORY } from "../../emulator/local-world/memory-servers.ts";
import { prepareStep } from "../../emulator/runner/prepare-step.ts";
import type { RunOptions } from "../../emulator/runner/runner.ts";
import { removeFolders } from "../../emulator/runner/step-folders.ts";
import type { BenchServer } from "./servers.ts";

export const API_KEY = "mint_bench";

/** A folder for the files of what is measured. */
const WORK = mkdtempSync(join(tmpdir(), "docs-agent-bench-"));
process.once("exit", () => rmSync(WORK, { recursive: true, force: true }));

/** Runs that warm up the machine's caches and do not count. */
const WARM_UP = 3;

/** One row of what was measured; past its bound, the command fails. docs/performance.md explains the bounds. */
export type Row = [what: string, value: number, unit: string, bound?: number | undefined];

/** One program, as it is started. */
export interface Side {
  file: string;
  args: string[];
  env: Record<string, string>;
  /** Where it sends its requests. */
  server: BenchServer;
}

export type Timed = Awaited<ReturnType<typeof time>>;

/** An action in a scheduled workflow, unless `options` say otherwise. @param action its folder */
export function actionStep(
  action: string,
  server: BenchServer,
  inputs: Record<string, string> = {},
  options: Pick<RunOptions, "eventName" | "event" | "workspaceFiles"> = {},
): Side {
  const project = action === "assistant" ? {} : { "project-id": "docs" };
  const { bundle, env, folders } = prepareStep({
    action,
    repository: REPOSITORY,
    token: "ghs_bench",
    apiUrl: server.address,
    eventName: "schedule",
    ...options,
    inputs: { "api-key": API_KEY, "base-url": server.address, ...project, ...inputs },
  });
  process.once("exit", () => removeFolders(folders));
  return { file: bundle, args: [], env, server };
}

/**
 * Runs one process to its end: how long it took from start to exit, and until its first request arrived, in
 * milliseconds; its peak of memory, in MiB; and what it sent.
 */
export async function time(side: Side) {
  side.server.begin();
  const peak = join(WORK, "peak");
  const preload = ["--require", join(import.meta.dirname, "peak.cjs")];
  const begun = performance.now();
  const child = spawn(process.execPath, [...preload, side.file, ...side.args], {
    env: { ...side.env, PEAK_FILE: peak },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "exit");
  const wall = performance.now() - begun;
  if (code !== 0) throw new Error(`${side.file} ended with exit code ${code}`);
  const { seen } = side.server;
  const memory = Number(readFileSync(peak, "utf8")) / 1024;
  return { ...seen, wall, first: (seen.firstAt ?? begun) - begun, memory };
}

/**
 * Compares an action with a script that sends the same requests. Both run in turn, again and again, so that other
 * load on the machine affects both alike.
 *
 * @param bounds how many times as much the action may take, and what at most
 */
export async function compare(
  what: string,
  action: Side,
  runs: number,
  bounds: { time: number; memory?: number; toGitHub?: number; toService?: number; peak?: number },
): Promise<Row[]> {
  const requests = join(WORK, "requests.json");
  const { sent, toGitHub, toService } = await time(action);
  writeFileSync(requests, JSON.stringify(sent));
  const script = { ...action, file: join(import.meta.dirname, "replay.mjs"), args: [requests] };
  const samples = [script, action].map((side) => ({ side, of: [] as Timed[] }));
  for (let run = 0; run < runs + WARM_UP; run++) {
    for (const { side, of } of samples) {
      const sample = await time(side);
      if (run >= WARM_UP) of.push(sample);
    }
  }
  const medians = (field: "wall" | "first" | "memory") =>
    samples.map(({ of }) => median(of.map((sample) => sample[field]))) as [number, number];
  const [scriptWall, wall] = medians("wall");
  const [scriptMemory, memory] = medians("memory");
  return [
    [`${what}: requests to GitHub`, toGitHub.length, "requests", bounds.toGitHub],
    [`${what}: requests to the service`, toService.length, "requests", bounds.toService],
    [`${what}: time of the script`, scriptWall, "ms"],
    [`${what}: time of the action`, wall, "ms"],
    [`${what}: time until its first request`, medians("first")[1], "ms"],
    [`${what}: time, to the script's`, wall / scriptWall, "×", bounds.time],
    [`${what}: memory of the script`, scriptMemory, "MiB"],
    [`${what}: memory of the action`, memory, "MiB", bounds.peak],
    [`${what}: memory, to the script's`, memory / scriptMemory, "×", bounds.memory],
  ];
}

/** The greater of the two in the middle, of an even number. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
