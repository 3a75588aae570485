import { expect, test } from "vitest";
import { renderInert } from "./inert-markdown.ts";
import { parseMarkdown } from "./parse-markdown.ts";

const LENGTH = 65_536;

// How long the worst texts take: test/trust/hostile/slow-markdown.test.ts.
test("what is too long to be looked into is still shown, as text", () => {
  const { markdown } = renderInert(`${"*a* @octocat ".repeat(1500)}\n\n*b*`, LENGTH);
  expect(markdown).toContain("\\*a\\* @&#8203;octocat");
  expect(markdown).toMatch(/\n\n\*b\*$/);
});

test("a block knows the lines that it stands on", () => {
  const document = parseMarkdown("# a\n\n> b\n> c\n\nd");
  expect(document.blocks.map((it) => [it.type, document.source(it)])).toEqual([
    ["heading", "# a"],
    ["blockquote", "> b\n> c"],
    ["paragraph", "d"],
  ]);
});
