// Writes the tables of inputs and outputs into the Markdown files that hold them, from the action.yml files.
//
//   node scripts/tables.ts           brings the tables up to date
//   node scripts/tables.ts --check   fails when one is not
//
// A table is between <!-- inputs: FILE --> or <!-- outputs: FILE --> and <!-- end -->.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

interface Metadata {
  inputs?: Record<string, { description: string; default?: string; required?: boolean }>;
  outputs?: Record<string, { description: string }>;
}

/** A Markdown text with every table in it as the action.yml files have it. */
export function withTables(markdown: string, read: (file: string) => string): string {
  return markdown.replace(
    /(<!-- (inputs|outputs): (\S+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, start: string, kind: string, file: string, end: string) => {
      const metadata = parse(read(file)) as Metadata;
      const table = kind === "inputs" ? inputsTable(metadata) : outputsTable(metadata);
      return `${start}\n${table}\n\n${end}`;
    },
  );
}

function inputsTable({ inputs = {} }: Metadata): string {
  const rows = Object.entries(inputs).map(([name, { description, default: value, required }]) => [
    `\`${name}\``,
    required ? "**required**" : value === undefined ? "" : defaultCell(value),
    description,
  ]);
  return table(["input", "default", "meaning"], rows);
}

/** A cell is one line: of a list, each entry has its own. */
function defaultCell(value: string): string {
  return value
    .trim()
    .split("\n")
    .map((line) => `\`${line}\``)
    .join("<br>");
}

function outputsTable({ outputs = {} }: Metadata): string {
  const rows = Object.entries(outputs).map(([name, { description }]) => [
    `\`${name}\``,
    description,
  ]);
  return table(["output", "meaning"], rows);
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((it) => it.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const isCheck = process.argv.includes("--check");
  for (const file of ["README.md", ...globSync("docs/*.md", { cwd: root })]) {
    const path = join(root, file);
    const before = readFileSync(path, "utf8");
    const after = withTables(before, (it) => readFileSync(join(root, it), "utf8"));
    if (before === after) continue;
    if (isCheck) {
      console.error(`The tables in ${file} are not those of action.yml. Run npm run tables.`);
      process.exitCode = 1;
    } else {
      writeFileSync(path, after);
    }
  }
}
