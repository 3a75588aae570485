import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";

/** actionlint is a program of its own, which npm cannot bring: CI installs it, and names it here. */
const ACTIONLINT = process.env.ACTIONLINT || "actionlint";
const isThere = spawnSync(ACTIONLINT, ["-version"]).status === 0;

test.skipIf(!isThere)("actionlint finds nothing in the workflows and the examples", () => {
  const files = globSync(["examples/*.yml", ".github/workflows/*.yml"], { cwd: REPOSITORY_ROOT });
  expect(files.length).toBeGreaterThan(9);
  const { status, stdout } = spawnSync(ACTIONLINT, ["-no-color", ...files], {
    cwd: REPOSITORY_ROOT,
    encoding: "utf8",
  });
  expect(stdout).toBe("");
  expect(status).toBe(0);
});
