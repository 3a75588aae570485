/**
 * Preloaded into a step by `node --import`: measures its memory at every tenth request that it makes, in
 * bytes, and writes what it found into `memory.json` in the runner's folder for temporary files.
 */

import { subscribe } from "node:diagnostics_channel";
import { writeFileSync } from "node:fs";
import path from "node:path";
import v8 from "node:v8";
import vm from "node:vm";

/** By requests and not by time: a slow machine takes as many samples as a fast one. */
const EVERY = 10;

v8.setFlagsFromString("--expose-gc");
const collect = vm.runInNewContext("gc");

const samples = [];

function measure() {
  const { rss } = process.memoryUsage();
  // Garbage that is not collected yet is no growth: the heap is measured after it is gone.
  collect();
  const { heapUsed, external } = process.memoryUsage();
  samples.push({ rss, held: heapUsed + external });
}

let requests = 0;
subscribe("undici:request:create", () => {
  requests += 1;
  if (requests % EVERY === 0) measure();
});

process.on("exit", () => {
  writeFileSync(path.join(process.env.RUNNER_TEMP, "memory.json"), JSON.stringify(samples));
});
