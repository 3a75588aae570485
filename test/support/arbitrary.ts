import fc from "fast-check";

/** Pieces with a meaning in Markdown, in a workflow's log, or in how text is displayed. */
const PIECES = [
  "`",
  "``",
  "```",
  "~~~",
  "> ",
  "# ",
  "- ",
  "1. ",
  "|",
  "\\",
  "*",
  "_",
  "[x](",
  ")",
  "![",
  "]",
  "<",
  ">",
  "<!--",
  "-->",
  "<!-",
  "-",
  "<b>",
  "</details>",
  "&lt;",
  "&#60;",
  "<!-->",
  "--!>",
  "@octocat",
  "@everyone",
  "#12",
  "fixes #1",
  "https://evil.example",
  "www.evil.example",
  "\n",
  "\r",
  "\r\n",
  "\t",
  " ",
  "\u00A0",
  "\u2028",
  "\u2029",
  "\u0085",
  "\v",
  "\f",
  "\u0000",
  "::",
  ":",
  "::set-output name=a::b",
  "::error::",
  "##[",
  "##[error]",
  "##",
  "[",
  "%0A",
  "\u001B[31m",
  "\u001B",
  "\u009B31m",
  "\u001B]0;t\u0007",
  "\u0007",
  "\u007F",
  "\u200B",
  "\u200D",
  "\u202E",
  "\u2066",
  "\u2069",
  "\u061C",
  "\uFEFF",
  "\u00AD",
  "\uFE0F",
  "\u{E0041}",
  "\u{E0001}",
  "\u{E0100}",
  "é",
  "漢",
  "😀",
  "e\u0301",
  "�",
  "word",
  "/docs x",
  "docs-agent:",
];

/** Any character. fast-check's own arbitraries take a second to initialize. */
export const character = fc
  .oneof(fc.nat({ max: 0x7f }), fc.nat({ max: 0xffff }), fc.nat({ max: 0x10ffff }))
  .map((code) => (code >= 0xd800 && code <= 0xdfff ? "\u00E9" : String.fromCodePoint(code)));

/** Any text without lone surrogates. */
export function anyText(maxLength = 20): fc.Arbitrary<string> {
  return fc.array(character, { maxLength }).map((characters) => characters.join(""));
}

/** Text that imitates syntax: Markdown, HTML, workflow commands, mentions, markers. */
export function hostileText(options: { maxLength?: number } = {}): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...PIECES) },
    { weight: 1, arbitrary: anyText(4) },
  );
  return fc.array(piece, { maxLength: options.maxLength ?? 24 }).map((pieces) => pieces.join(""));
}
