import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { actVersion } from "../../scripts/try-examples/act.ts";

const SCRIPT = path.join(REPOSITORY_ROOT, "scripts/try-examples.ts");

function run(filter: string, env: Record<string, string> = {}) {
  return spawnSync(process.execPath, [SCRIPT, filter], {
    ...{ encoding: "utf8", env: { ...process.env, ...env } },
  });
}

const left = () => readdirSync(os.tmpdir()).filter((name) => name.startsWith("docs-agent-try-"));

test("without act, nothing is tried, and that is not a success", () => {
  const { status, stdout } = run("", { ACT: path.join(REPOSITORY_ROOT, "no-such-act") });
  expect(status).toBe(2);
  expect(stdout).toMatch(/^Nothing was tried: act is missing\. Install it/);
});

// act is a program of its own, which npm cannot bring.
test.skipIf(actVersion() === undefined)("with act, an example is run and has a line", () => {
  const before = left();
  const { status, stdout } = run("examples/upkeep-matrix.yml");
  expect(stdout).toMatch(/^ok +\d+\.\d s {2}examples\/upkeep-matrix\.yml, schedule$/m);
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("2 passed, 0 failed.");
  expect(status).toBe(0);
  expect(left()).toEqual(before);
});
