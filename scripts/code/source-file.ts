/** The project's source files, read and parsed. */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
// TypeScript 7 has no parser for scripts; this one is Oxc's, and Vitest needs Vite anyway.
import { type ESTree, parseSync } from "vite";

export interface SourceFile {
  /** From the project's root, with `/` on every system. */
  path: string;
  text: string;
  program: ESTree.Program;
}

const ROOT = path.resolve(import.meta.dirname, "../..");

/** Paths of the files that Git tracks, and of new ones that it does not ignore. */
export function projectFiles(): string[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const listed = execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).split("\n");
  // A file that was deleted is listed until the deletion is committed.
  return listed.filter((file) => file !== "" && existsSync(path.join(ROOT, file))).sort();
}

export function readText(file: string): string {
  return readFileSync(path.join(ROOT, file), "utf8");
}

/** Every module of TypeScript or JavaScript in a list of files. */
export function readSources(files: readonly string[]): SourceFile[] {
  const modules = files.filter((file) => /\.(ts|mjs)$/.test(file) && !file.startsWith("dist/"));
  return modules.map((file) => parseSource(file, readText(file)));
}

/** @throws if the text has a syntax error */
export function parseSource(file: string, text: string): SourceFile {
  const { program, errors } = parseSync(file, text, { preserveParens: false });
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file}: ${error.message}`);
  return { path: file, text, program };
}
