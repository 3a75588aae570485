import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { Visitor } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { ACTIONS } from "../../scripts/actions.ts";
import { parseSource, readSources, type SourceFile } from "../../scripts/code/source-file.ts";
import { files } from "./files.ts";

/** The rules of Biome that this test is about. */
const RULES = [
  "lint/suspicious/noImportCycles",
  "lint/style/noRestrictedImports",
  "lint/style/noExcessiveLinesPerFile",
  "lint/complexity/noExcessiveLinesPerFunction",
];

/** From top to bottom. Folders in one row do not import each other. */
const SOURCE_LAYERS = [
  ["entrypoints"],
  ACTIONS.map(({ name }) => name),
  ["batches"],
  ["ledger"],
  ["inputs"],
  ["github"],
  ["job"],
  ["service"],
  ["runtime"],
  ["net"],
  ["text"],
];
/** Folders of src/batches, below the files beside them. */
const BATCHES_LAYERS = [["dashboard"], ["model"]];
/** Folders of src/github, which has no files beside them. */
const GITHUB_LAYERS = [["changes"], ["conversation"], ["trigger"], ["api"]];
const EMULATOR_LAYERS = [["local-world"], ["service"], ["github"], ["http"]];
const PLAYGROUND_LAYERS = [["http"], ["views"], ["site"], ["actions"]];

/** Folders of the project, with the folders that each may import. */
const ROOTS: Record<string, string[]> = {
  src: [],
  emulator: [],
  playground: ["emulator"],
  scripts: ["src", "emulator", "playground"],
};

/** Ways in which a file can import `SPECIFIER`. */
const IMPORTS = {
  value: 'import { some } from "SPECIFIER"; export const own = some;',
  effect: 'import "SPECIFIER";',
  type: 'import type { Some } from "SPECIFIER"; export type Own = Some;',
  inline: 'import { type Some, other } from "SPECIFIER"; export const own: Some = other;',
  namespace: 'import * as some from "SPECIFIER"; export const own = some;',
  reexport: 'export { some } from "SPECIFIER";',
  reexportedType: 'export type { Some } from "SPECIFIER";',
  all: 'export * from "SPECIFIER";',
  dynamic: 'export const load = async () => (await import("SPECIFIER")).some;',
};

/** Each file of the fixture, and whether Biome has to refuse it. */
const fixture = new Map<string, { text: string; isRefused: boolean }>();

function addImports(root: string, layers: string[][]): void {
  for (const [rank, row] of layers.entries()) {
    for (const from of row) {
      for (const [otherRank, otherRow] of layers.entries()) {
        for (const to of otherRow.filter((other) => other !== from)) {
          addImport(`${root}/${from}/to-${to}.ts`, `../${to}/some.ts`, otherRank <= rank);
          addImport(`${root}/${from}/parts/to-${to}.ts`, `../../${to}/some.ts`, otherRank <= rank);
        }
      }
    }
  }
}

function addImport(file: string, target: string, isRefused: boolean): void {
  add(file, `export { some } from "${target}";`, isRefused);
}

function add(file: string, text: string, isRefused: boolean): void {
  fixture.set(file, { text: `${text}\n`, isRefused });
}

addImports("src", SOURCE_LAYERS);
addImports("src/batches", BATCHES_LAYERS);
addImports("src/github", GITHUB_LAYERS);
addImports("emulator", EMULATOR_LAYERS);
addImports("playground", PLAYGROUND_LAYERS);
for (const [layer] of EMULATOR_LAYERS) {
  addImport(`emulator/runner/to-${layer}.ts`, `../${layer}/some.ts`, true);
  addImport(`emulator/${layer}/to-runner.ts`, "../runner/some.ts", layer !== "local-world");
}
for (const [layer] of PLAYGROUND_LAYERS) {
  addImport(`playground/browser/to-${layer}.ts`, `../${layer}/some.ts`, true);
  addImport(`playground/${layer}/to-browser.ts`, "../browser/some.ts", true);
}
addImport("playground/browser/to-emulator.ts", "../../emulator/http/some.ts", true);
for (const [root, allowed] of Object.entries(ROOTS)) {
  const others = [...Object.keys(ROOTS), "test"].filter((other) => other !== root);
  for (const to of others) {
    for (const row of root === "src" ? SOURCE_LAYERS : [["http"]]) {
      addImport(`${root}/${row[0]}/to-root-${to}.ts`, `../../${to}/some.ts`, !allowed.includes(to));
      const isBeside = root === "scripts" && to === "test";
      addImport(`${root}/${row[0]}/to-${to}.test.ts`, `../../${to}/some.ts`, isBeside);
    }
  }
}
add(
  "src/text/type.ts",
  'import type { Some } from "../net/some.ts"; export type Own = Some;',
  true,
);
add("src/text/dynamic.ts", 'export const some = await import("../net/some.ts");', true);
add("src/text/own.ts", 'export { some } from "./some.ts"; export { other } from "zod";', false);
add("src/loose.ts", 'export { some } from "./text/some.ts";', true);
addCircles();
add("emulator/http/long.ts", "export const value = 1;\n".repeat(251), true);
add("emulator/http/short.ts", "export const value = 1;\n\n".repeat(249), false);
add("src/text/long.test.ts", "export const value = 1;\n".repeat(251), true);
add("src/text/short.test.ts", `export function short() {\n${"  void 0;\n".repeat(240)}}`, false);
add("scripts/long.ts", `export function long() {\n${"  void 0;\n".repeat(51)}}`, true);
add("scripts/short.ts", `export function short() {\n${"  void 0;\n\n".repeat(48)}}`, false);

/** Circles of two files, however they import each other, and one of three; files beside them that are in none. */
function addCircles(): void {
  const importOf = ([, statement]: [string, string], file: string) =>
    statement.replace("SPECIFIER", `./${file}`);
  for (const there of Object.entries(IMPORTS)) {
    for (const back of Object.entries(IMPORTS)) {
      const [job, poll] = [`${there[0]}-${back[0]}-job.ts`, `${there[0]}-${back[0]}-poll.ts`];
      add(`src/job/${job}`, importOf(there, poll), true);
      add(`src/job/${poll}`, importOf(back, job), true);
    }
  }
  add("src/net/a.ts", 'import type { Some } from "./b.ts"; export type A = Some;', true);
  add("src/net/b.ts", 'export const load = () => import("./parts/c.ts");', true);
  add("src/net/parts/c.ts", 'export { some } from "../a.ts";', true);
  add("src/net/aside.ts", 'export { some } from "./a.ts";', false);
  add(
    "src/net/text.ts",
    '// import "./text.ts"\nexport const text = \'import "./text.ts"\';',
    false,
  );
}

const folder = mkdtempSync(path.join(os.tmpdir(), "docs-agent-layers-"));
let refused = new Set<string>();

beforeAll(async () => {
  for (const config of ["biome.json", "biome.layers.jsonc"]) {
    copyFileSync(path.join(REPOSITORY_ROOT, config), path.join(folder, config));
  }
  for (const [file, { text }] of fixture) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  refused = await lint();
});

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

/**
 * The files of the fixture in which Biome finds an error of these rules. It runs all rules, as `npm run check` does:
 * with `--only`, Biome reads the imports of all files even if the configuration does not make it, and would find
 * circles here that it does not find there.
 */
async function lint(): Promise<Set<string>> {
  const biome = path.join(REPOSITORY_ROOT, "node_modules/@biomejs/biome/bin/biome");
  const report = ["--reporter=json", "--max-diagnostics=none", "--vcs-enabled=false"];
  const run = promisify(execFile)(process.execPath, [biome, "lint", ...report, "."], {
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
  });
  // Biome exits with 1, because there are errors.
  const { stdout } = await run.catch((error: { code: number; stdout: string }) => error);
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { severity: string; category: string; location: { path: string } }[];
  };
  const errors = diagnostics.filter(
    ({ severity, category }) => severity === "error" && RULES.includes(category),
  );
  return new Set(errors.map(({ location }) => location.path.replaceAll("\\", "/")));
}

const filesThat = (isRefused: boolean) =>
  [...fixture].filter(([, file]) => file.isRefused === isRefused).map(([file]) => file);

test("Biome refuses every import against the direction, every circle, and what is too long", () => {
  expect(filesThat(true).filter((file) => !refused.has(file))).toEqual([]);
});

test("Biome refuses no import in the direction, and nothing that is short enough", () => {
  expect(filesThat(false).filter((file) => refused.has(file))).toEqual([]);
});

test.each([
  ["src", SOURCE_LAYERS],
  ["src/batches", BATCHES_LAYERS],
  ["src/github", GITHUB_LAYERS],
])("%s has the folders of its layers", (folder, layers) => {
  const entries = readdirSync(path.join(REPOSITORY_ROOT, folder), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(folders.sort()).toEqual(layers.flat().sort());
});

test("in src and src/github, all files are in folders", () => {
  for (const folder of ["src", "src/github"]) {
    const entries = readdirSync(path.join(REPOSITORY_ROOT, folder), { withFileTypes: true });
    expect(entries.filter((entry) => entry.isFile())).toEqual([]);
  }
});

test("no file imports a type by import(), in which Biome sees no import", () => {
  const paths = files("{src,emulator,playground,scripts}/**/*.ts");
  const sources = readSources(paths.filter((file) => !file.endsWith(".test.ts")));
  expect(sources.length).toBeGreaterThan(200);
  expect(sources.flatMap(typesByImport)).toEqual([]);
  const planted =
    'let a: import("./a.ts").A; let b: typeof import("./b.ts"); import("./c.ts").then(go);';
  expect(typesByImport(parseSource("src/job/job.ts", planted))).toEqual([
    "src/job/job.ts: ./a.ts",
    "src/job/job.ts: ./b.ts",
  ]);
});

/** The types that a file imports from files of the project by `import()`. */
function typesByImport({ path, program }: SourceFile): string[] {
  const found: string[] = [];
  new Visitor({
    TSImportType: ({ source }) => {
      if (source.value.startsWith(".")) found.push(`${path}: ${source.value}`);
    },
  }).visit(program);
  return found;
}
