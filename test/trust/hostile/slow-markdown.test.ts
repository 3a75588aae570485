import fc from "fast-check";
import { expect, test } from "vitest";
import { renderInert } from "../../../src/text/inert-markdown.ts";
import { isExhaustive, sampleOf } from "../../support/sample.ts";

/** About as long as the longest comment. */
const LENGTH = 65_536;

/** Pieces that some parser of Markdown takes long for when they come again and again. */
const SLOW_FOR_SOMEBODY: readonly string[] = [
  ...["*", "_", "~", "`", "[", ">", "!", "|", "![", "[[a](", "[a](<b", "[][", "[`", "[<a "],
  ...["*a ", "a**b", "*a_ ", "a***", "*~_a_~ ", "/__", "<)*~", "`a", '<a b="', "<![CDATA["],
  ...["&#", "a@b.", "https://a ", "//a.b/", "> ", "- a\n", "1. a\n", "> - a\n", "* *\n"],
  ...["|a\n|-\n", "- ```\n", "<!--\n\n", "[a]: b\n", "[a]: <", "[a\n", "a\n--a\n"],
];

/** Texts whose beginning and end differ. */
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

/** Milliseconds of this thread's work, however much else the machine has to do. */
function workOf(what: () => void): number {
  const before = process.threadCpuUsage();
  what();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

function expectQuick(markdown: string): void {
  const work = workOf(() => renderInert(markdown, LENGTH));
  expect(work, JSON.stringify(markdown.slice(0, 40))).toBeLessThan(1000);
}

test("no run of delimiters, blocks or links takes a second", { timeout: 300_000 }, () => {
  for (const piece of sampleOf(SLOW_FOR_SOMEBODY, 4, "pieces")) expectQuick(repeated(piece));
  for (const [first, second] of sampleOf(TWO_HALVES, 2, "halves")) {
    expectQuick(repeated(first, LENGTH / 2) + repeated(second, LENGTH / 2));
  }
});

test("nor does one in paragraphs as long as are looked into, in lists and quotations", {
  timeout: 300_000,
}, () => {
  const pieces = ["![", "[", "*a_ ", "[[a](", "a**b", "`a", "<a ", "*]"];
  for (const piece of sampleOf(pieces, 1, "paragraphs")) {
    const paragraph = repeated(piece, 16_000);
    expectQuick(`${paragraph}\n\n`.repeat(4));
    expectQuick(`- ${paragraph}\n`.repeat(4));
    expectQuick(`> ${paragraph}\n\n`.repeat(4));
  }
});

test("nor does any other mixture", { timeout: 300_000 }, () => {
  const pieces = fc.constantFrom(...SLOW_FOR_SOMEBODY, "a", " ", "\n\n", "\n- ", "\n> ", "\t");
  const mixture = fc.array(pieces, { minLength: 2, maxLength: 5 }).map((it) => it.join(""));
  fc.assert(
    fc.property(mixture, (piece) => expectQuick(repeated(piece))),
    { numRuns: isExhaustive ? 20 : 2 },
  );
});
