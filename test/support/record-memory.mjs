/**
 * Preloaded into a step by `node --import`: measures its memory at intervals, in bytes, and writes what
 * it found into `memory.json` in the runner's folder for temporary files.
 */

import { writeFileSync } from "node:fs";
import path from "node:path";
import v8 from "node:v8";
import vm from "node:vm";

const INTERVAL_MS = 50;
/** A collection may take long on a busy machine: the step gets at least so many times as long. */
const REST = 5;

v8.setFlagsFromString("--expose-gc");
const collect = vm.runInNewContext("gc");

const samples = [];

function measure() {
  const startedAt = performance.now();
  const { rss } = process.memoryUsage();
  // Garbage that is not collected yet is no growth: the heap is measured after it is gone.
  collect();
  const { heapUsed, external } = process.memoryUsage();
  samples.push({ rss, held: heapUsed + external });
  const tookMs = performance.now() - startedAt;
  setTimeout(measure, Math.max(INTERVAL_MS, REST * tookMs)).unref();
}

setTimeout(measure, INTERVAL_MS).unref();

process.on("exit", () => {
  writeFileSync(path.join(process.env.RUNNER_TEMP, "memory.json"), JSON.stringify(samples));
});
