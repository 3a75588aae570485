import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { read } from "./files.ts";

/** The start of upkeep's bundle imports `upkeep`; no file imports `alone`, though it is beside it. */
const UPKEEP = `import { imported, type Imported } from "../text/some.ts";
import * as whole from "../text/whole.ts";
import { missing } from "../text/missing.ts";
import hidden from "not-listed";
/** @public */
export async function upkeep(): Promise<Imported> {
  const { loaded } = await import("../text/lazy.ts");
  return imported(loaded, missing, whole.all, hidden);
}
export const alone = 1;
`;
const SOME = `export type Imported = number;
export const imported = (...all: unknown[]): Imported => all.length;
export const tested = 1;
export const inFile = 1;
export const ofItsOwn = (): Part => new Made(inFile);
export interface Part {}
export class Made implements Part { constructor(readonly value: unknown) {} }
export interface Other {}
const renamed = 2;
export { renamed as another };
`;

const FILES = {
  "src/upkeep/upkeep.ts": UPKEEP,
  "src/text/some.ts": SOME,
  "src/text/some.test.ts": 'import { tested } from "./some.ts";\nvoid tested;\n',
  "src/text/whole.ts": "export const all = 1;\n",
  "src/text/lazy.ts": "export const loaded = 1;\nexport const unloaded = 1;\n",
  "src/text/nowhere.ts": "export const lost = 1;\n",
};

const folder = mkdtempSync(path.join(os.tmpdir(), "docs-agent-unused-"));

/** What knip finds in a file: `exports some`, `files src/text/some.ts`. */
const found = new Map<string, string[]>();

beforeAll(async () => {
  for (const file of ["knip.ts", "tsconfig.json", "vitest.config.ts", "scripts/actions.ts"]) {
    write(file, read(file));
  }
  const project = JSON.parse(read("package.json"));
  project.dependencies["not-used"] = "1.0.0";
  write("package.json", JSON.stringify(project));
  for (const [file, text] of Object.entries(FILES)) write(file, text);
  const modules = path.join(REPOSITORY_ROOT, "node_modules");
  symlinkSync(modules, path.join(folder, "node_modules"), "junction");
  for (const { file, ...kinds } of await knip()) {
    const names = Object.entries(kinds).flatMap(([kind, all]) =>
      all.map(({ name }) => `${kind} ${name}`),
    );
    found.set(file, names);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

type Issues = { file: string } & Record<string, { name: string }[]>;

/** Runs knip as `npm run check` does. */
async function knip(): Promise<Issues[]> {
  const bin = path.join(REPOSITORY_ROOT, "node_modules/knip/bin/knip.js");
  const run = promisify(execFile)(process.execPath, [bin, "--reporter", "json"], { cwd: folder });
  // It exits with 1, because there is something to report.
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  return JSON.parse(stdout).issues;
}

test("exports that no other file imports are found, also where a bundle begins", () => {
  expect(found.get("src/upkeep/upkeep.ts")).toContain("exports alone");
  expect(found.get("src/upkeep/upkeep.ts")).not.toContain("exports upkeep");
  expect(found.get("src/text/lazy.ts")).toEqual(["exports unloaded"]);
});

test("a value that only its own file uses is an unused export, a type or class is not", () => {
  const some = ["exports inFile", "exports ofItsOwn", "exports another", "types Other"];
  expect(found.get("src/text/some.ts")?.toSorted()).toEqual(some.toSorted());
});

test("what a file imports as a whole, or only a test imports, is used", () => {
  expect(found.get("src/text/whole.ts")).toBeUndefined();
  expect(found.get("src/text/some.ts")).not.toContain("exports tested");
});

test("files that none imports, packages that none uses, and imports of nothing are found", () => {
  expect(found.get("src/text/nowhere.ts")).toEqual(["files src/text/nowhere.ts"]);
  expect(found.get("package.json")).toContain("dependencies not-used");
  expect(found.get("src/upkeep/upkeep.ts")).toContain("unresolved ../text/missing.ts");
  expect(found.get("src/upkeep/upkeep.ts")).toContain("unlisted not-listed");
});
