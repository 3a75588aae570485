import { expect, test } from "vitest";
import { sampleOf } from "../../test/support/sample.ts";
import { expectNoSquare } from "../../test/support/work-of.ts";
import { renderInert } from "./inert-markdown.ts";
import { areQuotationsCostly } from "./markdown.ts";
import { findShownLine } from "./shown-lines.ts";

const LENGTH = 65_536;
const COSTLY = [
  "> # a\nb\n",
  "> =\nb\n",
  "> > ---\nb\n",
  "> > # a\n> b\n",
  "- > # a\n  b\n",
  "> ```\nb\n",
];

const repeated = (piece: string, length = LENGTH) =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

test.each(COSTLY)(
  "quotations as in %j take no time by the square of their length, and are still shown",
  async (piece) => {
    const text = repeated(piece);
    expect(areQuotationsCostly(text.split("\n"))).toBe(true);
    const render = (length: number) => renderInert(repeated(piece, length), length);
    expect((await expectNoSquare(render, LENGTH)).html).toContain("b");
    await expectNoSquare((length) => {
      const lines = [...repeated(piece, length).split("\n"), "", "/docs"];
      findShownLine(lines, (line) => line === "/docs");
    }, LENGTH);
  },
);

test.each([
  ["long quotations", "> a\n> b\n".repeat(4000)],
  ["a long quotation that goes on without its mark", `${"> a\n".repeat(4000)}b\n`],
  ["many quotations that do, in paragraphs of their own", "> a\nb\n\n".repeat(400)],
  ["a thread of mails", `${"> > > a\n> > b\n> c\nd\n".repeat(5)}\n`.repeat(15)],
  ["lists and code", "- a\n- b\n\n```\nx > y\n```\n".repeat(2000)],
])("%s are not costly", (_, text) => {
  expect(areQuotationsCostly(text.split("\n"))).toBe(false);
});

test("an answer that is shown as code for its quotations fits, and does nothing", () => {
  const pieces = [...COSTLY, "> # `````\nb\n", "> # <!--\n@octocat\n"];
  for (const piece of sampleOf(pieces, 3, "costly quotations")) {
    for (const room of [0, 10, 100, 5000, LENGTH]) {
      const { html } = renderInert(repeated(piece), room);
      expect(html.length).toBeLessThanOrEqual(room);
      expect(html).not.toContain("<!--");
    }
  }
});
