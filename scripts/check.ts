// npm run check: formatting, lint, types, circles of files, what nothing uses, the tables of the docs, and dist/. Runs
// every check, even after one has failed, and exits with 1 if any has. Runs as many at a time as the machine has
// processors.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

export interface Check {
  name: string;
  run: () => Promise<CheckResult>;
}

export interface CheckResult {
  isPassed: boolean;
  output: string;
}

const root = join(import.meta.dirname, "..");
const biome = "node_modules/@biomejs/biome/bin/biome";
const knip = "node_modules/knip/bin/knip.js";
const tsc = "node_modules/typescript/bin/tsc";
// Its output goes through a pipe on its way to the terminal.
const colors = process.stdout.isTTY ? "--colors=force" : "--colors=off";
const lint = ["ci", "--formatter-enabled=false", "--error-on-warnings"];

/** The slowest first: it takes as long as all others together. */
const CHECKS: Check[] = [
  nodeCheck("dist", "scripts/build.ts", "--check"),
  nodeCheck("types", tsc),
  nodeCheck("types of the playground's page", tsc, "-p", "playground/browser"),
  nodeCheck("formatting", biome, "format", colors, "."),
  nodeCheck("lint, layers and circles", biome, ...lint, colors, "."),
  nodeCheck("unused files, packages and exports", knip, "--treat-config-hints-as-errors"),
  nodeCheck("tables of the docs", "scripts/tables.ts", "--check"),
];

/** A check that fails if a script of Node exits with anything but 0. */
function nodeCheck(name: string, ...args: string[]): Check {
  const run = async () => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    const [stdout, stderr, exitCode] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise((resolve) => child.on("close", resolve)),
    ]);
    return { isPassed: exitCode === 0, output: `${stdout}${stderr}` };
  };
  return { name, run };
}

/** Runs every check, so many at a time; prints the output of those that fail, and then every result. */
export async function runChecks(
  checks: readonly Check[],
  atATime: number,
  print: (line: string) => void,
): Promise<{ failed: string[] }> {
  const results = new Map<Check, CheckResult>();
  const pending = [...checks];
  const runPending = async () => {
    for (let check = pending.shift(); check !== undefined; check = pending.shift()) {
      const result = await check.run();
      results.set(check, result);
      if (!result.isPassed) print(`\n== ${check.name} ==\n${result.output.trim()}\n`);
    }
  };
  await Promise.all(Array.from({ length: atATime }, runPending));
  for (const check of checks) {
    print(`${results.get(check)?.isPassed === true ? "ok    " : "FAILED"}  ${check.name}`);
  }
  const failed = checks.filter((check) => results.get(check)?.isPassed !== true);
  return { failed: failed.map(({ name }) => name) };
}

if (import.meta.main) {
  const { failed } = await runChecks(CHECKS, availableParallelism(), console.log);
  if (failed.length > 0) process.exitCode = 1;
}
