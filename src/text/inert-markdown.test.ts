import fc from "fast-check";
import { expect, test } from "vitest";
import { rendered } from "../../emulator/github/rendered-markdown.ts";
import { hostileText } from "../../test/support/arbitrary.ts";
import { checkPage } from "../../test/support/check-page.ts";
import { runs } from "../../test/support/sample.ts";
import { expectNoSquare } from "../../test/support/work-of.ts";
import { inertLink, renderInert } from "./inert-markdown.ts";

const ROOM = 65_536;
const BREAK = "&#8203;";

function shown(markdown: string): string {
  return rendered(renderInert(markdown, ROOM).html);
}

/** Fails when a comment made of this would do anything but show text. */
function expectInert(html: string) {
  expect(checkPage(html, { outside: "inert", markers: 0 })).toEqual([]);
  // It is one block of HTML for GitHub, whatever is in it.
  expect(html).not.toMatch(/\n\s*\n/);
  expect(rendered(html)).toBe(html);
}

/** Pieces that mean something to Markdown or to GitHub, besides those of hostile text. */
const MARKDOWN_PIECES = [
  "[a](https://x.example)",
  "[a](javascript:alert(1))",
  "[a](//x)",
  "[a]()",
  "![i](https://x.example/i)",
  "<https://x.example>",
  "<a@b.example>",
  "http://x.example",
  "a@b.example",
  "xmpp:a@b.example",
  "[r]",
  "[r]: https://x.example\n",
  "[^1]",
  "[^1]: note\n",
  "![i][r]",
  "**",
  "__",
  "~~",
  "***",
  "| a | b |\n|---|---|\n| c | d |\n",
  "---\n",
  "===\n",
  "    ",
  "\t",
  "+ ",
  "1) ",
  "- [ ] ",
  "\n\n",
  "&#64;octocat",
  "&commat;octocat",
  "&#35;12",
  "GH-12",
  "octo/docs#12",
  "#<!-- -->12",
  "closes ",
  "[x](https://github.com/o/r/issues/1)",
  "https://github.com/o/r/pull/1",
  "#**1**",
  "#[](x)1",
  "<img src=x onerror=alert(1)>",
  "<details>",
  "<!-- docs-agent:a.b -->",
  "```mermaid\n",
  "\\\n",
  "http:[](x)//x.example",
  "www[](x).x.example",
  "@[](x)octocat",
  "$$",
  "$a$",
  "\\",
  "  \n",
];

const anyMarkdown = fc
  .array(fc.oneof(fc.constantFrom(...MARKDOWN_PIECES), hostileText({ maxLength: 4 })), {
    maxLength: 16,
  })
  .map((pieces) => pieces.join(""));

test("no answer does anything but show text", () => {
  fc.assert(
    fc.property(anyMarkdown, (markdown) => {
      expectInert(renderInert(markdown, ROOM).html);
    }),
    { numRuns: runs(400) },
  );
});

test("no answer takes more room than it has", () => {
  fc.assert(
    fc.property(anyMarkdown, fc.integer({ min: 0, max: 400 }), (markdown, room) => {
      const inert = renderInert(markdown, room);
      expect(inert.html.length).toBeLessThanOrEqual(room);
      expectInert(inert.html);
    }),
    { numRuns: runs(200) },
  );
});

test("white space in code takes time in proportion to its length", async () => {
  const render = (length: number) => renderInert(`\`\`\`\na${" ".repeat(length)}b`, ROOM);
  expect((await expectNoSquare(render, ROOM - 100)).isCut).toBe(false);
});

test("headings, lists, tables, code and links keep their form", () => {
  const html = shown(
    [
      "# Keys",
      "Rotate a **key** with *care*, ~~never~~ by `key rotate`.",
      "1. First\n2. Second\n   - inner",
      "> quoted",
      "| a | b |\n|---|--:|\n| `x\\|y` | z |",
      '```js\nif (a < b) "x"\n```',
      "See [the guide](https://docs.example/keys?a=1&b=2) and https://docs.example/x.",
    ].join("\n\n"),
  );
  for (const wanted of [
    "<h4>Keys</h4>",
    "<strong>key</strong>",
    "<em>care</em>",
    "<s>never</s>",
    "<code>key rotate</code>",
    "<ol>\n<li>First</li>\n<li>Second\n<ul>\n<li>inner</li>",
    "<blockquote>\n<p>quoted</p>\n</blockquote>",
    "<td><code>x|y</code></td>",
    '<td align="right">z</td>',
    '<pre lang="js"><code>if (a &lt; b) &quot;x&quot;</code></pre>',
    '<a href="https://docs.example/keys?a=1&amp;b=2">the guide</a>',
    '<a href="https://docs.example/x">docs.example/x</a>.',
  ]) {
    expect(html).toContain(wanted);
  }
});

test("a text that has no Markdown in it reads as it was written", () => {
  const words = fc.array(
    fc.constantFrom("key", "C#", "a_b", "1 < 2", "é", "漢字", "50%", "(x)", "f()"),
    {
      minLength: 1,
    },
  );
  fc.assert(
    fc.property(words, (it) => {
      const html = shown(`So ${it.join(" ")}`).replaceAll("&lt;", "<");
      expect(html).toBe(`<p>So ${it.join(" ")}</p>`);
    }),
  );
});

test.each([
  ["a relative address", "[x](/keys)"],
  ["a script", "[x](javascript:alert)"],
  ["plain http", "[x](http://docs.example)"],
  ["an issue", "[x](https://github.com/o/r/issues/1)"],
  ["an issue, encoded", "[x](https://github.com/o/r/%69ssues/1)"],
])("a link to %s is text", (_, markdown) => {
  expect(shown(markdown)).toBe(`<p>${markdown.replace(":/", `:${BREAK}/`)}</p>`);
});

test("a link without an address is its text", () => {
  expect(shown("[x]() [](  )y")).toBe("<p><a>x</a> <a></a>y</p>");
});

test("an image is a link to it, by its description", () => {
  expect(shown("![the dashboard](https://docs.example/i.png)")).toBe(
    '<p><a href="https://docs.example/i.png">the dashboard</a></p>',
  );
});

test("a drawing is shown as the code it is made of", () => {
  expect(shown("```mermaid\ngraph TD\n```")).toContain('<pre lang="text"><code>graph TD');
});

test("nobody can tick the box of a task", () => {
  const tasks = shown("- [ ] a\n- [X]\n  b\n- [\n  ] c");
  const items = [`[${BREAK} ] a`, `[${BREAK}X] b`, `[${BREAK} ] c`];
  expect(tasks).toBe(`<ul>\n${items.map((item) => `<li>${item}</li>\n`).join("")}</ul>`);
});

test("what nests deeper than a page can show is still shown", () => {
  for (const markdown of [`${">".repeat(40)} deep`, `${"- ".repeat(40)}deep`]) {
    expect(shown(markdown)).toContain("deep");
  }
  const abyss = renderInert(">".repeat(60_000), 3000);
  expect(abyss.html.length).toBeLessThanOrEqual(3000);
  expect(renderInert(`${"> ".repeat(20_000)}x`, ROOM).html.length).toBeLessThanOrEqual(ROOM);
});

test("an answer that does not fit is cut, and says so", () => {
  const paragraph = "All about keys. ".repeat(20).trim();
  const { html, isCut } = renderInert(`${paragraph}\n\n${paragraph}\n\n${paragraph}`, 800);
  expect(isCut).toBe(true);
  expect(html.startsWith(`<p>${paragraph}</p>\n<p>${paragraph}</p>\n<p>`)).toBe(true);
  expect(html.endsWith("…</p>")).toBe(true);
  expect(renderInert(paragraph, 800)).toEqual({ html: `<p>${paragraph}</p>`, isCut: false });
});

test("a code block that is cut is still one code block", () => {
  const answer = `\`\`\`js\n${"@octocat fixes #1\n".repeat(500)}\`\`\``;
  const { html, isCut } = renderInert(answer, 2000);
  expect(isCut).toBe(true);
  expect(html).toMatch(/^<pre lang="js"><code>[^<]*<\/code><\/pre>$/);
});

test("a paragraph of any length is looked into by pieces", () => {
  const { html } = renderInert(`${"*a* @octocat ".repeat(1500)}\n\n*b*`, ROOM);
  expect(html).toContain(`<em>a</em> @${BREAK}octocat`);
  expect(html).toMatch(/<p><em>b<\/em><\/p>$/);
});

test("a link of the action's own escapes its text, and is text when its address is not safe", () => {
  expect(inertLink("a](https://evil.example) <b>", "https://docs.example/a")).toBe(
    `<a href="https://docs.example/a">a](https:${BREAK}//evil.example) &lt;b&gt;</a>`,
  );
  expect(inertLink("x *y*", "javascript:alert(1)")).toBe("x *y*");
});
