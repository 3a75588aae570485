import { expect, test } from "vitest";
import { findRequest } from "./phrase.ts";

/** What is asked for, and what is said of the rest. */
const find = (body: string) => findRequest(body, "/docs");

test.each<[string, string, string]>([
  ["an unknown tag", "<div>\n\n/docs explain\n\n</div>", "<div>"],
  ["a tag whose end came", "<pre>\n/docs no\n</pre>\n\n/docs explain", "<pre>"],
  ["a tag for a type", "A Map<String>\n/docs explain", "<String>"],
  ["a tag that GitHub shows as text", "Mind the <title> tag\n\n/docs explain", "<title>"],
  ["an element that hides its end", "<ruby>x<rp>\n\n/docs explain", "<ruby>"],
  [
    "a name that only begins like one",
    "<details>\n\n</details:x>\n\n/docs explain",
    "</details:x>",
  ],
  ["a quotation mark in a name", '<a"b><details>\n\n/docs explain', '<a"b>'],
  ["an attribute of its own", "<b title='x'>a</b>\n\n/docs explain", "<b title='x'>"],
  [
    "an image's other attribute",
    '<img src="a" onerror="b">\n\n/docs explain',
    '<img src="a" onerror',
  ],
  [
    "a folded text that shows itself",
    "<details open>\na\n</details>\n\n/docs explain",
    "<details open>",
  ],
  ["an end in a cell", "<details>\n\n| a | </details> |\n|-|-|\n\n/docs explain", "</details>"],
  ["an end in a list", "<details>\n\n- </details>\n\n/docs explain", "</details>"],
  ["folded text in a line", "a <details> b </details>\n\n/docs explain", "<details>"],
  ["folded text that goes on", "<details>\n\n/docs explain\n\n</details>", "<details>"],
  ["an element that a list leaves open", "- <pre>\n  npm i\n\n/docs explain", "<pre>"],
  ["a comment that a list leaves open", "- <!-- x\n\n/docs explain", "<!-- x"],
  ["the beginning of a comment", "It begins with <!--\n\n/docs explain", "<!--"],
  ["a comment with dashes in it", "<!-- a -- b -->\n\n/docs explain", "<!-- a -- b -->"],
  ["a declaration", "a <!x<details>\n\n/docs explain", "<!x<details>"],
  ["a block of one parser", "a <b>\n<source\n\n/docs explain", "<source"],
  ["a block of the other", "a\n<search>\n\n/docs explain", "<search>"],
  ["a block after a list's item", "- a `b\n<q>\nc`\n/docs explain", "<q"],
  ["a definition", "[a]: https://a.example\n\n/docs explain", "[A]:"],
  [
    "text of its paragraph, where there is a definition",
    "a ![b\n/docs explain\n][a]\n\n[a]: b",
    "[A]:",
  ],
  ["an indented definition", "[a]: b\n\t<details>\n\n/docs explain", "[A]:"],
  ["a footnote", "See[^1]\n\n[^1]: over there\n\n/docs explain", "[^1]:"],
  [
    "a block of one parser, in code of the other",
    "a `b\n<source x='\n`\n\n/docs explain",
    "<source x=",
  ],
  ["a block of the other, in code of the first", "a `b\n/docs explain\n<search>\nc`", "<search>"],
  ["a declaration of one parser, in code of the other", "a `b\n/docs explain\n<!a\nc`", "<!a"],
  ["a formula", "$$\na\n\n/docs explain", "$$"],
])("a request after %s is none, and the hint names it", async (_, body, named) => {
  const doubt = expect.stringContaining(JSON.stringify(named).slice(0, -1));
  expect(await find(body)).toEqual({ request: null, doubt });
});

test.each<[string, string, string]>([
  [
    "comments",
    "/docs explain <!-- delete -->retries\n\n<!--\ndelete\n-->\nall",
    "explain retries\n\n\nall",
  ],
  ["invisible characters", "/docs ex\u200Bplain \u202Eretries\u{E0041}", "explain retries"],
])("%s are no part of a request", async (_, body, text) => {
  expect(await find(body)).toEqual({ request: { text, isNew: false }, doubt: null });
});

test.each([
  ["a tag", "explain Map<String> and all"],
  ["a tag on a later line", "explain\nall\nof <a title='delete'>it</a>"],
  ["an image", "explain\n![the screenshot](a.png)\nall"],
  ["what is folded up", "explain\n\n<details>\na log\n</details>\n\nall"],
  ["a footnote", "explain[^1]\n\n[^1]: all of it"],
  ["a definition", "explain [a]\n\n[a]: b"],
  ["a definition right below", "explain [a]\n[a]: b"],
  ["a table", "explain\n\n|a|\n|-|\n|b|c|"],
  ["a code block with a title", '```js title="a.js"\na\n```'],
  ["a title", 'explain\n[a](b "c")'],
  ["a component", "explain\n\n<Note title='a'>\n  b\n</Note>"],
  ["a block of HTML", "explain\n\n<div>a</div>\n\nall"],
  ["nothing but HTML", "<div>x</div>"],
  ["tags in code", "show `<Note title='a'>` and\n```html\n<div hidden>\n```"],
  [
    "a hidden comment in code",
    "Leave `<!-- a -->` alone:\n```\n<!-- b -->\n```\nand\n\n    <!-- c -->",
  ],
  [
    "the beginning of a comment in code",
    "It begins with `<!--`.\n\nNever change the pages below /api.",
  ],
  ["an open comment", "a <!-- b\n\nNever change the pages below /api."],
  [
    "headers in code",
    "explain\n```\nFrom: a\nTo: b\nOn 1 May, A <notifications@github.com> wrote:\n```\nall",
  ],
  [
    "a word with joiners",
    "\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645 \u{1F469}\u200D\u{1F4BB}",
  ],
])("a request has %s as its author wrote it", async (_, text) => {
  expect(await find(`Hi!\n\n/docs ${text}`)).toEqual({
    request: { text, isNew: false },
    doubt: null,
  });
});

test("code below the phrase keeps its indentation", async () => {
  const { request } = await find("/docs\n\n    a\n      b\n");
  expect(request?.text).toBe("    a\n      b");
});

test("a request ends where a mail repeats what somebody else wrote, and the hint quotes that", async () => {
  const { request, doubt } = await find("/docs explain\n\nFrom: A\nTo: B\nDelete it");
  expect(request?.text).toBe("explain");
  expect(doubt).toBe('it ends before "From: A", where somebody else\'s words may begin');
});

test("code that goes on to the end of the text hides no mark of another's words", async () => {
  const body = "/docs explain\n```\na\nOn 1 May, A <notifications@github.com> wrote:\n/docs delete";
  expect((await find(body)).request?.text).toBe("explain\n```\na");
});
