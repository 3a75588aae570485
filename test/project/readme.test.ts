import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { ACTIONS } from "../../scripts/actions.ts";
import {
  ERROR_KINDS,
  EXAMPLES,
  files,
  PAGES,
  PROJECT,
  read,
  workflow,
  yamlBlocks,
} from "./files.ts";

interface Lock {
  packages: Record<string, { dependencies?: Record<string, string> }>;
}

const { packages } = JSON.parse(read("package-lock.json")) as Lock;

/** Longer texts belong into docs/. */
const MAX_README_LINES = 250;
/** In KiB, so that a page with several pictures loads quickly. */
const MAX_PICTURE = 200;

test(`the README has at most ${MAX_README_LINES} lines`, () => {
  expect(read("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(MAX_README_LINES);
});

test.each(ACTIONS)("$name has a first workflow to copy, in the README or on its page", (action) => {
  const used = [...yamlBlocks("README.md"), ...yamlBlocks(action.page)].flatMap((block) =>
    block.match(/(?<=\buses: )\S+/g),
  );
  expect(used).toContain(`${path.posix.join(PROJECT, action.metadata, "..")}@v1`);
});

test("the README shows the example for a team, without its comments", () => {
  const shown = yamlBlocks("README.md").map((block) => parse(block));
  expect(shown).toContainEqual(workflow("examples/team.yml"));
});

/** The part above the first workflow: many people read no further. */
const [FIRST_SCREEN = ""] = read("README.md").split("## Before you start");

test("the README's first screen asks five questions, and each answer links to an action", () => {
  const rows = [...FIRST_SCREEN.matchAll(/^\d\. \*\*[^*]+\?\*\* (?<answer>.+)$/gm)];
  expect(rows).toHaveLength(5);
  for (const { groups } of rows) expect(groups?.answer).toMatch(/\]\(#[\w-]+\)/);
});

test("the README's first screen has the costs of a month from docs/cost.md", () => {
  const costs = read("docs/cost.md");
  const [, small, large, minutes] =
    /takes (.+ to .+) of the .+ for 50 merges, (.+ to .+) for 500 merges, and (\d+) runner/.exec(
      FIRST_SCREEN,
    ) ?? [];
  expect(costs).toMatch(
    RegExp(`^\\| 50 \\| every hour .* \\| ${small} \\| .* \\| ${minutes} \\|`, "m"),
  );
  expect(costs).toMatch(
    RegExp(`^\\| 500 \\| every hour .* \\| ${large} \\| .* \\| ${minutes} \\|`, "m"),
  );
  const [line = ""] = FIRST_SCREEN.match(/^- \*\*A month of upkeep.*$/m) ?? [];
  for (const [number] of line.matchAll(/[\d,]*\d/g))
    expect(costs).toMatch(RegExp(`\\b${number}\\b`));
});

test.each([
  ["which plan of the service is needed", /Pro or Enterprise plan/],
  ["that the project is independent", /independent of Mintlify and not affiliated/],
  ["how to remove the action", /\]\(docs\/stop\.md\)/],
])("the README's first screen says %s", (_, words) => {
  expect(FIRST_SCREEN).toMatch(words);
});

test("the README's first screen explains the placeholder OWNER, until there is an owner", () => {
  expect(FIRST_SCREEN.includes("`npm run set-owner NAME`")).toBe(PROJECT.startsWith("OWNER/"));
});

test("the README links to the page of every action, and examples/README.md lists every example", () => {
  for (const { page } of ACTIONS) expect(read("README.md")).toContain(`(${page})`);
  const listed = [...read("examples/README.md").matchAll(/\]\(([\w-]+\.yml)\)/g)];
  expect(listed.map(([, name = ""]) => `examples/${name}`).sort()).toEqual(EXAMPLES);
});

test.each(PAGES)(
  "every picture in %s has both themes, enough pixels, a small file, and its own proportions",
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
        // The width in pixels is at this offset of every PNG.
        expect(png.readUInt32BE(16) / Number(shown)).toBeGreaterThanOrEqual(1.2);
      }
      expect(picture).not.toContain("height=");
    }
  },
);

test("docs/README.md links to every page of docs/", () => {
  const [, ...pages] = files("docs/*.md");
  const index = read("docs/README.md");
  expect(pages.filter((page) => !index.includes(`](${path.basename(page)}`))).toEqual([]);
});

/** The files of the pictures on a page. */
function pictures(page: string): string[] {
  return [...read(page).matchAll(/(?:src|srcset)="([^"]+\.png)"/g)].map(([, file = ""]) => file);
}

test("every picture is on a page", () => {
  const shown = PAGES.flatMap((page) =>
    pictures(page).map((file) => path.posix.join(path.posix.dirname(page), file)),
  );
  expect(files("docs/images/*")).toEqual([...new Set(shown)].sort());
});

/** The packages in the table of docs/bundle.md. */
function namedPackages(): string[] {
  const rows = read("docs/bundle.md").matchAll(/^\| `([^`]+)` \|/gm);
  return [...rows].map(([, name = ""]) => name);
}

/** Packages with their dependencies. */
function withDependencies(names: string[]): Set<string> {
  const known = new Set<string>();
  const add = (name: string) => {
    if (known.has(name)) return;
    known.add(name);
    for (const [path, { dependencies }] of Object.entries(packages)) {
      if (path.endsWith(`node_modules/${name}`)) Object.keys(dependencies ?? {}).forEach(add);
    }
  };
  names.forEach(add);
  return known;
}

test("docs/bundle.md names the dependencies of the project, and nothing else", () => {
  expect(namedPackages().sort()).toEqual(
    Object.keys(JSON.parse(read("package.json")).dependencies).sort(),
  );
});

test("docs/bundle.md names each package in the bundles, or one that depends on it", () => {
  const known = withDependencies(namedPackages());
  const shipped = read("dist/LICENSES.txt").matchAll(/^={80}\n(\S+) \S+ \(.+\)\n={80}\n/gm);
  expect([...shipped].map(([, name = ""]) => name).filter((name) => !known.has(name))).toEqual([]);
});

test("each errorKind is explained on the page of an action", () => {
  const pages = ACTIONS.map(({ page }) => read(page)).join("\n");
  expect(ERROR_KINDS.filter((kind) => !pages.includes(`| \`${kind}\` |`))).toEqual([]);
});
