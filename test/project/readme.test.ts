import { expect, test } from "vitest";
import { ERROR_KINDS, files, read } from "./files.ts";

interface Lock {
  packages: Record<string, { dependencies?: Record<string, string> }>;
}

const { packages } = JSON.parse(read("package-lock.json")) as Lock;

/** Names of the packages in the table of what the bundle contains. */
function named(): string[] {
  const rows = read("docs/bundle.md").matchAll(/^\| `([^`]+)` \|/gm);
  return [...rows].map(([, name = ""]) => name);
}

/** Packages, and all that come with them. */
function withTheirOwn(names: string[]): Set<string> {
  const found = new Set<string>();
  const add = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    for (const [path, { dependencies }] of Object.entries(packages)) {
      if (path.endsWith(`node_modules/${name}`)) Object.keys(dependencies ?? {}).forEach(add);
    }
  };
  names.forEach(add);
  return found;
}

test("the bundle: the packages that the project depends on, and nothing else", () => {
  expect(named().sort()).toEqual(Object.keys(JSON.parse(read("package.json")).dependencies).sort());
});

test("the bundle: each package in the bundles is named, or comes with one that is", () => {
  const known = withTheirOwn(named());
  const shipped = read("dist/LICENSES.txt").matchAll(/^={80}\n(\S+) \S+ \(.+\)\n={80}\n/gm);
  expect([...shipped].map(([, name = ""]) => name).filter((name) => !known.has(name))).toEqual([]);
});

test("each errorKind is explained, in the README or on the page of the action that has it", () => {
  const pages = files("README.md", "docs/*.md").map(read).join("\n");
  expect(ERROR_KINDS.filter((kind) => !pages.includes(`| \`${kind}\` |`))).toEqual([]);
});
