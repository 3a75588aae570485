import { expect, test } from "vitest";
import { expectNoSquare } from "../../test/support/work-of.ts";
import { withoutComments, withoutHidden } from "./html-comments.ts";

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
  ["in HTML", "<div>\n<!-- a -->\n</div>", "<div>\n\n</div>"],
  ["below tabs", "- a\n\t\tb <!-- c --> d", "- a\n\t\tb  d"],
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

test.each([
  ["as a block, without an end", "a\n\n<!-- b\n\nc", "a\n\n"],
  ["in HTML, without an end", "<div><!-- a\n\nb", "<div>"],
  ["in HTML, with its end in another block", "<div><!-- a\n\nb\n\n<p>--> c", "<div> c"],
  ["in HTML, with what looks like its end in text", "<div><!-- a\n\nb -->\n\nc", "<div>"],
  ["in a quotation, until another ends", "> <!-- a\n\nb <!-- c --> d", ">  d"],
  ["with dashes in it", "a <!-- b -- c --> d", "a  d"],
  ["of nothing, before text", "<!-->\n\na --> b", "\n\na --> b"],
  ["with the end that browsers know", "<!-- a --!>\nb\n-->", "\nb\n-->"],
  ["of another kind", "a\n\n<? b\n<!-- ?>\n\n<!A c>\n\n</ d>\ne", "a\n\n\n\n\n\n</ d>\ne"],
  ["in a cell", "| a |\n|---|\n| <!-- b --> |", "| a |\n|---|\n|  |"],
  ["among cells with marks of code", "|a|b|\n|-|-|\n|`|<!-- b -->`|", "|a|b|\n|-|-|\n|`|`|"],
  ["in a text that takes the parser long", `${"> a\nb\n".repeat(800)}<!-- c -->`, null],
])("a comment %s is removed with all that may be hidden", (_, text, expected) => {
  const shown = expected ?? text.replace("<!-- c -->", "");
  expect(withoutHidden(text)).toBe(shown);
});

test.each([
  ["without an end", "a <!-- b\n\nc"],
  ["in code", "    a <!-- b -->\n\n`<!-- c -->`\n\n```\n<!-- d\n```"],
  ["in code of a cell", "| a |\n|---|\n| `<!-- b -->` |"],
  ["in an attribute", '<p title="<!--">\na\n</p>'],
  ["without an end in a cell", "| a |\n|---|\n| <!-- b |\n\nc -->"],
])("what looks like a comment %s hides nothing", (_, text) => {
  expect(withoutHidden(text)).toBe(text);
});

test("only what follows a position is returned", () => {
  expect(withoutComments("a <!-- b --> c <!-- d --> e", 14)).toBe("  e");
});

test.each([
  "<!--",
  "a<!--",
  "<!-- a -->",
  "<!-- a -->\n",
  "<p><!--\n\n",
  "<p ",
  '<p a="\n\n',
  "<?\n",
  "</\n",
  "x<!--a-->\n",
  "> <!-- a -->\n",
])("%j, over and over, takes no time by the square of its length", async (part) => {
  await expectNoSquare(async (length) => {
    withoutComments(part.repeat(length / part.length));
    withoutHidden(part.repeat(length / part.length));
  }, 65_536);
});
