/** Starts actions as whole processes, as a runner does, and measures their time, memory and requests. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { REPOSITORY } from "../../emulator/local-world/memory-servers.ts";
import { prepareStep } from "../../emulator/runner/prepare-step.ts";
import type { RunOptions } from "../../emulator/runner/runner.ts";
import { removeFolders, type StepFolders } from "../../emulator/runner/step-folders.ts";
import type { BenchServer, Seen } from "./servers.ts";

export const API_KEY = "mint_bench";

/** A folder for the files of measurements. */
const WORK = mkdtempSync(join(tmpdir(), "docs-agent-bench-"));
const stepFolders: StepFolders[] = [];
process.once("exit", () => {
  stepFolders.forEach(removeFolders);
  rmSync(WORK, { recursive: true, force: true });
});

/** Runs that warm up the machine's caches, and are not counted. */
const WARM_UP = 3;

/** A measurement. Above its bound, the command fails. docs/performance.md explains the bounds. */
export type Row = [name: string, value: number, unit: string, bound?: number | undefined];

/** One program, as it is started. */
export interface Side {
  file: string;
  args: string[];
  env: Record<string, string>;
  /** Where it sends its requests. */
  server: BenchServer;
}

/** A process that was run to its end. */
export interface Timed extends Seen {
  /** From start to exit, in milliseconds. */
  wall: number;
  /** From start until the first request arrived, in milliseconds. */
  first: number;
  /** Peak memory, in MiB. */
  memory: number;
}

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
  stepFolders.push(folders);
  return { file: bundle, args: [], env, server };
}

/** Runs a process to its end. @throws if it fails */
export async function time(side: Side): Promise<Timed> {
  side.server.begin();
  const peak = join(WORK, "peak");
  const preload = ["--require", fileURLToPath(import.meta.resolve("./peak.cjs"))];
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
 * @param bounds `time` and `memory` as multiples of the script's; the others as values
 */
export async function compare(
  name: string,
  action: Side,
  runs: number,
  bounds: { time: number; memory?: number; toGitHub?: number; toService?: number; peak?: number },
): Promise<Row[]> {
  const requests = join(WORK, "requests.json");
  const { sent, toGitHub, toService } = await time(action);
  writeFileSync(requests, JSON.stringify(sent));
  const script = {
    ...action,
    file: fileURLToPath(import.meta.resolve("./replay.mjs")),
    args: [requests],
  };
  const scriptRuns: Timed[] = [];
  const actionRuns: Timed[] = [];
  for (let run = 0; run < runs + WARM_UP; run++) {
    const scriptRun = await time(script);
    const actionRun = await time(action);
    if (run < WARM_UP) continue;
    scriptRuns.push(scriptRun);
    actionRuns.push(actionRun);
  }
  const medianOf = (timed: readonly Timed[], field: "wall" | "first" | "memory") =>
    median(timed.map((run) => run[field]));
  const scriptWall = medianOf(scriptRuns, "wall");
  const wall = medianOf(actionRuns, "wall");
  const scriptMemory = medianOf(scriptRuns, "memory");
  const memory = medianOf(actionRuns, "memory");
  return [
    [`${name}: requests to GitHub`, toGitHub.length, "requests", bounds.toGitHub],
    [`${name}: requests to the service`, toService.length, "requests", bounds.toService],
    [`${name}: time of the script`, scriptWall, "ms"],
    [`${name}: time of the action`, wall, "ms"],
    [`${name}: time until its first request`, medianOf(actionRuns, "first"), "ms"],
    [`${name}: time, to the script's`, wall / scriptWall, "×", bounds.time],
    [`${name}: memory of the script`, scriptMemory, "MiB"],
    [`${name}: memory of the action`, memory, "MiB", bounds.peak],
    [`${name}: memory, to the script's`, memory / scriptMemory, "×", bounds.memory],
  ];
}

/** Of an even number of values, the greater of the two in the middle. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
