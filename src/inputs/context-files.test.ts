import { symlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { makeWorkspace } from "../../test/support/workspace.ts";
import { readContextFiles } from "./context-files.ts";

const KIB = 1024;

test("each line is a file, in order, sent as code", () => {
  using workspace = makeWorkspace();
  workspace.write("a.ts", "a");
  workspace.write("b c.ts", "b");
  const { items, problems } = readContextFiles("b c.ts\r\n\n  a.ts \n", workspace.path);
  expect(problems).toEqual([]);
  expect(items).toEqual([
    { type: "code", value: "b", path: "b c.ts" },
    { type: "code", value: "a", path: "a.ts" },
  ]);
});

test.each(["src/a.ts", "./src/../src//a.ts", "link/src/a.ts"])(
  "the path %s is told relative to the workspace, links resolved",
  (line) => {
    using workspace = makeWorkspace();
    workspace.write("src/a.ts", "a");
    const link = path.join(workspace.path, "link");
    symlinkSync(workspace.path, link);
    for (const root of [workspace.path, link]) {
      for (const name of [line, path.join(workspace.path, line)]) {
        expect(readContextFiles(name, root)).toEqual({
          items: [{ type: "code", value: "a", path: "src/a.ts" }],
          problems: [],
        });
      }
    }
  },
);

test("no lines are no files", () => {
  expect(readContextFiles(" \n\n", "/none")).toEqual({ items: [], problems: [] });
});

test("every file that is wrong is named, each in a sentence that ends once", () => {
  using workspace = makeWorkspace();
  workspace.write("a.ts", "a");
  const { problems } = readContextFiles("none.ts\na.ts\n../x.ts", workspace.path);
  expect(problems).toHaveLength(2);
  expect(problems[0]).toMatch(/^context-files: "none\.ts" .*checked out\?$/);
});

test("a file may have 256 KiB, and all of them 1 MiB", () => {
  using workspace = makeWorkspace();
  workspace.write("large.ts", "x".repeat(256 * KIB));
  workspace.write("larger.ts", "x".repeat(256 * KIB + 1));
  workspace.write("small.ts", "x");
  const four = Array(4).fill("large.ts").join("\n");
  expect(readContextFiles(four, workspace.path).problems).toEqual([]);
  expect(readContextFiles(`${four}\nsmall.ts`, workspace.path).problems).toHaveLength(1);
  expect(readContextFiles("larger.ts", workspace.path).problems).toHaveLength(1);
});

test("fifty files are allowed, and no more", () => {
  using workspace = makeWorkspace();
  workspace.write("a.ts", "a");
  const lines = (count: number) => Array(count).fill("a.ts").join("\n");
  expect(readContextFiles(lines(50), workspace.path).items).toHaveLength(50);
  const { items, problems } = readContextFiles(lines(51), workspace.path);
  expect(items).toEqual([]);
  expect(problems).toEqual(["context-files: 51 files are too many: at most 50 are allowed."]);
});
