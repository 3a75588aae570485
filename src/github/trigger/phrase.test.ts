import { expect, test } from "vitest";
import { renderInvitation, renderUsage } from "../conversation/comment-text.ts";
import { findRequest } from "./phrase.ts";

async function textOf(body: string, phrase = "/docs"): Promise<string | null> {
  return (await findRequest(body, phrase)).request?.text ?? null;
}

test.each<[string, string, string]>([
  ["alone", "/docs", ""],
  ["with a request", "/docs explain retries", "explain retries"],
  ["in capitals", "/DOCS explain", "explain"],
  ["with a tab after it", "/docs\texplain", "explain"],
  ["with a no-break space after it", "/docs\u00A0explain", "explain"],
  ["after three spaces", "   /docs explain", "explain"],
  ["after an empty line", "\n\n/docs explain", "explain"],
  ["after other text", "Thanks!\n/docs explain\nplease", "explain\nplease"],
  ["with the request on the next line", "/docs\n\nexplain\nall", "explain\nall"],
  ["with lines that end in CR LF", "Hi\r\n/docs explain\r\nall\r\n", "explain\nall"],
  ["with lines that end in CR", "Hi\r/docs explain\rall", "explain\nall"],
  ["before a code block", "/docs show\n```\ncode\n```", "show\n```\ncode\n```"],
  ["before a quote", "/docs answer\n> this", "answer\n> this"],
  ["twice: the first counts", "/docs one\n/docs two", "one\n/docs two"],
  ["after a quote", "> /docs no\n\n/docs yes", "yes"],
  ["after a closed fence", "```\n/docs no\n```\n/docs yes", "yes"],
  ["after a hidden comment", "<!--\n/docs no\n-->\n/docs yes", "yes"],
  ["after a hidden comment of one line", "<!-- no -->\n/docs yes", "yes"],
  ["after a fence within a list", "- Try:\n  ```\n  npm i\n  ```\n\n/docs yes", "yes"],
  ["after code in a line", "`` ``` ``\n/docs yes", "yes"],
  ["after the beginning of a comment in code", "It begins with `<!--`.\n\n/docs yes", "yes"],
  ["after tags in code", "Mind `<title>` and\n```\n<pre>\n```\n/docs yes", "yes"],
  ["after a tag that is escaped", "Mind \\<title> and &lt;pre>\n/docs yes", "yes"],
  ["after addresses in angle brackets", "<https://a.example> <a@b.example>\n/docs yes", "yes"],
  ["after signs", "a < b, a <- b, <3\n/docs yes", "yes"],
  ["after tags of the grammar", "<b>A</b><br/><i>b</i><BR>\n<sub>c</sub> <sup>d\n/docs yes", "yes"],
  ["after keys", "Press <kbd>Ctrl</kbd>\n/docs yes", "yes"],
  [
    "after an image",
    '<img width="1" height="2" alt="Image" src="https://a.b/c" />\n\n/docs yes',
    "yes",
  ],
  ["after an image in its paragraph", 'See\n<img src="a.png" alt="A picture">\n/docs yes', "yes"],
  ["after an image in Markdown", "![A picture](a.png)\n/docs yes", "yes"],
  [
    "after what is folded up",
    "<details>\n<summary>The <b>log</b></summary>\n\n```\n/docs no\n```\n\n</details>\n\n/docs yes",
    "yes",
  ],
  [
    "after folds in folds",
    "<details>\n<details><summary>a</summary>b</details>\n</details>\n\n/docs yes",
    "yes",
  ],
  ["after a template's comments", "<!--- Title above --->\n\n<!-- a\nb -->\n/docs yes", "yes"],
  ["in a list item, on a line of its own", "- Please\n  /docs yes", "yes"],
  ["in a list within a list", "1. a\n   - Please\n     /docs yes", "yes"],
  ["after a list item, without an empty line", "- [ ] a task\n/docs yes", "yes"],
  ["deep in a paragraph", "Please\n        /docs yes", "yes"],
  ["in a heading", "/docs yes\n=====", "yes\n====="],
  ["after a table", "a | b\n-|-\nc | d\n\n/docs yes", "yes"],
  ["in emphasis", "**Please\n/docs yes**", "yes**"],
  ["in the text of a link", "[Please\n/docs yes](https://a.example)", "yes](https://a.example)"],
])("the phrase %s", async (_, body, text) => {
  expect(await textOf(body)).toBe(text);
});

test.each<[string, string]>([
  ["nowhere", "explain retries"],
  ["in the middle of a line", "please /docs explain"],
  ["with more letters", "/docsify explain"],
  ["with a sign after it", "/docs: explain"],
  ["with a full stop after it", "/docs."],
  ["in a path", "/docs/index.md is wrong"],
  ["within a word", "x/docs explain"],
  ["quoted", "> /docs explain"],
  ["as a list item", "- /docs explain"],
  ["as code in a line", "`/docs explain`"],
  ["in indented code", "    /docs explain"],
  ["after a tab", "\t/docs explain"],
  ["in a fence", "```\n/docs explain\n```"],
  ["in a fence of tildes", "~~~\n/docs explain\n~~~"],
  ["in a fence that is not closed", "```\n/docs explain"],
  ["in a hidden comment", "<!--\n/docs explain\n-->"],
  ["in a hidden comment of one line", "<!-- /docs explain -->"],
  ["in a hidden comment that is not closed", "<!-- x\n/docs explain"],
  ["in a hidden comment that begins where another ends", "<!-- a\n--> <!-- b\n/docs explain\n-->"],
  ["in a fence within a list", "- Try:\n  ```\n  /docs explain\n  ```"],
  ["in a hidden comment within a list", "- a\n\n  <!--\n  /docs explain\n  -->"],
  ["in a hidden comment that its list item does not close", "- <!-- x\n\n/docs explain"],
  ["in a hidden comment within a paragraph", "a <!--\n/docs explain\n-->"],
  ["in code of several lines", "Try `a\n/docs explain\nb`"],
  ["in code of several lines in a list", "- Try ``a\n  /docs explain\n  b``"],
  ["in a quotation that goes on lazily", "> quoted\n/docs explain"],
  ["in a quotation within a list", "- > quoted\n/docs explain"],
  ["in an element for code", "<pre>\n/docs explain\n</pre>"],
  ["in an element for code, as Markdown", "<div><pre>\n\n/docs explain\n\n</pre></div>"],
  ["in an element for code within a line", "a <code>\n/docs explain\n</code>"],
  ["in an element for code that is not closed", "a <code> b\n\n/docs explain"],
  ["in a script", "<script>\n/docs explain\n</script>"],
  ["in an HTML block", "<div>\n/docs explain\n</div>"],
  ["in an HTML block within a list", "- <div>\n  /docs explain\n  </div>"],
  ["in HTML that is folded up", "<details>\n\n/docs explain\n\n</details>"],
  ["in a quotation as HTML", "<blockquote>\n\n/docs explain\n\n</blockquote>"],
  ["in a declaration", "<?php\n/docs explain\n?>"],
  ["in a value of a tag", 'a <b title="\n/docs explain\n">b</b>'],
  ["in a value of a tag that its block does not close", '<div title="\n\n/docs explain\n\n">'],
  ["as the address of a definition", "[a]:\n/docs\n"],
  ["in the title of a definition", '[a]: https://a.example "\n/docs explain\n"'],
  ["in the title of a harmful definition", '[a]: javascript:a "\n/docs explain\n"'],
  ["in the name of a definition", "[a\n/docs explain]: https://a.example"],
  ["in the title of a link", '[a](https://a.example "\n/docs explain\n")'],
  ["in the name of a link's definition", "[a][b\n/docs c]\n\n[b /docs c]: https://a.example"],
  ["in the description of an image", "![a\n/docs explain](https://a.example)"],
  ["in a row of a table", "/docs explain | x\n--- | ---"],
  ["in a footnote", "a[^1]\n\n[^1]: note\n/docs explain"],
  ["in a footnote that nothing refers to", "[^1]: note\n\n    more\n/docs explain"],
  ["after zero-width space", "\u200B/docs explain"],
  ["empty", ""],
])("the phrase %s does not count", async (_, body) => {
  expect(await textOf(body)).toBeNull();
});

test.each<[string, string, boolean, string]>([
  ["/docs --new", "/docs", true, ""],
  ["/docs --new explain", "/docs", true, "explain"],
  ["/docs   --NEW\texplain", "/docs", true, "explain"],
  ["/docs\n--new explain", "/docs", true, "explain"],
  ["/docs explain --new", "/docs", false, "explain --new"],
  ["/docs --newer explain", "/docs", false, "--newer explain"],
  ["/docs --new--new", "/docs", false, "--new--new"],
])("%j asks for a fresh job or not", async (body, phrase, isNew, text) => {
  expect((await findRequest(body, phrase)).request).toEqual({ isNew, text });
});

/** Phrases that are full of what a regular expression, a template or Markdown would take for its own. */
const PHRASES = [
  "/docs",
  "@docs-bot",
  "docs?",
  "a.c",
  "[x]",
  "(",
  "$&",
  "\\d+",
  "^",
  "ŻÓŁĆ",
  "two words",
];

test.each(PHRASES)("the phrase %j is taken as it is written", async (phrase) => {
  expect(await textOf(`${phrase} explain`, phrase)).toBe("explain");
  expect(await textOf(`${phrase.toLowerCase()} explain`, phrase.toUpperCase())).toBe("explain");
  for (const other of ["abc explain", "doc explain", "x explain", "7 explain", " explain"]) {
    expect(await textOf(other, phrase)).toBeNull();
  }
});

test("the action's own comments ask for nothing, wherever their marker is", async () => {
  const marker = "<!-- docs-agent:eyJ2IjoxfQ.c2ln -->";
  for (const body of [
    `/docs explain\n\n${marker}`,
    `${marker}\n/docs explain`,
    `/docs ${marker}`,
  ]) {
    expect(await textOf(body)).toBeNull();
  }
});

test.each(["/docs", "@docs-bot", "docs:"])(
  "neither the usage nor the invitation asks by its own words, with the phrase %j",
  async (phrase) => {
    const bodies = [
      renderUsage("Docs agent", phrase),
      renderInvitation(phrase, 7),
      renderInvitation(phrase, null),
    ];
    for (const body of bodies) expect(await textOf(body, phrase)).toBeNull();
  },
);
