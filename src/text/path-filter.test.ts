import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../test/support/sample.ts";
import { expectNoSquare } from "../../test/support/work-of.ts";
import { LONGEST_PATTERN, parsePathFilter } from "./path-filter.ts";

function filterOf(...patterns: string[]) {
  const filter = parsePathFilter(patterns.join("\n"));
  if ("problem" in filter) throw new Error(filter.problem);
  return filter;
}

function problemOf(...patterns: string[]) {
  const filter = parsePathFilter(patterns.join("\n"));
  return "problem" in filter ? filter.problem : undefined;
}

/** https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#filter-pattern-cheat-sheet */
const PUBLISHED: [patterns: string[], matches: string[], others?: string[]][] = [
  [["Octo*"], ["Octocat"]],
  [["[CB]at"], ["Cat", "Bat"], ["Rat"]],
  [["[1-2]00"], ["100", "200"], ["300"]],
  [["feature/*"], ["feature/my-branch", "feature/your-branch"], ["feature/a/b"]],
  [["feature/**"], ["feature/beta-a/my-branch", "feature/your-branch", "feature/mona/the/octocat"]],
  [["main", "releases/mona-the-octocat"], ["main", "releases/mona-the-octocat"], ["maine"]],
  [["**"], ["all/the/branches", "every/tag"]],
  [["*feature"], ["mona-feature", "feature", "ver-10-feature"], ["feature-1"]],
  [["v2*"], ["v2", "v2.0", "v2.9"], ["v1", "v2/a"]],
  [["v[12].[0-9]+.[0-9]+"], ["v1.10.1", "v2.0.0"], ["v3.0.0", "v1.0", "v1..0", "v1a10b1"]],
  [["*"], ["README.md", "server.rb"], ["docs/README.md"]],
  [["*.jsx?"], ["page.js", "page.jsx"], ["page.jsxx", "page.jsy", "src/page.js"]],
  [["*.js"], ["app.js", "index.js"], ["js/app.js", "appajs"]],
  [["**.js"], ["index.js", "js/index.js", "src/js/app.js"], ["index.ts"]],
  [["docs/*"], ["docs/README.md", "docs/file.txt"], ["docs/mona/file.txt", "my/docs/file.txt"]],
  [["docs/**"], ["docs/README.md", "docs/mona/octocat.txt"], ["my/docs/a", "docs"]],
  [
    ["docs/**/*.md"],
    ["docs/README.md", "docs/mona/hello-world.md", "docs/a/markdown/file.md"],
    ["docs.md", "docs/a.txt", "docsa.md"],
  ],
  [
    ["**/docs/**"],
    ["docs/hello.md", "dir/docs/my-file.txt", "space/docs/plan/space.doc"],
    ["mydocs/hello.md", "docs"],
  ],
  [["**/README.md"], ["README.md", "js/README.md"], ["js/MY-README.md", "jsREADME.md"]],
  [["**/*src/**"], ["a/src/app.js", "my-src/code/js/app.js"], ["src", "srca/app.js"]],
  [["**/*-post.md"], ["my-post.md", "path/their-post.md"], ["post.md"]],
  [
    ["**/migrate-*.sql"],
    ["migrate-10909.sql", "db/migrate-v1.0.sql", "db/sept/migrate-v1.sql"],
    ["db/immigrate-1.sql"],
  ],
  [["*.md", "!README.md"], ["hello.md"], ["README.md", "docs/hello.md"]],
  [
    ["*.md", "!README.md", "README*"],
    ["hello.md", "README.md", "README.doc"],
  ],
];

describe("GitHub's published table", () => {
  test.each(PUBLISHED)("%j", (patterns, matches, others = []) => {
    const filter = filterOf(...patterns);
    expect(matches.filter((path) => !filter.matches(path))).toEqual([]);
    expect(others.filter((path) => filter.matches(path))).toEqual([]);
  });
});

describe("a pattern", () => {
  test.each<[pattern: string, path: string, matches: boolean]>([
    ["a\\*b", "a*b", true],
    ["a\\*b", "aab", false],
    ["\\!important", "!important", true],
    ["app/\\[slug\\]/page.tsx", "app/[slug]/page.tsx", true],
    ["app/[slug]/page.tsx", "app/s/page.tsx", true],
    ["src/\\+page.svelte", "src/+page.svelte", true],
    ["c\\+\\+/**", "c++/a.cc", true],
    ["a\\\\b", "a\\b", true],
    ["a\\?b", "a?b", true],
    ["x\\*+", "x***", true],
    ["[ab]?c", "c", true],
    ["[ab]+c", "c", false],
    ["a!b", "a!b", true],
    ["a]b", "a]b", true],
    ["{a,b}.js", "a.js", false],
    ["a**/b", "ab", false],
    ["**/*", "a", true],
    ["***", "a/b", true],
    ["Docs/*", "docs/a", false],
    [".github/**", ".github/workflows/ci.yml", true],
    ["*", ".env", true],
    ["été?", "ét", true],
    ["🐙+.md", "🐙🐙.md", true],
    ["a.b", "axb", false],
    ["a$^(b)|", "a$^(b)|", true],
    ["a b.md", "a b.md", true],
    ["*", "a\nb", true],
  ])("%s for %s: %s", (pattern, path, matches) => {
    expect(filterOf(pattern).matches(path)).toBe(matches);
  });

  test.each([
    ["!", "no pattern follows"],
    ["a[", "write \\["],
    ["[]", "write \\["],
    ["[!a]", "write \\["],
    ["[_]", "write \\["],
    ["[...slug]", 'the [ in "[...slug]" has no meaning there'],
    ["[a-cz-a]", "write \\["],
    ["[a-Z]", "write \\["],
    ["[a-]", "write \\["],
    ["[é]", "write \\["],
    ["+page.svelte", "write \\+"],
    ["?", "write \\?"],
    ["*?", "write \\?"],
    ["**+", "write \\+"],
    ["a??", "write \\?"],
    ["docs\\guide.md", "write \\\\"],
    ["a\\", "write \\\\"],
    ["/docs/**", "repository's root"],
    ["!./docs/**", "repository's root"],
    ["docs/", "end it with /**"],
    ["- docs/**", "YAML"],
    ["'docs/**'", "YAML"],
    ["a".repeat(LONGEST_PATTERN + 1), "longer than"],
  ])("an invalid pattern is refused, with the reason: %s", (pattern, problem) => {
    const shown = problemOf("docs/**", pattern);
    expect(shown).toContain(problem);
    expect(shown).toContain(JSON.stringify(pattern).slice(1, 40));
    expect(shown?.length).toBeLessThan(400);
  });
});

describe("patterns", () => {
  test("all invalid patterns are reported together", () => {
    expect(problemOf("[a", "docs/**", "b/")).toMatch(/"\[a".*"b\/"/);
  });

  test("are one per line, with any line end, and with white space around them", () => {
    const filter = filterOf("  docs/**\r\n\r\n\tsrc/** \r!docs/a", "");
    expect(["docs/b", "src/a", "docs/a"].map(filter.matches)).toEqual([true, true, false]);
  });

  test("need one that does not exclude, as in a workflow", () => {
    expect(problemOf("!docs/**")).toContain("only patterns with !");
  });

  test("match every file if none is given", () => {
    expect(filterOf("", " ")).toMatchObject({ isEmpty: true });
    expect(filterOf().matches("a")).toBe(true);
    expect(filterOf("a")).toMatchObject({ isEmpty: false });
  });
});

/** A pattern's parts with the regular expression that says the same, for short paths. */
const PARTS: [string, string][] = [
  ["*", "[^/]*"],
  ["a", "a"],
  ["a?", "a?"],
  ["b+", "b+"],
  ["[ab]", "[ab]"],
  ["[a-b]+", "[a-b]+"],
  ["\\*", "\\*"],
  ["x**y", "x[^]*y"],
  ["/**/c", "/(?:[^]*/)?c"],
];

test("a pattern matches what the regular expression of the same meaning does", () => {
  const parts = fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 6 });
  // No folder has an empty name.
  const path = fc
    .string({ unit: fc.constantFrom(..."ab/cxy*"), maxLength: 10 })
    .map((text) => text.replaceAll(/\/+/g, "/"));
  fc.assert(
    fc.property(parts, path, (chosen, path) => {
      // A letter first and between: two stars in a row, or a slash first, would mean something else.
      const pattern = `a${chosen.map(([part]) => part).join("c")}c`;
      const expression = new RegExp(`^a${chosen.map(([, source]) => source).join("c")}c$`);
      expect(filterOf(pattern).matches(`a${path}c`)).toBe(expression.test(`a${path}c`));
    }),
    { numRuns: runs(2000) },
  );
});

test.each([
  ["many stars", "*a".repeat(499), "a".repeat(1000)],
  ["many double stars", "**a".repeat(333), `${"a".repeat(999)}b`],
  ["many folders", "**/".repeat(333), "a/".repeat(500)],
  ["many that may be missing", "a?".repeat(499), "a".repeat(1000)],
  ["many that repeat", "[a-z]+".repeat(166), `${"a".repeat(999)}/`],
])("%s do not make a match slow", async (_, pattern, path) => {
  const filter = parsePathFilter(`${pattern}x`);
  if ("problem" in filter) throw new Error(filter.problem);
  expect(filter.matches(path)).toBe(false);
  // Only a longer path can match in as many ways.
  const longer = path.repeat(2);
  await expectNoSquare((length) => filter.matches(longer.slice(-length)), longer.length);
});

test.each([
  [["docs/**"], "docs/CODEOWNERS", false],
  [["docs/CODEOWNERS"], "docs/CODEOWNERS", true],
  [["docs/**", "docs/CODEOWNERS"], "docs/CODEOWNERS", true],
  [["docs/CODEOWNERS", "!docs/**"], "docs/CODEOWNERS", false],
  [["docs/CODEOWNER[S]"], "docs/CODEOWNERS", false],
  [["docs/a\\*.md"], "docs/a*.md", true],
  [[], "docs/CODEOWNERS", false],
])("%j name %s in full: %j", (patterns, path, expected) => {
  const filter = parsePathFilter(patterns.join("\n"));
  if ("problem" in filter) throw new Error(filter.problem);
  expect(filter.names(path)).toBe(expected);
});
