import { expect, test } from "vitest";
import { expectNoSquare } from "../../test/support/work-of.ts";
import { RawHtml } from "./raw-html.ts";

function hides(...pieces: string[]): boolean {
  const html = new RawHtml();
  for (const piece of pieces) html.read(piece);
  return html.hidesText;
}

test.each<[string, string[]]>([
  ["an element for code", ["<pre>"]],
  ["an element in another", ["<div><CODE class='a'>"]],
  ["an element that another one's end does not close", ["<code><kbd>", "</kbd>"]],
  ["a quotation", ["<blockquote\ncite=x>"]],
  ["what is folded up", ["<details><summary>a</summary>"]],
  ["a comment that does not end", ["<div><!-- a"]],
  ["a comment that another piece seems to end", ["<!-- a", "-->"]],
  ["a value that does not end", ['<div title="']],
  ["a value that does not end, after one that does", ["<div id = 'a' title= '>"]],
  ["a block in code that is closed", ["<code><pre>", "</code>"]],
  ["an element in a line that a block in it keeps open", ["<kbd><pre>", "</kbd>", "</pre>"]],
  ["code that goes on after an element that holds it", ["<pre><code>", "</pre>"]],
])("%s hides text", (_, pieces) => {
  expect(hides(...pieces)).toBe(true);
});

test.each<[string, string[]]>([
  ["nothing", []],
  ["an element that is shown as it is", ["<div><b>"]],
  ["an element that is closed", ["<pre>", "</PRE >"]],
  ["an element whose holder is closed", ["<details><kbd>", "</details>"]],
  ["the end of what never began", ["</pre>"]],
  ["a comment", ["<!-- <pre> -->"]],
  ["an empty comment", ["<!-->", "<!--->"]],
  ["a comment with a browser's other end", ["<!-- a --!>"]],
  ["a declaration", ["<?php <pre> ?>", "<!A <pre>"]],
  ["a tag in a value", ['<div title="<pre>">', "<div title='<!--'>"]],
  ["quotes that begin no value", ["<div it's>", '<div ">']],
  ["a tag that GitHub shows as text", ["<title>", "<script>"]],
  ["a name that only begins like one", ["<pretty>", "<codex>"]],
])("%s hides nothing", (_, pieces) => {
  expect(hides(...pieces)).toBe(false);
});

test("elements end with the list item or quotation that they began in, but for formatting", () => {
  for (const [element, isOpen] of [
    ["pre", false],
    ["kbd", false],
    ["code", true],
  ] as const) {
    const html = new RawHtml();
    const { depth } = html;
    html.read(`<${element}>`);
    html.leave(depth);
    expect(html.hidesText).toBe(isOpen);
  }
});

test.each([
  "<a",
  "<a b=",
  "<a b='",
  '<a b="',
  "<!--",
  "<!",
  "<",
  "= ",
  "<a <!--",
  "<kbd><pre>",
  "<tt>",
])("%j, over and over, is read once", async (part) => {
  const ends = "</q></kbd></tt></pre>".repeat(700);
  await expectNoSquare((length) => hides("<p ", part.repeat(length / part.length), ends), 50_000);
});
