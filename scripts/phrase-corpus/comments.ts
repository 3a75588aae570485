import { readFileSync } from "node:fs";
import fc from "fast-check";

/** One of a file's pieces, one a line; `⏎` is a line break in it, and an empty line an empty piece. */
function pieceOf(file: string): fc.Arbitrary<string> {
  const text = readFileSync(new URL(file, import.meta.url), "utf8").replace(/\n$/, "");
  return fc.constantFrom(...text.split("\n").map((piece) => piece.replaceAll("⏎", "\n")));
}

/** Pieces of comments, which may begin, end or contain something that hides a line. `{w}` becomes a unique word. */
const MARKDOWN = pieceOf("markdown.txt");
/** Raw HTML, harmless and not, whole and in parts. */
const HTML = pieceOf("html.txt");

const BEFORE = ["", "", "", "", " ", "   ", "     ", "\t", "> ", ">     ", "- ", "  ", "</b>"];
const AFTER = [
  "",
  "",
  " `{w}",
  " <!-- {w}",
  " <details>",
  " {w}](c)",
  "` {w}",
  " <b title='{w}'>",
  " | {w}",
];
const REQUEST = fc
  .tuple(fc.constantFrom(...BEFORE), fc.constantFrom(...AFTER))
  .map(([before, after]) => `${before}/docs {a} {w}${after}`);

/**
 * A comment made of such pieces, and of requests with different numbers. Each word has a number of its own, too.
 */
export const COMMENT = fc
  .tuple(fc.nat(6), fc.constantFrom(["\n"], ["\n", "\n\n"]))
  .chain(([html, gaps]) => {
    const piece = fc.oneof(
      { arbitrary: REQUEST, weight: 3 },
      { arbitrary: HTML, weight: html },
      { arbitrary: MARKDOWN, weight: 7 - html },
    );
    const parts = fc.array(fc.tuple(piece, fc.constantFrom(...gaps)), {
      minLength: 2,
      maxLength: 10,
    });
    return parts.map((all) => `${all.flat().join("")}/docs {a} {w}`);
  })
  .map((text) => {
    let number = 0;
    return text.replace(/\{([aw])\}/g, (_, kind) => `${kind === "a" ? "ask" : "word"}${number++}z`);
  });
