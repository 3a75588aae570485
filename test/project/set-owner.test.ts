import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { PROJECT } from "../../scripts/copied/workflows.ts";
import { setOwner } from "../../scripts/set-owner.ts";

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", args, { cwd, encoding: "utf8" });
const tracked = (root: string) =>
  git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0");

/** Name of the project in an account. This file must not contain it literally, because it would be replaced. */
const inAccount = (account: string) => `${account}/docs-agent-action`;

let root = "";
afterEach(() => rmSync(root, { recursive: true, force: true }));

function checkout(): string {
  root = mkdtempSync(path.join(tmpdir(), "docs-agent-owner-"));
  git(root, "init", "--quiet");
  return root;
}

const manifest = (account: string) =>
  JSON.stringify({ repository: `github:${inAccount(account)}` });

/** A checkout with these files; package.json names the account `OWNER`. */
function checkoutOf(files: Record<string, string>) {
  const folder = checkout();
  const all = { "package.json": manifest("OWNER"), ...files };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  return (file: string) => readFileSync(path.join(folder, file), "utf8");
}

/** Contents of a checkout's files by path, as text that keeps every byte. */
function contents(folder: string): Map<string, string> {
  const files = tracked(folder).filter((file) => file !== "");
  return new Map(files.map((file) => [file, readFileSync(path.join(folder, file), "latin1")]));
}

describe("the project's own files", () => {
  function copy(): string {
    const folder = checkout();
    for (const file of tracked(REPOSITORY_ROOT)) {
      if (file === "" || file.startsWith("dist/")) continue;
      cpSync(path.join(REPOSITORY_ROOT, file), path.join(folder, file));
    }
    return folder;
  }

  test("have the new account in place of the former one, and no other change", () => {
    const before = contents(copy());
    const changed = setOwner(root, "zz-owner-9");
    const after = contents(root);
    const naming = [...before].filter(([, text]) => text.includes(PROJECT));
    expect(changed.sort()).toEqual(naming.map(([file]) => file).sort());
    expect(naming.length).toBeGreaterThan(30);
    for (const [file, text] of after) {
      expect([file, text.includes(PROJECT)]).toEqual([file, false]);
      // What people would copy. A comment's author can be the OWNER of a repository, which is something else.
      if (/\.(md|ya?ml)$/.test(file)) expect(text.replaceAll('"OWNER"', "")).not.toMatch(/\bOWNER/);
      const old = before.get(file)?.replace(/<!-- owner -->\n.*\n<!-- end -->\n\n/, "") ?? "";
      expect([file, text.replaceAll(inAccount("zz-owner-9"), PROJECT)]).toEqual([file, old]);
    }
  });
});

test("only the project's own name changes", () => {
  const text = (account: string) => `${inAccount(account)}@v1, ${inAccount(account)}.`;
  const others = [
    inAccount("CO-OWNER"),
    `${inAccount("OWNER")}-demo`,
    "OWNER/other",
    "OWNER",
  ].join();
  const read = checkoutOf({
    "a.md": text("OWNER"),
    "b/c.yml": `${text("OWNER")}\n${others}`,
    "d.md": others,
  });
  const changed = setOwner(root, "Octo-Org");
  expect(changed).toEqual(["a.md", "b/c.yml", "package.json"]);
  expect(read("a.md")).toBe(text("Octo-Org"));
  expect(read("b/c.yml")).toBe(`${text("Octo-Org")}\n${others}`);
  expect(read("package.json")).toBe(manifest("Octo-Org"));
});

test("the explanation of the placeholder is removed", () => {
  const read = checkoutOf({
    "README.md": "# A\n\n<!-- owner -->\nPut your name for OWNER.\n<!-- end -->\n\nB\n",
  });
  setOwner(root, "acme");
  expect(read("README.md")).toBe("# A\n\nB\n");
});

test("binary, built and ignored files are not changed", () => {
  const address = inAccount("OWNER");
  const read = checkoutOf({
    "a.png": `\0${address}`,
    "dist/root/index.js": address,
    "build/x.js": address,
    ".gitignore": "build/\n",
  });
  expect(setOwner(root, "acme")).toEqual(["package.json"]);
  for (const file of ["a.png", "dist/root/index.js", "build/x.js"]) {
    expect(read(file)).toContain(address);
  }
});

test.each(["", "-a", "a-", "a--b", "a b", "a.b", "a/b", "_a", "a_", "a$&", "é", "x".repeat(40)])(
  "%j is no account on GitHub",
  (name) => {
    const read = checkoutOf({ "a.md": inAccount("OWNER") });
    expect(() => setOwner(root, name)).toThrow("cannot be an account on GitHub");
    expect(read("a.md")).toBe(inAccount("OWNER"));
  },
);
