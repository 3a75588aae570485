import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isExhaustive } from "../support/sample.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const SCRIPT = path.join(ROOT, "scripts/with-node.mjs");
/** Replaces the version of this Node with an older one. */
const OLDER =
  "data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })";
const packaged = `node_modules/node-${process.platform}-${process.arch}`;
const hasPackage = existsSync(path.join(ROOT, packaged));

/** A project with the script, and with these installed packages. */
function project(files: string[] = []): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "docs-agent-node-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(path.join(folder, "scripts"));
  cpSync(SCRIPT, path.join(folder, "scripts/with-node.mjs"));
  mkdirSync(path.join(folder, "node_modules"));
  for (const file of files) symlinkSync(path.join(ROOT, file), path.join(folder, file));
  return folder;
}

function run(folder: string, ...args: string[]) {
  const script = path.join(folder, "scripts/with-node.mjs");
  return spawnSync(process.execPath, ["--import", OLDER, script, ...args], { encoding: "utf8" });
}

test.runIf(hasPackage)(
  "an older Node runs a command with the packaged Node, even if npm made no link to it",
  () => {
    const { status, stdout } = run(project([packaged]), "node", "-p", "process.versions.node");
    expect([status, stdout]).toEqual([0, `${process.versions.node}\n`]);
  },
);

test.runIf(hasPackage)("a shell command line is run, and its exit code returned", () => {
  const { status, stdout } = run(project([packaged]), "node -p 1 && exit 7");
  expect([status, stdout]).toEqual([7, "1\n"]);
});

test("an older Node without the package says what to do", () => {
  const { status, stdout } = run(project(), "node", "-v");
  expect(status).toBe(1);
  expect(stdout).toContain("This is Node 20.20.2, but Node 24 is needed");
  expect(stdout).toContain("'npm ci'");
});

test("every npm script that needs Node 24 runs with it", () => {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
  for (const [name, line] of Object.entries<string>(scripts)) {
    if (name !== "format") expect(line).toMatch(/^node scripts\/with-node\.mjs /);
  }
});

/** Installs only the packages of Node, from npm's cache if possible. */
function install(npm: string): { folder: string; problem: string } {
  const folder = project();
  const { version, optionalDependencies } = JSON.parse(
    readFileSync(path.join(ROOT, "package.json"), "utf8"),
  );
  const manifest = { name: "x", version, private: true, optionalDependencies };
  writeFileSync(path.join(folder, "package.json"), JSON.stringify(manifest));
  try {
    const args = ["--yes", `npm@${npm}`, "install", "--prefer-offline", "--no-audit", "--no-fund"];
    execFileSync("npx", args, { cwd: folder, stdio: "pipe", timeout: 100_000 });
    return { folder, problem: "" };
  } catch (error) {
    return { folder, problem: error instanceof Error ? error.message : String(error) };
  }
}

test.runIf(hasPackage && isExhaustive && process.platform !== "win32").for(["10.9.9", "11.19.1"])(
  "the script finds the Node that npm %s installs",
  (npm, { skip }) => {
    const { folder, problem } = install(npm);
    if (problem !== "") skip(`no registry: ${problem}`);
    const { status, stdout } = run(folder, "node", "-p", "process.versions.node");
    expect([status, stdout]).toEqual([0, `${process.versions.node}\n`]);
  },
);
