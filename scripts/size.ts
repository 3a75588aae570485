// npm run size: for each part of the project, its files and lines, and what a reader stumbles over. All of that is
// information. Exits with 1 only if a function has more than 50 lines or a file more than 250, as biome.json says.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { circlesOf } from "./code/circles.ts";
import { movesRef, readingObstacles } from "./code/reading-obstacles.ts";
import { projectFiles, readSources, readText, type SourceFile } from "./code/source-file.ts";

const CODE = /\.(ts|mjs|cjs|py|css|html)$/;

const code = projectFiles().filter((file) => CODE.test(file));
const sources = readSources(code);
const isTest = (file: string) => file.endsWith(".test.ts");
const production = sources.filter(({ path }) => path.startsWith("src/") && !isTest(path));

/** The parts of the project, and which files belong to each. */
const PARTS: Record<string, (file: string) => boolean> = {
  "src, without tests": (file) => file.startsWith("src/") && !isTest(file),
  "tests beside the source": (file) => file.startsWith("src/") && isTest(file),
  emulator: (file) => file.startsWith("emulator/"),
  playground: (file) => file.startsWith("playground/"),
  scripts: (file) => file.startsWith("scripts/"),
  test: (file) => file.startsWith("test/"),
};

function sizeOf(files: readonly string[]) {
  const lines = files.flatMap((file) => readText(file).match(/^.*\S/gm) ?? []);
  return { files: files.length, lines: lines.length };
}

/** The folders of src/, with what is in them. */
function sizesOfFolders() {
  const paths = production.map(({ path }) => path);
  const byFolder = Map.groupBy(paths, (path) => path.split("/", 2).join("/"));
  return Object.fromEntries([...byFolder].map(([folder, files]) => [folder, sizeOf(files)]));
}

function rowOf(belongs: (file: string) => boolean) {
  const part = sources.filter(({ path }) => belongs(path));
  const obstacles = part.map(readingObstacles);
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
  return {
    ...sizeOf(code.filter(belongs)),
    "packed literals": sum(obstacles.map(({ packedLiterals }) => packedLiterals)),
    casts: sum(obstacles.map(({ casts }) => casts)),
    "Object.assign": sum(obstacles.map(({ objectAssigns }) => objectAssigns)),
    '?? ""': sum(obstacles.map(({ emptyDefaults }) => emptyDefaults)),
    "> 120 columns": sum(obstacles.map(({ longLines }) => longLines)),
    circles: circlesOf(part).length,
  };
}

function list(title: string, lines: readonly string[]): void {
  console.log(`\n${title}: ${lines.length === 0 ? "none" : lines.length}`);
  for (const line of lines) console.log(`  ${line}`);
}

const rows = Object.entries(PARTS).map(([part, belongs]) => [part, rowOf(belongs)]);
console.table(sizesOfFolders());
console.table(Object.fromEntries(rows));
const paths = (files: readonly SourceFile[]) => files.map(({ path }) => path);
list("Files of src that move a ledger's ref", paths(production.filter(movesRef)));
list(
  "Circles of files",
  circlesOf(sources).map((circle) => circle.join(", ")),
);

console.log("\nFunctions over 50 lines, files over 250:");
const biome = join(import.meta.dirname, "../node_modules/@biomejs/biome/bin/biome");
const rules = ["style/noExcessiveLinesPerFile", "complexity/noExcessiveLinesPerFunction"];
const only = rules.map((rule) => `--only=${rule}`);
// Where biome.json does not set the rules, Biome finds something too, but nothing that is an error.
const output = ["--diagnostic-level=error", "--reporter=concise", "--max-diagnostics=none"];
const lint = spawnSync(process.execPath, [biome, "lint", ...only, ...output, "."], {
  cwd: join(import.meta.dirname, ".."),
  stdio: "inherit",
});
process.exitCode = lint.status ?? 1;
