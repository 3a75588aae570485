import fc from "fast-check";
import { expect, test } from "vitest";
import { runs, sampleOf } from "../../test/support/sample.ts";
import { shownLines } from "../../test/support/shown-lines.ts";
import { expectNoSquare } from "../../test/support/work-of.ts";
import { findRequest } from "./phrase.ts";

async function textOf(body: string, phrase = "/docs"): Promise<string | null> {
  return (await findRequest(body, phrase))?.text ?? null;
}

/** Pieces of pages, each of which may begin, end or hold what hides a line. */
const PIECES = [
  ...["", "", "text", "a `b", "c` d", "`` e", "# h", "===", "---", "* * *", "\\", "f\\", "&lt;"],
  ...["```", "~~~", "````", "```sh", "   ```", "- ```", "1. ```", "10. ```"],
  ...["> q", ">", "> ```", "> - q", "- > q", "- a", "-", "  b", "2) c", "   d", "   - e", "     f"],
  ...["    g", "\th", "  \t i", "<!-- x -->", "a <!-- b -->", "<!-->", "-->", "]]>"],
  ...["<div>", "</div>", "<details>", "</details>", "<script>", "</script>", "<b>", "</b>"],
  ...["<pre>", "</pre>", "<code>", "</code>", "a <code> b", "a </code> b", "a <kbd> b</kbd>"],
  ...['[a](b "c', 'd")', "![a", "b](c)", "[a][", "x]", "[x]"],
];
const BEGINNINGS = ["", "", "", " ", "   ", "     ", "\t", "> ", ">     ", "  > "];

/** Pages made of such pieces, and of requests that can be told apart by their numbers. */
function pagesOf(pieces: readonly string[]): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...pieces) },
    { weight: 4, arbitrary: fc.constantFrom(...BEGINNINGS).map((before) => `${before}/docs`) },
  );
  return fc.array(piece, { minLength: 1, maxLength: 9 }).map((all) => {
    let number = 0;
    return [...all, "/docs"].join("\n").replaceAll("/docs", () => `/docs ask${number++}!`);
  });
}

/** The requests on a page, as far as a reader sees them. */
function shownRequests(body: string): string[] {
  return shownLines(body).flatMap((line) => /^\s*\/docs (ask\d+!)/.exec(line)?.[1] ?? []);
}

async function heardRequest(body: string): Promise<string | undefined> {
  return /^ask\d+!/.exec((await textOf(body)) ?? "")?.[0];
}

test("what is heard is what a reader sees first, and what nobody sees is not heard", async () => {
  await fc.assert(
    fc.asyncProperty(pagesOf(PIECES), async (body) => {
      expect(await heardRequest(body)).toBe(shownRequests(body)[0]);
    }),
    { numRuns: runs(1_000) },
  );
});

test("HTML that its block does not end may hide more than it does on the page, but never less", async () => {
  const open = [
    "<!--",
    "a <!-- b",
    "- <!--",
    "> <!--",
    "<![CDATA[",
    "- <pre>",
    "> <code>",
    "<kbd>",
    'a <b title="',
    '">',
    "<div title='",
  ];
  await fc.assert(
    fc.asyncProperty(pagesOf([...PIECES, ...open]), async (body) => {
      const heard = await heardRequest(body);
      if (heard !== undefined) expect(shownRequests(body)).toContain(heard);
    }),
    { numRuns: runs(1_000) },
  );
});

test("definitions hide what they hold, whatever stands around them", async () => {
  const definition = fc.constantFrom("[x]: y", '[x]: y "t', 't"', "[x]:", "<y", "[x", "]: y", "");
  const lines = fc.array(fc.oneof(definition, fc.constant("/docs")), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(lines, async (pieces) => {
      let number = 0;
      const body = pieces.join("\n").replaceAll("/docs", () => `/docs ask${number++}!`);
      expect(await heardRequest(body)).toBe(shownRequests(body)[0]);
    }),
    { numRuns: runs(300) },
  );
});

test("lines may end in any way, and all that follows the phrase is asked for", async () => {
  const rest = fc.array(fc.constantFrom("", "> q", "    code", "/docs more", "```", "x"), {
    maxLength: 4,
  });
  const end = fc.constantFrom("\n", "\r\n", "\r");
  await fc.assert(
    fc.asyncProperty(rest, end, async (after, lineEnd) => {
      const body = ["Hello!", "/dOcs please", ...after].join(lineEnd);
      expect(await textOf(body)).toBe(["please", ...after].join("\n").trim());
    }),
  );
});

/** Texts that some Markdown parser takes long for, made as long as a comment may be. */
const LONG = 65_536;
const SLOW = [
  ...["a<!--", "<!--", "<a", "<a ", '<a b="', "<div>\n", "<?", "<![CDATA[", "<!A", "</code><code>"],
  ...[">", "> ", "- ", "1. ", "- > ", "- x\n", "> a\n", "\t", "#\n", "`", "`a", "``a`", "~~~\n"],
  ...["[", "![", "[a](", "![a](", "[a]", "[a][", "[]", "[![", "[a]: b\n", "[a]: (\n", "[^a]: b\n"],
  ...[
    "*_",
    "*a ",
    "a**b",
    "\\",
    "&",
    "|",
    "a|b\n-|-\n",
    "a@b.c ",
    "https://a ",
    "\0",
    "/docs\u200B\n",
  ],
];

test.each(sampleOf(SLOW, 5, "slow texts"))(
  "%j, over and over, takes no time by the square of its length",
  async (part) => {
    await expectNoSquare(async (length) => {
      const body = `[a]: b\n\n${part.repeat(length / part.length)}`.slice(0, length - 8);
      await findRequest(`${body}\n/docs x`, "/docs");
    }, LONG);
  },
);
