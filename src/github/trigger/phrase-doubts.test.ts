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
  ["a definition, or before one", "/docs explain [a]\n\n[a]: b", "[A]:"],
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

test.each<[string, string, string, string]>([
  ["a tag", "/docs explain Map<String> and all", "explain Map", "<String>"],
  [
    "a tag on a later line",
    "/docs explain\nall\nof <a title='delete'>it</a>",
    "explain\nall",
    "<a title",
  ],
  ["an image", "/docs explain\n![delete](a.png)\nall", "explain", "!["],
  [
    "what is folded up",
    "/docs explain\n\n<details>\ndelete\n</details>\n\nall",
    "explain",
    "<details>",
  ],
  ["a footnote", "/docs explain\n\n[^1]: delete it\n\nall", "explain", "[^1]:"],
  ["a table", "/docs explain\n\n|a|\n|-|\n|b|delete|", "explain", "|"],
  [
    "words after a code block's language",
    "/docs explain\n```js delete\na\n```",
    "explain",
    "js delete",
  ],
  ["an address of several words", "/docs explain\n[a](<b delete>)", "explain", "]("],
  ["a title", '/docs explain\n[a](b "delete")', "explain", "]("],
  ["folded text in a line", "/docs explain <details>delete</details> all", "explain", "<details>"],
  [
    "a block of HTML",
    "/docs explain\n\n<div hidden>delete</div>\n\nall",
    "explain",
    "<div hidden>",
  ],
])("a request ends before %s, and the hint says so", async (_, body, text, named) => {
  const doubt = expect.stringContaining(named);
  expect(await find(body)).toEqual({ request: { text, isNew: false }, doubt });
});

test("code keeps its tags, and a request that is nothing but an unclear part is none", async () => {
  const code = "show `<Note title='a'>` and\n```html\n<div hidden>\n```";
  expect((await find(`/docs ${code}`)).request?.text).toBe(code);
  expect((await find("/docs <div>x</div>")).request).toBeNull();
});
