import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../test/support/sample.ts";
import { plainText, shownText } from "./prompt-context.ts";

test.each<[string, string, string]>([
  ["a hidden comment", "a<!-- b -->c", "ac"],
  ["a hidden comment of several lines", "a\n<!-- b\n\nc -->\nd", "a\n\nd"],
  ["a hidden comment that is not closed", "a\n\n<!-- b\n\nc", "a"],
  ["one that is not closed in HTML", "a\n\n<div><!--\n\nb\n", "a\n\n<div>"],
  ["one in HTML", "<details>\n<!-- b -->\na\n</details>", "<details>\n\na\n</details>"],
  ["what some parsers take for one", "a<!-- b -- b -->c", "ac"],
  ["one in a table", "|a|b|\n|-|-|\n|`|<!-- b -->`|", "|a|b|\n|-|-|\n|`|`|"],
  ["one whose beginning is split by another", "<!-<!-- x -->- hidden -->", ""],
  ["one where invisible characters break a fence", "\u200B```\n<!-- b -->\n```", "```\n\n```"],
  ["two hidden comments", "a<!--b-->c<!--d-->e", "ace"],
  ["a comment whose beginning is split by an invisible character", "a<!\u200B-- b -->c", "ac"],
  ["a comment whose end is split by an invisible character", "a<!-- b -\u200B-> c", "a c"],
  ["a marker", "a<!-- docs-agent:eyJ2IjoxfQ.c2ln -->", "a"],
  ["zero-width characters", "a\u200Bb\u200Cc\u200Dd\u2060e\uFEFFf", "abcdef"],
  ["characters that turn the direction", "a\u202Eb\u2066c\u2069d\u061Ce\u200Ef", "abcdef"],
  ["tag characters", "a\u{E0049}\u{E0067}\u{E006E}\u{E007F}b", "ab"],
  ["variation selectors", "a\u{E0101}\uFE01b", "ab"],
  ["soft hyphens", "a\u00ADb", "ab"],
  ["letters that are shown as nothing", "a\u3164\u115F\uFFA0b", "ab"],
  ["control characters", "a\u0000\u001B[31mb\u0007", "a[31mb"],
  ["every kind of line end", "a\r\nb\rc\u2028d\u2029e", "a\nb\nc\nd\ne"],
])("%s is taken out", async (_, text, shown) => {
  expect(await shownText(text)).toBe(shown);
});

test.each([
  ["in code", "Remove `<!-- a -->`:\n\n```html\n<!-- b\n```\n\n    <!-- c -->\n\nLast."],
  ["without an end, which hides nothing", "It begins with <!-- and\n\nLast."],
])("the beginning of a comment %s stays, and what follows it", async (_, text) => {
  expect(await shownText(`First.\n\n${text}`)).toBe(`First.\n\n${text}`);
});

test("text that is no Markdown has no comments, and loses what is invisible", () => {
  expect(plainText(" a <!-- b\u200B --> <!-- c ")).toBe("a <!-- b --> <!-- c");
});

/** Words by which parts of a text are known again: those that are shown, and those that are hidden. */
const SHOWN = [
  "S",
  "`S <!-- S -->`",
  "```html\n<!-- S\n```",
  "    <!-- S -->",
  "S <!-- S",
  "<b>S</b>",
];
const HIDDEN = [
  "<!-- H -->",
  "S <!--H\nH--> S",
  "<!--\n\nH\n\n-->",
  "<div>\n<!-- H -->\nS\n</div>",
  "<? H ?>",
];

test("of any paragraphs, all that is shown stays, and no comment does", async () => {
  const paragraphs = fc.array(fc.constantFrom(...SHOWN, ...HIDDEN), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(paragraphs, fc.constantFrom("\n", "\r\n"), async (parts, lineEnd) => {
      let number = 0;
      const text = parts.join("\n\n").replaceAll(/[SH]/g, (kind) => `${kind}${number++}z`);
      const words = (await shownText(text.replaceAll("\n", lineEnd))).match(/[SH]\d+z/g);
      expect(words).toEqual(text.match(/S\d+z/g));
    }),
    { numRuns: runs(500) },
  );
});

test("of the comments of the corpus, each word that GitHub shows stays", async () => {
  const path = new URL("../../../test/data/phrase-corpus.jsonl", import.meta.url);
  const rows = readFileSync(path, "utf8").trimEnd().split("\n");
  const lost: string[] = [];
  for (const row of rows) {
    const { body, seen }: { body: string; seen: string[] } = JSON.parse(row);
    const words: string[] = (await shownText(body)).match(/(?:ask|word)\d+z/g) ?? [];
    if (seen.some((word) => !words.includes(word))) lost.push(body);
  }
  // After an attribute that ends in another block, if at all, the parser does not know what is HTML.
  expect(lost.filter((body) => !body.includes("<div title='\n"))).toEqual([]);
});
