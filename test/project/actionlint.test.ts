import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";

/** actionlint is not an npm package. CI installs it, and sets this variable. */
const ACTIONLINT = process.env.ACTIONLINT || "actionlint";
const isInstalled = spawnSync(ACTIONLINT, ["-version"]).status === 0;

test.skipIf(!isInstalled)("actionlint finds nothing in the workflows and the examples", () => {
  const files = globSync(["examples/*.yml", ".github/workflows/*.yml"], { cwd: REPOSITORY_ROOT });
  expect(files.length).toBeGreaterThan(9);
  const { status, stdout } = spawnSync(ACTIONLINT, ["-no-color", ...files], {
    cwd: REPOSITORY_ROOT,
    encoding: "utf8",
  });
  expect(stdout).toBe("");
  expect(status).toBe(0);
});
