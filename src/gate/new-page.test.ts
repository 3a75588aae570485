import { expect, test } from "vitest";
import { parsePathFilter } from "../text/path-filter.ts";
import { newPageLink } from "./new-page.ts";

const HEAD = { headRepository: "acme/code", branch: "work/api" };

function linkOf(patterns: string, head: Parameters<typeof newPageLink>[0] = HEAD): string | null {
  const docsPaths = parsePathFilter(patterns);
  if ("problem" in docsPaths) throw new Error(docsPaths.problem);
  const docsPatterns = patterns.split("\n");
  return newPageLink(head, { docsPaths, docsPatterns }, "https://github.com");
}

test.each<[patterns: string, path: string | null]>([
  ["docs/**\n**/*.mdx\n**/README.md", "docs/new-page.md"],
  ["**/*.mdx", "new-page.mdx"],
  ["**/README.md\ncontent/*.mdx", "content/new-page.mdx"],
  ["site/[a-z]+/*.md\nguide/**", "guide/new-page.md"],
  // What is excluded is no documentation.
  ["docs/**\n!docs/new-*\nguide/**", "guide/new-page.md"],
  ["README.md", null],
])("with %j, the new page is %s", (patterns, path) => {
  const link = path && `https://github.com/acme/code/new/work/api?filename=${path}`;
  expect(linkOf(patterns)).toBe(link);
});

test("a deleted fork has no new page", () => {
  expect(linkOf("docs/**", { ...HEAD, headRepository: null })).toBeNull();
});

test("no name breaks out of the link", () => {
  const head = { headRepository: "acme/code", branch: "a)[b](#1) `@x`?c" };
  expect(linkOf("docs/**", head)).not.toMatch(/[()[\]`@\s]|\?c/);
});
