import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleOf } from "../../../test/support/sample.ts";
import { expectNoSquare } from "../../../test/support/work-of.ts";
import { findRequest } from "./phrase.ts";

/** Generated comments, and what GitHub's own parser shows of each (scripts/phrase-corpus.ts). */
const CORPUS = readFileSync(
  new URL("../../../test/data/phrase-corpus.jsonl", import.meta.url),
  "utf8",
)
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Row);

interface Row {
  body: string;
  /** The number of the request; null when nothing is asked for. */
  heard: string | null;
  /** The requests, and all words, that a reader sees. */
  shown: string[];
  seen: string[];
}

async function textOf(body: string, phrase = "/docs"): Promise<string | null> {
  return (await findRequest(body, phrase)).request?.text ?? null;
}

test.each(sampleOf(CORPUS, 50, "comments"))(
  "of comment %# is heard what GitHub shows, and all that it shows of that",
  async ({ body, heard, shown, seen }) => {
    const { request } = await findRequest(body, "/docs");
    const words: string[] = request?.text.match(/(?:ask|word)\d+z/g) ?? [];
    expect(words[0] ?? null).toBe(heard);
    if (heard === null) return;
    expect(shown).toContain(heard);
    const begin = body.indexOf(heard);
    const expected = seen.filter((word) => body.indexOf(word) >= begin);
    expect(expected.filter((word) => !words.includes(word))).toEqual([]);
  },
);

test("the corpus has comments that ask and comments that do not, with HTML and without", () => {
  expect(CORPUS).toHaveLength(500);
  for (const isHeard of [true, false]) {
    const some = CORPUS.filter(({ heard }) => (heard !== null) === isHeard);
    expect(some).toHaveLength(250);
    expect(some.filter(({ body }) => body.includes("<")).length).toBeGreaterThan(100);
  }
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
  "a<!--",
  "<!--",
  "<a",
  "<a ",
  '<a b="',
  "<div>\n",
  "<?",
  "<![CDATA[",
  "<!A",
  "</code><code>",
  ">",
  "> ",
  "- ",
  "1. ",
  "- > ",
  "- x\n",
  "> a\n",
  "\t",
  "#\n",
  "`",
  "`a",
  "``a`",
  "~~~\n",
  "[",
  "![",
  "[a](",
  "![a](",
  "[a]",
  "[a][",
  "[]",
  "[![",
  "[a]: b\n",
  "[a]: (\n",
  "[^a]: b\n",
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
