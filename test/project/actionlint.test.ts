import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";

/** actionlint is not an npm package. CI installs it, and sets this variable. */
const ACTIONLINT = process.env.ACTIONLINT || "actionlint";
const isInstalled = spawnSync(ACTIONLINT, ["-version"]).status === 0;

test.skipIf(!isInstalled)(
  "actionlint finds nothing in the workflows, the examples and the templates",
  () => {
    const folders = ["examples", ".github/workflows", "workflow-templates"];
    const files = globSync(
      folders.map((folder) => `${folder}/*.yml`),
      { cwd: REPOSITORY_ROOT },
    );
    expect(files.length).toBeGreaterThan(9);
    const { status, stdout } = spawnSync(ACTIONLINT, ["-no-color", ...files], {
      cwd: REPOSITORY_ROOT,
      encoding: "utf8",
    });
    expect(stdout).toBe("");
    expect(status).toBe(0);
  },
);
