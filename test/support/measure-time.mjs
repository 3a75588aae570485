/**
 * Preloaded into a step by `node --import`: writes how long it kept the processor busy, in milliseconds,
 * into `time.json` in the runner's folder for temporary files.
 */

import { writeFileSync } from "node:fs";
import path from "node:path";

process.on("exit", () => {
  const { user, system } = process.threadCpuUsage();
  const file = path.join(process.env.RUNNER_TEMP, "time.json");
  writeFileSync(file, JSON.stringify((user + system) / 1000));
});
