import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { ACTIONS } from "../../scripts/actions.ts";
import { PROJECT, yamlBlocks } from "../../scripts/copied/workflows.ts";
import { monthAtMost, quickStartLimits } from "../../scripts/cost.ts";
import { ERROR_KINDS, EXAMPLES, files, PAGES, read, workflow } from "./files.ts";

interface Lock {
  packages: Record<string, { dependencies?: Record<string, string> }>;
}

const { packages } = JSON.parse(read("package-lock.json")) as Lock;

/** Longer texts belong into docs/. */
const MAX_README_LINES = 170;
/** In KiB, so that a page with several pictures loads quickly. */
const MAX_PICTURE = 200;

test(`the README has at most ${MAX_README_LINES} lines`, () => {
  expect(read("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(MAX_README_LINES);
});

test.each(ACTIONS)("$name has a first workflow to copy, in the README or on its page", (action) => {
  const used = [...yamlBlocks(read("README.md")), ...yamlBlocks(read(action.page))].flatMap(
    (block) => block.match(/(?<=\buses: )\S+/g),
  );
  expect(used).toContain(`${path.posix.join(PROJECT, action.metadata, "..")}@v1`);
});

test("the README shows the example for a team, without its comments", () => {
  const shown = yamlBlocks(read("README.md")).map((block) => parse(block));
  expect(shown).toContainEqual(workflow("examples/team.yml"));
});

const README = read("README.md");

/** The README's part below a heading of the second level. */
function part(title: string): string {
  const [, text = ""] = README.split(`\n## ${title}\n`);
  return text.split("\n## ")[0] ?? "";
}

test("the README begins with a sentence, a picture and the workflow, then says what happens", () => {
  const headings = [...README.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  expect(headings).toEqual([
    "Quick start",
    "What happens then",
    "Common questions",
    "The actions",
    "All pages",
    "Try it without an account",
    "License",
  ]);
  const [above = ""] = README.split("## Quick start");
  expect(above).toContain("<picture>");
  expect(above).toMatch(/independent of Mintlify and not affiliated/);
  expect(above).toContain("`base-url`");
  expect(yamlBlocks(read("README.md"))).toHaveLength(1);
  expect(README.split("```yaml")[0]?.split("\n").length).toBeLessThanOrEqual(30);
});

test("the README's workflow has fifteen lines, and is followed by doctor", () => {
  const [block = ""] = yamlBlocks(read("README.md"));
  expect(block.trimEnd().split("\n").length).toBeLessThanOrEqual(15);
  expect(part("Quick start")).toMatch(
    /Pro or Enterprise plan[\s\S]*```\n[\s\S]*\(docs\/doctor\.md\)/,
  );
});

test("below its workflow, the README says what a month costs at most, and links the ways for other projects", () => {
  const [, below = ""] = part("Quick start").split("```yaml");
  expect(below).toContain(`\n${monthAtMost(quickStartLimits())}\n`);
  for (const way of [
    "examples/team-separate-docs.yml",
    "docs/several-repositories.md#documentation-in-another-repository",
    "docs/start.md#a-public-project",
    "docs/migrating.md",
  ]) {
    expect(below).toContain(`](${way})`);
  }
});

test("two sentences say why not the vendor's automations, and when those are better", () => {
  const [, answer = ""] = /^\*\*Why not Mintlify's own automations\?\*\* (.+)$/m.exec(README) ?? [];
  expect(answer.match(/[.?!](?= [A-Z[]|$)/g)).toHaveLength(2);
  expect(answer).toContain("the better choice if");
  expect(answer).toContain("](docs/migrating.md#compared)");
});

test("the README answers four questions, each with a page", () => {
  const answers = [...part("Common questions").matchAll(/^\*\*[^*]+[.?]\*\* (.+)$/gm)];
  expect(answers).toHaveLength(4);
  for (const [, answer] of answers) expect(answer).toMatch(/\]\(docs\/[\w-]+\.md/);
});

test("the README shows the three actions of the workflow first, and the others below", () => {
  const [first = "", more = ""] = part("The actions").split("\n### More\n");
  const pages = (text: string) =>
    [...text.matchAll(/^\| \[.+?\]\((.+?)\)/gm)].map(([, page]) => page);
  expect(pages(first)).toEqual(["docs/root-action.md", "docs/upkeep.md", "docs/land.md"]);
  expect(pages(more)).toHaveLength(ACTIONS.length - 3);
});

test("the README has the commands to try it, and to run the tests", () => {
  expect(README).toMatch(/^npm ci && npm start\b/m);
  expect(README).toMatch(/^npm start -- --keep\b/m);
  expect(README).toMatch(/^npm ci && npm test\b/m);
});

test("the placeholder OWNER is explained to those who maintain the project, until there is an owner", () => {
  expect(read("CONTRIBUTING.md").includes("<!-- owner -->")).toBe(PROJECT.startsWith("OWNER/"));
  expect(README).not.toContain("set-owner");
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

/** Pages for those who change the action. */
const FOR_CONTRIBUTORS = ["docs/performance.md"];

test("the README links to every page for users, and CONTRIBUTING.md to the others", () => {
  const pages = files("docs/*.md");
  const isLinked = (page: string, from: string) =>
    [")", "#"].some((end) => from.includes(`](${page}${end}`));
  expect(pages.filter((page) => !isLinked(page, README))).toEqual(FOR_CONTRIBUTORS);
  const forContributors = read("CONTRIBUTING.md");
  expect(FOR_CONTRIBUTORS.filter((page) => !isLinked(page, forContributors))).toEqual([]);
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

/** The packages in the table of docs/root-action.md. */
function namedPackages(): string[] {
  const [, part = ""] = read("docs/root-action.md").split("## What the bundle contains");
  const rows = part.matchAll(/^\| `([^`]+)` \|/gm);
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

test("docs/root-action.md names the dependencies of the project, and nothing else", () => {
  expect(namedPackages().sort()).toEqual(
    Object.keys(JSON.parse(read("package.json")).dependencies).sort(),
  );
});

test("docs/root-action.md names each package in the bundles, or one that depends on it", () => {
  const known = withDependencies(namedPackages());
  const shipped = read("dist/LICENSES.txt").matchAll(/^={80}\n(\S+) \S+ \(.+\)\n={80}\n/gm);
  expect([...shipped].map(([, name = ""]) => name).filter((name) => !known.has(name))).toEqual([]);
});

test("each errorKind is explained once, on the page on troubleshooting", () => {
  const rows = [...read("docs/troubleshooting.md").matchAll(/^\| `([a-z-]+)` \|/gm)];
  const explained = rows.map(([, kind = ""]) => kind).filter((name) => ERROR_KINDS.includes(name));
  expect(explained.sort()).toEqual(ERROR_KINDS.toSorted());
});

test("the README explains the placeholder in its workflow, as long as there is one", () => {
  const [, explanation = ""] = /<!-- owner -->\n(.+)\n<!-- end -->/.exec(README) ?? [];
  const says = /`OWNER` is the account that hosts this repository/.test(explanation);
  expect(says).toBe(PROJECT.startsWith("OWNER/"));
});
