import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { readContextFiles } from "./context-files.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "context-files-"));
const workspace = path.join(folder, "workspace");
mkdirSync(path.join(workspace, "src"), { recursive: true });
writeFileSync(path.join(workspace, "src/a.ts"), "a");
writeFileSync(path.join(folder, "secret.md"), "secret");
symlinkSync(workspace, path.join(folder, "link"));

afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ["as it is", workspace, "src/a.ts"],
  ["with a detour", workspace, "./src/../src//a.ts"],
  ["absolute", workspace, path.join(workspace, "src/a.ts")],
  ["in a workspace behind a symbolic link", path.join(folder, "link"), "src/a.ts"],
  ["absolute, by a symbolic link", workspace, path.join(folder, "link/src/a.ts")],
])("a path %s is told relative to the workspace", (_, root, line) => {
  expect(readContextFiles(line, root)).toEqual({
    items: [{ type: "code", value: "a", path: "src/a.ts" }],
    problems: [],
  });
});

test("files come in the order of the lines, and a problem names the line", () => {
  const { items, problems } = readContextFiles("src/a.ts\n../secret.md\r\n\nnone.md", workspace);
  expect(items.map((item) => item.path)).toEqual(["src/a.ts"]);
  expect(problems).toEqual([
    expect.stringMatching(/^context-files: "\.\.\/secret\.md" is outside the workspace/),
    expect.stringMatching(/^context-files: "none\.md" does not exist/),
  ]);
});
