// What an action's whole process takes, from start to exit, against scripts that send the same requests.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { actionStep, bareScript } from "./action-step.ts";
import { alternate, type Bench, type Result, type Side } from "./measure.ts";
import { table } from "./simulate.ts";

/** How much more than the bare script an action may take: see docs/performance.md. */
export const MAX_TIME_RATIO = 2.0;
export const MAX_MEMORY_RATIO = 1.5;

/** A run that is measured. */
export interface Scenario {
  /** As the bare script and the table name it. */
  name: string;
  /** The bundle's folder in `dist`. */
  entry: string;
  inputs: Record<string, string>;
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "job",
    entry: "main",
    inputs: {
      prompt: "Bring the documentation up to date.",
      "poll-interval-seconds": "0.001",
      "issue-number": "1",
    },
  },
  { name: "jobs", entry: "jobs", inputs: {} },
  {
    name: "assistant",
    entry: "assistant",
    inputs: { domain: "docs", question: "How do I rotate a key?" },
  },
];

const HEAD =
  "action|script|action|ratio|script, CommonJS|ratio|first request|script|action|ratio".split("|");

/** Measures every scenario, prints a table, and returns whether all stay within the bounds. */
export async function benchStartUp(bench: Bench, address: string): Promise<boolean> {
  const { work } = bench;
  const rows = [HEAD, HEAD.map(() => "---")];
  let isWithin = true;
  for (const scenario of SCENARIOS) {
    const { name } = scenario;
    const script = bareScript(name, address);
    const sides = [script, asCommonJs(script, work), actionStep({ ...scenario, address, work })];
    const [yardstick, commonJs, measured] = await alternate(sides, bench);
    if (!yardstick || !commonJs || !measured) throw new Error("nothing was measured");
    const compared = compare(name, yardstick, commonJs, measured);
    rows.push(compared.row);
    isWithin &&= compared.isWithin;
  }
  console.log(table(rows));
  return isWithin;
}

/**
 * The same script as CommonJS. It starts faster: to import node:http, a module has to look at all that it
 * exports, and with that loads Node's own fetch.
 */
function asCommonJs(script: Side, work: string): Side {
  const source = readFileSync(script.file, "utf8");
  const file = join(work, "bare.cjs");
  const required = 'const { request } = require("node:http");';
  writeFileSync(
    file,
    source.replace(/^import .*"node:http";$/m, required).replace(/^await scripts/m, "scripts"),
  );
  return { ...script, name: `${script.name}, CommonJS`, file };
}

/** Rows of the table for one scenario, and whether it stays within the bounds. */
function compare(name: string, yardstick: Result, commonJs: Result, measured: Result) {
  const time = measured.wall / yardstick.wall;
  const memory = measured.memory / yardstick.memory;
  const row = [
    name,
    `${yardstick.wall.toFixed(0)} ms`,
    `${measured.wall.toFixed(0)} ms`,
    time.toFixed(2),
    `${commonJs.wall.toFixed(0)} ms`,
    (measured.wall / commonJs.wall).toFixed(2),
    `${measured.first.toFixed(0)} ms`,
    `${yardstick.memory.toFixed(0)} MiB`,
    `${measured.memory.toFixed(0)} MiB`,
    memory.toFixed(2),
  ];
  return { row, isWithin: time <= MAX_TIME_RATIO && memory <= MAX_MEMORY_RATIO };
}
