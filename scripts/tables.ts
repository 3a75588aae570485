// Updates the tables of actions, inputs, outputs and permissions in Markdown files.
//
//   node scripts/tables.ts           brings the tables up to date
//   node scripts/tables.ts --check   fails if one is out of date
//
// A table begins with <!-- actions -->, <!-- actions: first -->, <!-- actions: more -->, <!-- sources -->,
// <!-- inputs: FILE --> or <!-- outputs: FILE -->, and ends with <!-- end -->. FILE is an action.yml, or a workflow
// that others call: then <!-- secrets: FILE --> is a table, too. <!-- permissions: ACTION --> and <!-- apps --> are of
// scripts/permissions.ts, <!-- reasons: NAME --> of scripts/reasons.ts, <!-- copied --> of
// scripts/copied/table.ts, <!-- starts --> of scripts/starts.ts, <!-- origins --> of scripts/origins.ts.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { ACTIONS } from "./actions.ts";
import { copiedTable } from "./copied/table.ts";
import { table } from "./markdown-table.ts";
import { originsTable } from "./origins.ts";
import { appTable, permissionTable } from "./permissions.ts";
import { reasonsTable } from "./reasons.ts";
import { startsTable } from "./starts.ts";

const root = resolve(import.meta.dirname, "..");

interface Input {
  description: string;
  default?: string | boolean;
  required?: boolean;
}

/** What an action, or a workflow that others call, takes and gives. */
interface Interface {
  inputs?: Record<string, Input>;
  secrets?: Record<string, Input>;
  outputs?: Record<string, { description: string }>;
}

interface Metadata extends Interface {
  description?: string;
  on?: { workflow_call: Interface };
}

/** A Markdown text with every table brought up to date. */
export function withTables(markdown: string, read: (file: string) => string): string {
  return markdown.replace(
    /(<!-- (actions|sources|inputs|outputs|secrets|permissions|apps|reasons|copied|starts|origins)(?:: (\S+))? -->\n)[\s\S]*?(<!-- end -->)/g,
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
    const shown = ACTIONS.filter(({ name }) => file === undefined || isIn(file, name));
    const rows = shown.map(({ name, metadata: path, page }) => {
      const title = name === "root" ? "root action" : `\`${name}\``;
      return [`[${title}](${page})`, metadata(path).description ?? ""];
    });
    return table(["action", "what it does"], rows);
  }
  // Where to read each action's source first. For a page in the project's root, too.
  if (kind === "sources") {
    const rows = ACTIONS.map(({ name, metadata: declaration, begins }) =>
      [`src/${name}/`, begins.file, declaration].map((path) => `[\`${path}\`](${path})`),
    );
    return table(["source", "read first", "declared in"], rows);
  }
  if (kind === "apps") return appTable();
  if (kind === "copied") return copiedTable();
  if (kind === "origins") return originsTable();
  if (kind === "starts") return startsTable();
  if (file === undefined) throw new Error(`<!-- ${kind} --> names no file`);
  if (kind === "permissions") return permissionTable(file);
  if (kind === "reasons") return reasonsTable(file);
  const { on, ...action } = metadata(file);
  const { inputs = {}, secrets = {}, outputs = {} } = on?.workflow_call ?? action;
  if (kind === "outputs") {
    const rows = Object.entries(outputs).map(([name, output]) => [
      `\`${name}\``,
      output.description,
    ]);
    return table(["output", "meaning"], rows);
  }
  const [head, given] = kind === "secrets" ? ["secret", secrets] : ["input", inputs];
  const rows = Object.entries(given).map(([name, { description, default: value, required }]) => [
    `\`${name}\``,
    required ? "**required**" : defaultCell(String(value ?? "")),
    description,
  ]);
  return table([head, "default", "meaning"], rows);
}

/** The actions that most workflows use, which the README shows first. */
const FIRST = ["root", "upkeep", "land"];

/** Whether an action is in a part of the list. @param part `first` or `more` */
const isIn = (part: string, name: string) => FIRST.includes(name) === (part === "first");

/** A cell is one line: of a list, each entry has its own. Nothing for an empty default. */
const defaultCell = (value: string) =>
  value === "" ? "" : `\`${value.trim().replaceAll("\n", "`<br>`")}\``;

if (import.meta.main) {
  const isCheck = process.argv.includes("--check");
  for (const file of ["README.md", "ARCHITECTURE.md", ...globSync("docs/*.md", { cwd: root })]) {
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
