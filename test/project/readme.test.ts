import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { PAGE_OF } from "../../scripts/tables.ts";
import {
  ACTIONS,
  ERROR_KINDS,
  PAGES,
  PROJECT,
  read,
  steps,
  type Workflow,
  yamlBlocks,
} from "./files.ts";

interface Lock {
  packages: Record<string, { dependencies?: Record<string, string> }>;
}

const { packages } = JSON.parse(read("package-lock.json")) as Lock;

/** More would not be read at a sitting: the rest is in docs/. */
const MAX_README_LINES = 300;
/** Kilobytes of 1,024 bytes: a page with several loads quickly. */
const MAX_PICTURE = 200;

test(`the README has at most ${MAX_README_LINES} lines`, () => {
  expect(read("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(MAX_README_LINES);
});

test("the README shows a first workflow of every action, and a picture", () => {
  const used = yamlBlocks("README.md").flatMap((block) =>
    steps(parse(block) as Workflow).flatMap(({ uses = "" }) => uses),
  );
  for (const action of ACTIONS) {
    const name = path.posix.join(PROJECT, path.posix.dirname(action));
    expect(used).toContain(`${name.replace(/\/$/, "")}@v1`);
  }
  expect(pictures("README.md")).toHaveLength(2 * ACTIONS.length);
});

test.each(PAGES)(
  "the pictures of %s are in both themes, sharp, small, and not stretched",
  (page) => {
    for (const [, picture = ""] of read(page).matchAll(/(<picture>[\s\S]*?<\/picture>)/g)) {
      const [, dark = ""] = /srcset="([^"]+)-dark\.png"/.exec(picture) ?? [];
      const [, light = ""] = /src="([^"]+)-light\.png"/.exec(picture) ?? [];
      expect(dark).toBe(light);
      expect(picture).toContain('media="(prefers-color-scheme: dark)"');
      expect(picture).toMatch(/ alt="[^"]{40,}"/);
      const [, shown = "0"] = / width="(\d+)"/.exec(picture) ?? [];
      for (const theme of ["light", "dark"]) {
        const file = path.join(REPOSITORY_ROOT, path.posix.dirname(page), `${light}-${theme}.png`);
        const png = readFileSync(file);
        expect(png.byteLength / 1024).toBeLessThan(MAX_PICTURE);
        // The width in pixels is at this place of every PNG.
        expect(png.readUInt32BE(16) / Number(shown)).toBeGreaterThanOrEqual(1.2);
      }
      expect(picture).not.toContain("height=");
    }
  },
);

/** The files of the pictures on a page. */
function pictures(page: string): string[] {
  return [...read(page).matchAll(/(?:src|srcset)="([^"]+\.png)"/g)].map(([, file = ""]) => file);
}

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

test("each errorKind is explained on the page of an action that has it", () => {
  const pages = Object.values(PAGE_OF).map(read).join("\n");
  expect(ERROR_KINDS.filter((kind) => !pages.includes(`| \`${kind}\` |`))).toEqual([]);
});
