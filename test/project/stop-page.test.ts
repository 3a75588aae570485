import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { read } from "./files.ts";

/** The page's commands. This test runs those that need only git. */
const COMMANDS = [...read("docs/start.md").matchAll(/^( *)```sh\n([\s\S]*?)^\1```/gm)].map(
  ([, , text = ""]) => text,
);

let folder: string;
let clone: string;

/** Runs commands in the clone, as a person does. */
function run(commands: string): string {
  const person = { GIT_AUTHOR_NAME: "writer", GIT_AUTHOR_EMAIL: "writer@example.com" };
  const committer = { GIT_COMMITTER_NAME: "writer", GIT_COMMITTER_EMAIL: "writer@example.com" };
  const env = { PATH: process.env.PATH, HOME: folder, ...person, ...committer };
  return execFileSync("sh", ["-ec", commands], {
    cwd: clone,
    env,
    encoding: "utf8",
    stdio: "pipe",
  });
}

/** The command that contains a text. */
function command(part: string): string {
  const match = COMMANDS.find((text) => text.includes(part));
  if (match === undefined) throw new Error(`docs/start.md has no command with ${part}`);
  return match;
}

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "docs-agent-stop-"));
  clone = path.join(folder, "clone");
  mkdirSync(path.join(clone, ".github/workflows"), { recursive: true });
  const file = (name: string) => path.join(clone, ".github/workflows", name);
  writeFileSync(file("docs.yml"), "      - uses: OWNER/docs-agent-action/upkeep@v1\n");
  writeFileSync(file("ci.yml"), "      - run: npm test\n");
  run("git init --quiet --bare ../origin.git && git init --quiet --initial-branch main");
  run("git add . && git commit --quiet --message Start && git remote add origin ../origin.git");
  run("git push --quiet origin main HEAD:refs/docs-agent/upkeep/a HEAD:refs/docs-agent/land/a");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

// The commands are for a POSIX shell.
test.skipIf(process.platform === "win32")(
  "docs/start.md: the command removes the workflows that use the action",
  () => {
    run(command("git rm"));
    expect(run("git ls-files")).toBe(".github/workflows/ci.yml\n");
  },
);

test.skipIf(process.platform === "win32")(
  "docs/start.md: the command deletes all ledgers, and nothing else",
  () => {
    run(command("git push origin --delete"));
    expect(run("git ls-remote origin")).toMatch(/^\S+\trefs\/heads\/main\n$/);
    // There is nothing left to delete.
    run(command("git push origin --delete"));
  },
);
