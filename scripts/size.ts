// npm run size: how many lines of code each part of the project has, against its bound. Counts the lines that are
// not blank in the files that git tracks, and exits with 1 past a bound.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const CODE = /\.(ts|mjs|cjs|py|css|html)$/;
const BESIDE = /^src\/.*\.test\.ts$/;

interface Part {
  name: string;
  has: (file: string) => boolean;
  lines: number;
  /** Undefined: as many as it takes. */
  files?: number;
}

const PARTS: readonly Part[] = [
  {
    name: "src/, without tests",
    has: (file) => file.startsWith("src/") && !BESIDE.test(file),
    lines: 11_500,
    files: 130,
  },
  { name: "tests beside the source", has: (file) => BESIDE.test(file), lines: 8_000 },
  ...Object.entries({ test: 16_500, emulator: 3_700, scripts: 2_700, playground: 2_300 }).map(
    ([folder, lines]) => ({
      ...{ name: `${folder}/`, lines, has: (file: string) => file.startsWith(`${folder}/`) },
    }),
  ),
];

const root = join(import.meta.dirname, "..");
const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
const code = tracked.filter((file) => CODE.test(file) && existsSync(join(root, file)));

function linesOf(file: string): number {
  const lines = readFileSync(join(root, file), "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").length;
}

console.table(
  PARTS.map(({ name, has, ...bound }) => {
    const files = code.filter(has);
    const lines = files.reduce((sum, file) => sum + linesOf(file), 0);
    const isWithin =
      lines <= bound.lines && files.length <= (bound.files ?? Number.POSITIVE_INFINITY);
    if (!isWithin) process.exitCode = 1;
    const atMost = `${bound.lines}${bound.files === undefined ? "" : ` in ${bound.files} files`}`;
    return {
      part: name,
      lines,
      files: files.length,
      "at most": atMost,
      "": isWithin ? "ok" : "PAST",
    };
  }),
);
