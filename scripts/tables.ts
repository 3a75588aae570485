// Updates the tables of actions, inputs and outputs in Markdown files from the action.yml files.
//
//   node scripts/tables.ts           brings the tables up to date
//   node scripts/tables.ts --check   fails if one is out of date
//
// A table begins with <!-- actions -->, <!-- sources -->, <!-- inputs: FILE --> or <!-- outputs: FILE -->, and ends with
// <!-- end -->.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { ACTIONS } from "./actions.ts";

const root = resolve(import.meta.dirname, "..");

interface Metadata {
  description?: string;
  inputs?: Record<string, { description: string; default?: string; required?: boolean }>;
  outputs?: Record<string, { description: string }>;
}

/** A Markdown text with every table brought up to date. */
export function withTables(markdown: string, read: (file: string) => string): string {
  return markdown.replace(
    /(<!-- (actions|sources|inputs|outputs)(?:: (\S+))? -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, start: string, kind: string, file: string | undefined, end: string) =>
      `${start}\n${tableOf(kind, file, (path) => parse(read(path)))}\n\n${end}`,
  );
}

function tableOf(
  kind: string,
  file: string | undefined,
  metadata: (file: string) => Metadata,
): string {
  // For a page in the project's root.
  if (kind === "actions") {
    const rows = ACTIONS.map(({ name, metadata: path, page }) => {
      const shown = name === "main" ? "root action" : `\`${name}\``;
      return [`[${shown}](${page})`, metadata(path).description ?? ""];
    });
    return table(["action", "what it does"], rows);
  }
  // Where to read each action's source first; for a page in docs/.
  if (kind === "sources") {
    const rows = ACTIONS.map(({ metadata: declaration, source, begins }) =>
      [`src/${source}/`, begins.file, declaration].map((path) => `[\`${path}\`](../${path})`),
    );
    return table(["source", "read first", "declared in"], rows);
  }
  if (file === undefined) throw new Error(`<!-- ${kind} --> names no file`);
  const { inputs = {}, outputs = {} } = metadata(file);
  if (kind === "outputs") {
    const rows = Object.entries(outputs).map(([name, output]) => [
      `\`${name}\``,
      output.description,
    ]);
    return table(["output", "meaning"], rows);
  }
  const rows = Object.entries(inputs).map(([name, { description, default: value, required }]) => [
    `\`${name}\``,
    required ? "**required**" : value === undefined ? "" : defaultCell(value),
    description,
  ]);
  return table(["input", "default", "meaning"], rows);
}

/** A cell is one line: of a list, each entry has its own. */
const defaultCell = (value: string) => `\`${value.trim().replaceAll("\n", "`<br>`")}\``;

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

if (import.meta.main) {
  const isCheck = process.argv.includes("--check");
  for (const file of ["README.md", ...globSync("docs/*.md", { cwd: root })]) {
    const path = join(root, file);
    const before = readFileSync(path, "utf8");
    const after = withTables(before, (source) => readFileSync(join(root, source), "utf8"));
    if (before === after) continue;
    if (isCheck) {
      console.error(`The tables in ${file} are not those of action.yml. Run npm run tables.`);
      process.exitCode = 1;
    } else {
      writeFileSync(path, after);
    }
  }
}
