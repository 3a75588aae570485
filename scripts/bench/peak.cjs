// Preloaded into both sides of the comparison: writes the process's peak memory, in KiB, as it exits.
const { writeFileSync } = require("node:fs");
process.on("exit", () => {
  writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS));
});
