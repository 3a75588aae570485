import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { ReleaseGitHub } from "../../scripts/release/release-github.ts";
import { startFaultyServer } from "../support/faulty-server.ts";
import { releaseAnswer } from "../support/release-answer.ts";

/** A checkout at a version that can be released, and nothing installed in it. */
function checkout() {
  const root = mkdtempSync(path.join(tmpdir(), "docs-agent-release-"));
  cpSync(path.join(REPOSITORY_ROOT, "scripts"), path.join(root, "scripts"), { recursive: true });
  writeFileSync(path.join(root, "package.json"), '{ "version": "1.2.3", "type": "module" }');
  writeFileSync(path.join(root, "CHANGELOG.md"), "# Changelog\n\n## [1.2.3]\n\nIt works.\n");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@x.invalid", ...args], {
      cwd: root,
      encoding: "utf8",
    }).trim();
  git("init", "--quiet");
  git("commit", "--quiet", "--allow-empty", "--message", "x");
  const commit = git("rev-parse", "HEAD");
  const run = async (apiUrl: string, ...args: string[]) => {
    const child = spawn(process.execPath, [path.join(root, "scripts/release.ts"), ...args], {
      env: {
        ...process.env,
        GITHUB_API_URL: apiUrl,
        GITHUB_REPOSITORY: "octo/docs",
        GH_TOKEN: "x",
      },
    });
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return { stdout, stderr, code: code as number };
  };
  return { commit, run, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}

test("the release script releases the commit that is checked out, with the notes of the changelog", async () => {
  const github = new ReleaseGitHub();
  await using server = await startFaultyServer({ fallback: releaseAnswer(github) });
  using it = checkout();
  const dry = await it.run(server.url, "v1.2.3", "--dry-run");
  expect([dry.code, github.moves]).toEqual([0, []]);
  expect(dry.stdout).toContain(`Would do: tag v1.2.3 at ${it.commit}`);

  expect((await it.run(server.url, "v1.2.3")).code).toBe(0);
  expect(github.moves).toEqual([`v1.2.3 ${it.commit}`, `v1 ${it.commit}`]);
  expect(github.releases).toMatchObject([{ tag: "v1.2.3", notes: "It works." }]);
});

test("the release script fails, and says how to go on", async () => {
  const github = new ReleaseGitHub();
  github.tags["v1.2.3"] = "another";
  await using server = await startFaultyServer({ fallback: releaseAnswer(github) });
  using it = checkout();
  const { code, stderr } = await it.run(server.url, "v1.2.3");
  expect(code).toBe(1);
  expect(stderr).toContain("v1.2.3 is at another, and this run at");
  expect(stderr).toContain("run this again to go on from here");
  expect((await it.run(server.url, "v9.9.9")).stderr).toContain("CHANGELOG.md has no section");
});
