// npm run size: how many lines of code each part of the project has, against its bound. Counts the lines that are
// not blank in the files that git tracks, and exits with 1 past a bound.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ACTIONS } from "./actions.ts";

const CODE = /\.(ts|mjs|cjs|py|css|html)$/;

/** What the files of a part match, how many lines it may have, and in how many files. */
const PARTS: Record<string, [files: RegExp, lines?: number, count?: number]> = {
  "src/, without tests": [/^src\/(?!.*\.test\.ts$)/, 13_500, 130],
  ...Object.fromEntries(
    ACTIONS.map(({ source }) => [`src/${source}/`, [RegExp(`^src/${source}/(?!.*\\.test\\.ts$)`)]]),
  ),
  "tests beside the source": [/^src\/.*\.test\.ts$/, 9_500],
  "test/": [/^test\//, 21_000],
  "emulator/": [/^emulator\//, 4_900],
  "scripts/": [/^scripts\//, 3_200],
  "playground/": [/^playground\//, 3_000],
};

const root = join(import.meta.dirname, "..");
const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
const code = tracked.filter((file) => CODE.test(file) && existsSync(join(root, file)));

const linesOf = (file: string) => readFileSync(join(root, file), "utf8").match(/^.*\S/gm) ?? [];

const rows = Object.entries(PARTS).map(([part, [pattern, bound, count]]) => {
  const files = code.filter((file) => pattern.test(file));
  const lines = files.flatMap(linesOf).length;
  if (bound === undefined) return { part, lines, files: files.length };
  const isWithin = lines <= bound && files.length <= (count ?? files.length);
  if (!isWithin) process.exitCode = 1;
  const atMost = `${bound}${count === undefined ? "" : ` in ${count} files`}`;
  return { part, lines, files: files.length, "at most": atMost, "": isWithin ? "ok" : "PAST" };
});
console.table(rows);
