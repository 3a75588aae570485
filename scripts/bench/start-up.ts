// What an action's whole process takes, from start to exit, against scripts that send the same requests.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { alternate, type Line, line, type Side, WORK } from "./measure.ts";
import { serveAtOnce } from "./servers.ts";
import { actionStep, bareScript } from "./sides.ts";
import { table } from "./simulate.ts";

/** How much more than the bare script an action may take: see docs/performance.md. */
const MAX_TIME_RATIO = 2.0;
const MAX_MEMORY_RATIO = 1.5;

/** The bundle's folder in `dist`, and its inputs, by the name that the bare script has for its requests. */
const SCENARIOS: Record<string, [entry: string, inputs: Record<string, string>]> = {
  job: [
    "main",
    {
      prompt: "Bring the documentation up to date.",
      ...{ "poll-interval-seconds": "0.001", "issue-number": "1" },
    },
  ],
  jobs: ["jobs", {}],
  assistant: ["assistant", { domain: "docs", question: "How do I rotate a key?" }],
};

const HEAD =
  "action|script|action|ratio|script, CommonJS|ratio|first request|script|action|ratio".split("|");

/** Measures every scenario, and prints a table. */
export async function benchStartUp(runs: number): Promise<Line[]> {
  using server = await serveAtOnce();
  const rows = [HEAD, HEAD.map(() => "---")];
  const lines: Line[] = [];
  for (const [name, [entry, inputs]] of Object.entries(SCENARIOS)) {
    const script = bareScript(name, server);
    const sides = [script, asCommonJs(script), actionStep(entry, server, inputs)];
    const [bare, commonJs, action] = await alternate(sides, runs);
    if (!bare || !commonJs || !action) throw new Error("nothing was measured");
    const ms = (value: number) => `${value.toFixed(0)} ms`;
    const mib = (value: number) => `${value.toFixed(0)} MiB`;
    const [time, memory] = [action.wall / bare.wall, action.memory / bare.memory];
    rows.push([
      ...[name, ms(bare.wall), ms(action.wall), time.toFixed(2)],
      ...[ms(commonJs.wall), (action.wall / commonJs.wall).toFixed(2), ms(action.first)],
      ...[mib(bare.memory), mib(action.memory), memory.toFixed(2)],
    ]);
    lines.push(line(`${name}: time, to the script`, time, MAX_TIME_RATIO));
    lines.push(line(`${name}: memory, to the script`, memory, MAX_MEMORY_RATIO));
  }
  console.log(`${table(rows)}\n`);
  return lines;
}

/**
 * The same script as CommonJS. It starts faster: to import node:http, a module has to look at all that it
 * exports, and with that loads Node's own fetch.
 */
function asCommonJs(script: Side): Side {
  const file = join(WORK, "bare.cjs");
  const source = readFileSync(script.file, "utf8")
    .replace(/^import .*"node:http";$/m, 'const { request } = require("node:http");')
    .replace(/^await scripts/m, "scripts");
  writeFileSync(file, source);
  return { ...script, name: `${script.name}, CommonJS`, file };
}
