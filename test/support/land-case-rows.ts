import { readFileSync } from "node:fs";
import path from "node:path";

const PAGE = path.join(import.meta.dirname, "../../src/land/cases.md");
/** What the cases have in common, as the page says above them. */
const COMMON = { merge: "checks", "allowed-paths": "docs/**", "required-checks": "build" };

const [, TABLE = ""] =
  /<!-- cases -->\n([\s\S]*?)<!-- end of cases -->/.exec(readFileSync(PAGE, "utf8")) ?? [];

/** The rows of the table in src/land/cases.md, which says what happens in every case. */
export const CASE_ROWS = TABLE.trim()
  .split("\n")
  .slice(2)
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .filter(([, words = ""]) => !words.startsWith("**"))
  .map(([, words = "", inputs = "", step = "", why = ""]) => {
    return { words, inputs, step: step.replaceAll("`", ""), why };
  });

/** The inputs that a cell of the table sets. */
function inputsIn(cell: string): [name: string, value: string][] {
  return [...cell.matchAll(/`([\w-]+):([^`]*)`/g)].map(([, name = "", value = ""]) => {
    return [name, value.trim()];
  });
}

/** The inputs of land in a case. */
export function inputsOfCase(cell: string): Record<string, string> {
  return { ...COMMON, ...Object.fromEntries(inputsIn(cell)) };
}

/** Every input that a case sets, with its first value, but for what they have in common. */
export function inputsOfAllCases(): Record<string, string> {
  const all = CASE_ROWS.flatMap(({ inputs }) => inputsIn(inputs));
  return { ...Object.fromEntries(all.reverse()), ...COMMON };
}
