import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { OWNER, tokenOf } from "../../emulator/github/people.ts";
import { startLocalWorld } from "../../emulator/local-world/index.ts";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";

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
        GH_TOKEN: tokenOf(OWNER),
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

test("a dry run releases the commit that is checked out, with the notes of the changelog", async () => {
  await using world = await startLocalWorld({ repository: "octo/docs" });
  using it = checkout();
  const { code, stdout } = await it.run(world.github.url, "v1.2.3", "--dry-run");
  expect([code, world.github.home.releases]).toEqual([0, []]);
  expect(stdout).toContain(`Would do: tag v1.2.3 at ${it.commit}`);
});

test("the release script fails, and says how to go on", async () => {
  await using world = await startLocalWorld({ repository: "octo/docs" });
  using it = checkout();
  // The emulated GitHub does not have the commit.
  const unknown = await it.run(world.github.url, "v1.2.3");
  expect(unknown.stderr).toContain("GitHub answered POST git/refs with 422");
  world.github.home.setRef("refs/tags/v1.2.3", world.github.home.tip());
  const { code, stderr } = await it.run(world.github.url, "v1.2.3");
  expect(code).toBe(1);
  expect(stderr).toContain(`v1.2.3 is at ${world.github.home.tip()}, and this run at`);
  expect(stderr).toContain("run this again to go on from here");
  expect((await it.run(world.github.url, "v9.9.9")).stderr).toContain(
    "CHANGELOG.md has no section",
  );
});
