import { expect, test } from "vitest";
import { expectNoSquare } from "../../test/support/work-of.ts";
import { withoutComments } from "./html-comments.ts";

test.each([
  ["in a line", "a <!-- b --> c", "a  c"],
  ["over lines of a quotation", "> a <!-- b\n> c --> d", "> a  d"],
  ["as a block", "<!--\na\n\nb\n-->\nx", "\nx"],
  ["of several in a block", "<!-- a --> b <!-- c -->\n\nd", " b \n\nd"],
  ["in a list", "- <!-- x -->\n- y", "- \n- y"],
  ["in a heading", "# h <!-- x -->", "# h "],
  ["in the text of a link", "[a <!-- b --> c](d)", "[a  c](d)"],
  ["after the same in code", "`<!-- b -->` <!-- b --> c", "`<!-- b -->`  c"],
  ["after one in code that is open", "```\n<!-- y\n```\nz <!-- q -->", "```\n<!-- y\n```\nz "],
  ["in indented lines", "  p <!-- x -->\n   q <!-- y --> r  \n s", "  p \n   q  r  \n s"],
])("a comment %s is removed", (_, text, expected) => {
  expect(withoutComments(text)).toBe(expected);
});

test.each([
  ["without an end", "a <!-- b\n\nc"],
  ["without an end, as a block", "<!-- b\n\nc"],
  ["in code", "    a <!-- b -->\n\n`<!-- c -->`"],
  ["with dashes in it, which one parser takes for text", "a <!-- b -- c --> d"],
  ["in the description of an image", "![a <!-- b -->](c)"],
  ["in a cell", "| a |\n|---|\n| <!-- b --> |"],
])("what looks like a comment %s stays", (_, text) => {
  expect(withoutComments(text)).toBe(text);
});

test("only what follows a position is returned", () => {
  expect(withoutComments("a <!-- b --> c <!-- d --> e", 14)).toBe("  e");
});

test.each(["<!--", "a<!--", "<!-- a -->\n", "x<!--a-->\n", "> <!-- a -->\n"])(
  "%j, over and over, takes no time by the square of its length",
  async (part) => {
    await expectNoSquare(async (length) => {
      withoutComments(part.repeat(length / part.length));
    }, 65_536);
  },
);
