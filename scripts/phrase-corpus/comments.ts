import { readFileSync } from "node:fs";

/** A file of pieces, one a line; `⏎` is a line break in it, and an empty line an empty piece. */
function pieces(file: string): string[] {
  const text = readFileSync(new URL(file, import.meta.url), "utf8").replace(/\n$/, "");
  return text.split("\n").map((piece) => piece.replaceAll("⏎", "\n"));
}

/** Pieces of comments, each of which may begin, end or hold what hides a line. `{w}` becomes a word of its own. */
const MARKDOWN = pieces("markdown.txt");

/** Raw HTML, harmless and not, whole and in parts. */
const HTML = pieces("html.txt");

const BEFORE = ["", "", "", "", " ", "   ", "     ", "\t", "> ", ">     ", "- ", "  ", "</b>"];
const AFTER = [
  ...["", "", " `{w}", " <!-- {w}", " <details>", " {w}](c)"],
  ...["` {w}", " <b title='{w}'>", " | {w}"],
];

/**
 * A comment made of such pieces, and of requests that can be told apart by their numbers; each word too has a
 * number of its own. The same random numbers make the same comment.
 *
 * @param random a number from 0 to 1
 */
export function drawComment(random: () => number): string {
  const one = (from: readonly string[]) => from[Math.floor(random() * from.length)] ?? "";
  const html = random() * 0.6;
  const drawn = Array.from({ length: 2 + Math.floor(random() * 9) }, () => {
    const draw = random();
    if (draw < 0.3) return `${one(BEFORE)}/docs {a} {w}${one(AFTER)}`;
    return one(draw < 0.3 + html ? HTML : MARKDOWN);
  });
  const gaps = random() < 0.5 ? ["\n"] : ["\n", "\n\n"];
  const text = [...drawn, "/docs {a} {w}"].reduce((all, piece) => `${all}${one(gaps)}${piece}`);
  let number = 0;
  return text.replace(/\{([aw])\}/g, (_, kind) => `${kind === "a" ? "ask" : "word"}${number++}z`);
}
