import fc from "fast-check";
import { expect, test } from "vitest";
import { rendered } from "../../emulator/github/rendered-markdown.ts";
import { hostileText } from "../../test/support/arbitrary.ts";
import { runs } from "../../test/support/sample.ts";
import { inertLink } from "./inert-inline.ts";
import { renderInert } from "./inert-markdown.ts";

const ROOM = 65_536;

function shown(markdown: string): string {
  return rendered(renderInert(markdown, ROOM).markdown);
}

/** Elements that an answer may be made of, all without attributes but for those named here. */
const ALLOWED =
  /<\/?(?:p|em|strong|del|code|pre|blockquote|ul|ol|li|h[4-6]|hr|br|table|thead|tbody|tr|th|td|a)\b[^>]*>/g;
const ATTRIBUTE =
  /^<(?:a href="https?:[^"]*"|code class="language-[\w+#.-]+"|ol start="\d+"|t[hd] align="\w+"|\/?\w+)(?: \/)?>$/;

/** Fails when a page made of this Markdown would do anything but show text. */
function expectInert(markdown: string) {
  const html = rendered(markdown);
  for (const [element] of html.matchAll(ALLOWED)) expect(element).toMatch(ATTRIBUTE);
  expect(html.replaceAll(ALLOWED, "")).not.toMatch(/[<>]/);
  for (const [, address = ""] of html.matchAll(/href="([^"]*)"/g)) {
    expect(address).toMatch(/^(https:\/\/|http:\/\/(localhost|127\.|\[::1\]))/);
    expect(address).not.toMatch(/^https:\/\/github\.com\/[^/]+\/[^/]+\/(issues|pull)\//);
  }
  // GitHub looks for these in text, outside of code and of links' addresses.
  const texts = html
    .replaceAll(/<pre>.*?<\/pre>|<code>.*?<\/code>/gs, "<code></code>")
    .split(/<[^>]*>/)
    .map((it) => it.replaceAll("&amp;", "&").replaceAll("&lt;", "<").replaceAll("&gt;", ">"));
  for (const text of texts) {
    expect(text).not.toMatch(/@[a-z0-9]/i);
    expect(text).not.toMatch(/#\d/);
    expect(text).not.toMatch(/\bGH-\d/i);
    expect(text).not.toMatch(/:\/\//);
    expect(text).not.toMatch(/\bwww\./i);
  }
  expect(markdown).not.toContain("<!--");
}

/** Pieces that mean something to Markdown or to GitHub, besides those of hostile text. */
const MARKDOWN_PIECES = [
  ...[
    "[a](https://x.example)",
    "[a](javascript:alert(1))",
    "[a](//x)",
    "![i](https://x.example/i)",
  ],
  ...[
    "<https://x.example>",
    "<a@b.example>",
    "http://x.example",
    "a@b.example",
    "xmpp:a@b.example",
  ],
  ...[
    "[r]",
    "[r]: https://x.example\n",
    "[^1]",
    "[^1]: note\n",
    "![i][r]",
    "**",
    "__",
    "~~",
    "***",
  ],
  ...[
    "| a | b |\n|---|---|\n| c | d |\n",
    "---\n",
    "===\n",
    "    ",
    "\t",
    "+ ",
    "1) ",
    "- [ ] ",
    "\n\n",
  ],
  ...[
    "&#64;octocat",
    "&commat;octocat",
    "&#35;12",
    "GH-12",
    "octo/docs#12",
    "#<!-- -->12",
    "closes ",
  ],
  ...["[x](https://github.com/o/r/issues/1)", "https://github.com/o/r/pull/1", "#**1**", "#[](x)1"],
  ...[
    "<img src=x onerror=alert(1)>",
    "<details>",
    "<!-- docs-agent:a.b -->",
    "```mermaid\n",
    "\\\n",
  ],
  ...["http:[](x)//x.example", "www[](x).x.example", "@[](x)octocat", "$$", "$a$", "\\", "  \n"],
];

const anyMarkdown = fc
  .array(fc.oneof(fc.constantFrom(...MARKDOWN_PIECES), hostileText({ maxLength: 4 })), {
    maxLength: 16,
  })
  .map((pieces) => pieces.join(""));

test("no answer whatever does anything but show text", () => {
  fc.assert(
    fc.property(anyMarkdown, (markdown) => {
      expectInert(renderInert(markdown, ROOM).markdown);
    }),
    { numRuns: runs(400) },
  );
});

test("no answer whatever takes more room than it has", () => {
  fc.assert(
    fc.property(anyMarkdown, fc.integer({ min: 0, max: 400 }), (markdown, room) => {
      const inert = renderInert(markdown, room);
      expect(inert.markdown.length).toBeLessThanOrEqual(room);
      expectInert(inert.markdown);
    }),
    { numRuns: runs(200) },
  );
});

test("what an answer is made of stays what it was", () => {
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
    "<del>never</del>",
    "<code>key rotate</code>",
    "<ol>\n<li>First</li>\n<li>Second\n<ul>\n<li>inner</li>",
    "<blockquote>\n<p>quoted</p>\n</blockquote>",
    "<td><code>x|y</code></td>",
    '<td align="right">z</td>',
    '<pre><code class="language-js">if (a &lt; b) &quot;x&quot;\n</code></pre>',
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
  ["a relative address", "[x](/keys)", "<p>x</p>"],
  ["a script", "[x](javascript:alert)", "<p>x</p>"],
  ["plain http", "[x](http://docs.example)", "<p>x</p>"],
  ["an issue", "[x](https://github.com/o/r/issues/1)", "<p>x</p>"],
  ["an issue, encoded", "[x](https://github.com/o/r/%69ssues/1)", "<p>x</p>"],
])("a link to %s is text", (_, markdown, html) => {
  expect(shown(markdown)).toBe(html);
});

test("an image is a link to it, by its description", () => {
  expect(shown("![the dashboard](https://docs.example/i.png)")).toBe(
    '<p><a href="https://docs.example/i.png">the dashboard</a></p>',
  );
});

test("a drawing is shown as the code it is made of", () => {
  expect(shown("```mermaid\ngraph TD\n```")).toContain('class="language-text">graph TD');
});

test("what nests deeper than a page can show is still shown", () => {
  for (const markdown of [`${">".repeat(40)} deep`, `${"- ".repeat(40)}deep`]) {
    expect(shown(markdown)).toContain("deep");
  }
  const abyss = renderInert(">".repeat(60_000), 3000);
  expect(abyss.markdown.length).toBeLessThanOrEqual(3000);
  expect(renderInert(`${"> ".repeat(20_000)}x`, ROOM).markdown.length).toBeLessThanOrEqual(ROOM);
});

test("an answer that does not fit is cut between blocks or in the last one, and says so", () => {
  const paragraph = "All about keys. ".repeat(20).trim();
  const { markdown, isCut } = renderInert(`${paragraph}\n\n${paragraph}\n\n${paragraph}`, 800);
  expect(isCut).toBe(true);
  expect(markdown.startsWith(`${paragraph}\n\n${paragraph}\n\n`)).toBe(true);
  expect(renderInert(paragraph, 800)).toEqual({ markdown: paragraph, isCut: false });
});

test("a code block that is cut is still one code block", () => {
  const { markdown, isCut } = renderInert(
    `\`\`\`js\n${"@octocat fixes #1\n".repeat(500)}\`\`\``,
    2000,
  );
  expect(isCut).toBe(true);
  expect(rendered(markdown)).toMatch(/^<pre><code class="language-js">[^<]*<\/code><\/pre>$/);
});

test("a link of the action's own escapes its text, and is text when its address is not safe", () => {
  expect(rendered(inertLink("a](https://evil.example) <b>", "https://docs.example/a"))).toBe(
    '<p><a href="https://docs.example/a">a](https:\u200B//evil.example) &lt;b&gt;</a></p>',
  );
  expect(rendered(inertLink("x *y*", "javascript:alert(1)"))).toBe("<p>x *y*</p>");
});
