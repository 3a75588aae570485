import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { makeWorkspace } from "../../test/support/workspace.ts";
import { quote } from "../text/sentence.ts";
import { InputProblem } from "./checks.ts";
import { readTextFile, workspaceFiles } from "./workspace.ts";

test("a file is read byte for byte, byte order mark and line ends and all", () => {
  using workspace = makeWorkspace();
  const text = "\uFEFFErkläre ✓\r\n\n";
  workspace.write("docs/a.md", text);
  for (const name of ["docs/a.md", "./docs/../docs/a.md", path.join(workspace.path, "docs/a.md")]) {
    expect(readTextFile(workspace.path, name, 100)).toEqual({ text, path: "docs/a.md" });
  }
});

test("a link is followed, as long as it stays inside", () => {
  using workspace = makeWorkspace();
  workspace.write("a.md", "inside");
  symlinkSync(path.join(workspace.path, "a.md"), path.join(workspace.path, "link.md"));
  expect(readTextFile(workspace.path, "link.md", 100)).toEqual({ text: "inside", path: "a.md" });
});

test.each([".git/config", "link.md", "linked/config"])(
  "%s is git's own, and is not read",
  (name) => {
    using workspace = makeWorkspace();
    mkdirSync(path.join(workspace.path, ".git"));
    workspace.write(".git/config", "secret");
    symlinkSync(".git/config", path.join(workspace.path, "link.md"));
    symlinkSync(".git", path.join(workspace.path, "linked"));
    expect(() => readTextFile(workspace.path, name, 100)).toThrow(/is in `\.git`/);
    expect(workspaceFiles(workspace.path)).toEqual([]);
  },
);

test.each(["../docs-outside/secret.md", "link.md", "linked/secret.md"])(
  "%s leads outside, and is not read",
  (name) => {
    using workspace = makeWorkspace();
    const secret = path.join(workspace.outside, "secret.md");
    writeFileSync(secret, "secret");
    symlinkSync(secret, path.join(workspace.path, "link.md"));
    symlinkSync(workspace.outside, path.join(workspace.path, "linked"));
    expect(() => readTextFile(workspace.path, name, 100)).toThrow(
      `"${name}" is outside the workspace: it must be a file inside it.`,
    );
  },
);

test.each([
  ["none.md", "does not exist: it must be a file in the workspace. Is the repository checked out?"],
  ["folder", "is not a file."],
  ["latin1.md", "is not UTF-8 text."],
  ["large.md", "is larger than 100 bytes."],
  ["a\0b", "cannot be read (ERR_INVALID_ARG_VALUE): it must be a file in the workspace."],
  ["Explain it. ".repeat(30), "cannot be read (ENAMETOOLONG): it must be a file in the workspace."],
])("%j: the problem is a sentence", (name, problem) => {
  using workspace = makeWorkspace();
  mkdirSync(path.join(workspace.path, "folder"));
  workspace.write("latin1.md", Uint8Array.of(0x64, 0xe9, 0x6a));
  workspace.write("large.md", "x".repeat(101));
  expect(() => readTextFile(workspace.path, name, 100)).toThrow(`${quote(name)} ${problem}`);
});

test.each(["a.md/b.md", "loop"])("%s is no file that can be read", (name) => {
  using workspace = makeWorkspace();
  workspace.write("a.md", "text");
  symlinkSync("loop", path.join(workspace.path, "loop"));
  expect(() => readTextFile(workspace.path, name, 100)).toThrow(InputProblem);
});

test.runIf(process.platform === "linux")("a fault of the machine is no invalid input", () => {
  // Its first page is never there.
  expect(() => readTextFile("/proc/self", "mem", 100)).toThrow(
    expect.objectContaining({ code: "EIO" }),
  );
});
