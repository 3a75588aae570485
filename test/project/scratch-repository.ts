import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { TEAM } from "../../scripts/release.ts";

/** People who commit, without the settings of the machine. */
const PERSON = {
  GIT_AUTHOR_NAME: "x",
  GIT_AUTHOR_EMAIL: "x@x.invalid",
  GIT_COMMITTER_NAME: "x",
  GIT_COMMITTER_EMAIL: "x@x.invalid",
  GIT_CONFIG_GLOBAL: "",
  GIT_CONFIG_NOSYSTEM: "1",
};

/** A repository on this machine with what a release of version 1.2.3 needs, without installed packages. */
export function scratchRepository() {
  const root = mkdtempSync(path.join(tmpdir(), "docs agent release-"));
  const at = (name: string) => path.join(root, name);
  const env = { ...process.env, ...PERSON };
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: root, env, encoding: "utf8" }).trim();
  for (const folder of ["scripts", "dist", path.dirname(TEAM)]) {
    mkdirSync(at(folder), { recursive: true });
  }
  for (const file of ["scripts/release.ts", TEAM])
    cpSync(path.join(REPOSITORY_ROOT, file), at(file));
  writeFileSync(
    at("package.json"),
    '{ "version": "1.2.3", "repository": "github:acme/docs", "type": "module" }',
  );
  writeFileSync(at("CHANGELOG.md"), "# Changelog\n\n## [1.2.3] - 2026-01-31\n\nIt works.\n");
  writeFileSync(at("dist/index.js"), "old\n");
  git("init", "--quiet", "--initial-branch", "main");
  git("add", ".");
  git("commit", "--quiet", "--message", "Begin");
  writeFileSync(at("dist/index.js"), "new\n");
  writeFileSync(at("dist/more.js"), "new\n");
  const release = (tag: string) =>
    spawnSync(process.execPath, ["scripts/release.ts", "--commit", tag], {
      cwd: root,
      env,
      encoding: "utf8",
    });
  return {
    at,
    git,
    release,
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
