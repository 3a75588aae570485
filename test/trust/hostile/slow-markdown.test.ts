import fc from "fast-check";
import { test } from "vitest";
import { renderInert } from "../../../src/text/inert-markdown.ts";
import { isExhaustive, sampleOf, seedOf } from "../../support/sample.ts";
import { expectNoSquare } from "../../support/work-of.ts";

/** About as long as the longest comment. */
const LENGTH = 65_536;

/** Pieces that some Markdown parsers are slow at when they repeat. */
const SLOW_PIECES: readonly string[] = [
  "*",
  "_",
  "~",
  "`",
  "[",
  ">",
  "!",
  "|",
  "![",
  "[[a](",
  "[a](<b",
  "[][",
  "[`",
  "[<a ",
  "*a ",
  "a**b",
  "*a_ ",
  "a***",
  "*~_a_~ ",
  "/__",
  "<)*~",
  "`a",
  '<a b="',
  "<![CDATA[",
  "&#",
  "a@b.",
  "https://a ",
  "//a.b/",
  "> ",
  "- a\n",
  "1. a\n",
  "> - a\n",
  "* *\n",
  "|a\n|-\n",
  "- ```\n",
  "<!--\n\n",
  "[a]: b\n",
  "[a]: <",
  "[a\n",
  "a\n--a\n",
];

/** Pieces for the first and the second half of a text. */
const TWO_HALVES: readonly [string, string][] = [
  ["[", "]"],
  ["[a](", ")"],
  ["![", "](b)"],
  ["*a _b ", "a* b_ "],
  ["a**", "*b"],
  ["> ", "a\n"],
  ["> ", "\n"],
  ["|a", "|\n|-"],
  [`${"> ".repeat(19)}a\n`, "a\n"],
];

function repeated(piece: string, length = LENGTH): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

/** @param markdownOf makes a text of about this length */
async function expectQuick(markdownOf: (length: number) => string): Promise<void> {
  const name = JSON.stringify(markdownOf(LENGTH).slice(0, 40));
  await expectNoSquare((length) => renderInert(markdownOf(length), length), LENGTH, name);
}

const LIMIT = { timeout: 300_000 };

test("repeated delimiters, blocks and links do not take quadratic time", LIMIT, async () => {
  for (const piece of sampleOf(SLOW_PIECES, 2, "pieces")) {
    await expectQuick((length) => repeated(piece, length));
  }
  for (const [first, second] of sampleOf(TWO_HALVES, 1, "halves")) {
    await expectQuick((length) => repeated(first, length / 2) + repeated(second, length / 2));
  }
});

test(
  "repeated delimiters in long paragraphs, lists and quotations do not take quadratic time",
  LIMIT,
  async () => {
    const pieces = ["![", "[", "*a_ ", "[[a](", "a**b", "`a", "<a ", "*]"];
    for (const piece of sampleOf(pieces, 1, "paragraphs")) {
      const paragraph = (length: number) => repeated(piece, length / 4);
      await expectQuick((length) => `${paragraph(length)}\n\n`.repeat(4));
      await expectQuick((length) => `- ${paragraph(length)}\n`.repeat(4));
      await expectQuick((length) => `> ${paragraph(length)}\n\n`.repeat(4));
    }
  },
);

test("repeated random mixtures of pieces do not take quadratic time", LIMIT, async () => {
  const pieces = fc.constantFrom(...SLOW_PIECES, "a", " ", "\n\n", "\n- ", "\n> ", "\t");
  const mixture = fc.array(pieces, { minLength: 2, maxLength: 5 }).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(mixture, (piece) => expectQuick((length) => repeated(piece, length))),
    { numRuns: isExhaustive ? 10 : 1, seed: seedOf("mixtures of Markdown") },
  );
});
