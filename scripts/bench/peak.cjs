// Preloaded into what is measured: writes the process's peak memory, in KiB, as it exits.
const { readFileSync, writeFileSync } = require("node:fs");

process.on("exit", () => writeFileSync(process.env.PEAK_FILE, String(peak())));

/** On Linux, `maxRSS` is at least what the starting process had at the time. */
function peak() {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS;
  return /^VmHWM:\s*(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))[1];
}
