// npm run obstacles: counts what a reader of src/ stumbles over, tests aside, and how many of it there are to be at
// most. Prints the places of what is rare; with --all, every place. All of it is information: it never fails.
import { parseArgs } from "node:util";
import { KINDS, obstaclesIn } from "./code/reading-obstacles.ts";
import { projectFiles, readSources, readText } from "./code/source-file.ts";

/** If there are more obstacles of a kind, their places are printed only with --all. */
const RARE = 30;
const ENGINE = "src/ledger/engine.ts";

const { values } = parseArgs({ options: { all: { type: "boolean", default: false } } });
const files = projectFiles().filter((file) => file.startsWith("src/") && !/\.test\.ts$/.test(file));
const obstacles = obstaclesIn(readSources(files));
const rows: Record<string, { count: number; "at most": number }> = {};

for (const { kind, most } of KINDS) {
  const found = obstacles.filter((obstacle) => obstacle.kind === kind);
  rows[kind] = { count: found.length, "at most": most };
  if (found.length === 0 || (found.length > RARE && !values.all)) continue;
  console.log(`\n${kind}:`);
  for (const { path, line, text } of found) console.log(`  ${path}:${line}  ${text.slice(0, 200)}`);
}
const engineLines = readText(ENGINE).trimEnd().split("\n").length;
rows[`lines of ${ENGINE}`] = { count: engineLines, "at most": 260 };
console.table(rows);
