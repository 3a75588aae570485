// Writes the tables of actions, inputs and outputs into the Markdown files that hold them, from the action.yml files.
//
//   node scripts/tables.ts           brings the tables up to date
//   node scripts/tables.ts --check   fails when one is not
//
// A table is between <!-- actions -->, <!-- sources -->, <!-- inputs: FILE --> or <!-- outputs: FILE --> and <!-- end -->.
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

/** A Markdown text with every table in it as the action.yml files have it. */
export function withTables(markdown: string, read: (file: string) => string): string {
  return markdown.replace(
    /(<!-- (actions|sources|inputs|outputs)(?:: (\S+))? -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, start: string, kind: string, file: string | undefined, end: string) =>
      `${start}\n${tableOf(kind, file, (it) => parse(read(it)))}\n\n${end}`,
  );
}

function tableOf(
  kind: string,
  file: string | undefined,
  metadata: (file: string) => Metadata,
): string {
  // For a page in the project's root.
  if (kind === "actions") {
    const rows = ACTIONS.map(({ name, metadata: it, page }) => {
      const shown = name === "main" ? "root action" : `\`${name}\``;
      return [`[${shown}](${page})`, metadata(it).description ?? ""];
    });
    return table(["action", "what it does"], rows);
  }
  // Where to read each action's source first; for a page in docs/.
  if (kind === "sources") {
    const rows = ACTIONS.map(({ metadata, source, begins }) =>
      [`src/${source}/`, begins.file, metadata].map((it) => `[\`${it}\`](../${it})`),
    );
    return table(["source", "read first", "declared in"], rows);
  }
  if (file === undefined) throw new Error(`<!-- ${kind} --> names no file`);
  const { inputs = {}, outputs = {} } = metadata(file);
  if (kind === "outputs") {
    const rows = Object.entries(outputs).map(([name, it]) => [`\`${name}\``, it.description]);
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
    `| ${cells.map((it) => it.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

if (import.meta.main) {
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
