import fc from "fast-check";
import { expect, test } from "vitest";
import { rendered, unescaped } from "../../emulator/github/rendered-markdown.ts";
import { anyText, hostileText } from "../../test/support/arbitrary.ts";
import { withoutKept } from "../../test/support/kept-characters.ts";
import { runs } from "../../test/support/sample.ts";
import { codeBlock, cut, cutToBytes, duration, inlineCode, visible } from "./markdown.ts";

/** What the code holds when the Markdown is one paragraph of nothing but inline code. */
const ONLY_CODE = /^<p><code>([^<]*)<\/code><\/p>$/;
const ONLY_BLOCK = /^<pre><code class="language-text">([^<]*)<\/code><\/pre>$/;

const NASTY = [
  "`",
  "``",
  "a ``` b",
  "```\ncode\n```",
  "`a`",
  "\\`",
  "a`",
  "<!-- docs-agent:a.b -->",
  "<!--\u200B x",
  "<\u00AD!-- x -->",
  "</code></pre><script>x</script>",
  "@octocat fixes #12",
  "https://evil.example",
  "a | b",
  "\u202Egnp.exe",
  "~~~\n````\n~~~",
  "> quote\n\n# heading",
  "    indented",
  "\ttab",
];

test.each(NASTY)("%j as code is one piece of code", (text) => {
  expect(rendered(inlineCode(text))).toMatch(ONLY_CODE);
  expect(rendered(codeBlock(text))).toMatch(ONLY_BLOCK);
});

test("no text ends inline code early, not even in the middle of a sentence", () => {
  fc.assert(
    fc.property(hostileText(), hostileText({ maxLength: 8 }), (first, second) => {
      const codes = [inlineCode(first), inlineCode(second)];
      for (const code of codes) if (code !== "") expect(rendered(code)).toMatch(ONLY_CODE);
      expect(codes.join("")).not.toContain("<!--");
      const shown = rendered(`Status ${codes[0]} · Job ${codes[1]} end`);
      expect(shown.replaceAll(/<code>[^<]*<\/code>/g, "")).toMatch(/^<p>Status +· Job +end<\/p>$/);
    }),
    { numRuns: runs(200) },
  );
});

test("no text ends a code block early, or begins a hidden comment in it", () => {
  fc.assert(
    fc.property(hostileText({ maxLength: 40 }), (text) => {
      expect(codeBlock(text)).not.toContain("<!--");
      const shown = rendered(`Before\n\n${codeBlock(text)}\n\nAfter`);
      expect(shown).toMatch(
        /^<p>Before<\/p>\n<pre><code class="language-text">[^<]*<\/code><\/pre>\n<p>After<\/p>$/,
      );
    }),
    { numRuns: runs(200) },
  );
});

test("what is shown is the text itself, where nothing had to be changed", () => {
  const plain = fc.string({ unit: fc.constantFrom(..."ab`\\*_[]()<>&@#| ".split("")) });
  fc.assert(
    fc.property(plain, (text) => {
      const words = text.replaceAll(/\s+/g, " ").trim();
      fc.pre(words !== "");
      const [, inline = ""] = ONLY_CODE.exec(rendered(inlineCode(text, 10_000))) ?? [];
      expect(unescaped(inline)).toBe(words);
      const [, block = ""] = ONLY_BLOCK.exec(rendered(codeBlock(text))) ?? [];
      // White space before the first word may be the indentation of code.
      expect(unescaped(block)).toBe(`${text.trimEnd()}\n`);
    }),
    { numRuns: runs(200) },
  );
});

test("a text is cut at bytes without dividing a character", () => {
  expect(cutToBytes("a漢字", 5)).toBe("a漢");
  expect(cutToBytes("a漢字", 7)).toBe("a漢字");
  expect(cutToBytes("😀", 3)).toBe("");
  expect(cutToBytes("x", -1)).toBe("");
  fc.assert(
    fc.property(anyText(), fc.nat({ max: 80 }), (text, bytes) => {
      const cut = cutToBytes(text, bytes);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(bytes);
      expect(text.startsWith(cut)).toBe(true);
    }),
  );
});

test("a text that shows nothing gets no inline code", () => {
  for (const text of ["", " ", "\n\t", "\u200B", "\u202E\uFEFF"]) expect(inlineCode(text)).toBe("");
});

test("a long text is cut, with a sign, and never through a character", () => {
  expect(cut("12345", 5)).toBe("12345");
  expect(cut("123456", 5)).toBe("1234…");
  expect(cut("123😀6", 5)).toBe("123�…");
  fc.assert(
    fc.property(anyText(), fc.integer({ min: 1, max: 20 }), (text, length) => {
      expect(cut(text, length).length).toBeLessThanOrEqual(length);
      expect(cut(text, length).isWellFormed()).toBe(true);
    }),
  );
  expect(inlineCode("x".repeat(300), 60)).toBe(`\`${"x".repeat(59)}…\``);
});

/** Characters of Unicode that are shown as nothing, or that turn the direction of what follows. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}/u;

test("text that is made visible has no invisible, control or direction characters left", () => {
  fc.assert(
    fc.property(hostileText(), (text) => {
      const shown = visible(text);
      expect(withoutKept(shown)).not.toMatch(UNSEEN);
      expect(shown).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029]/);
    }),
    { numRuns: runs(200) },
  );
});

test("no invisible character gets through", () => {
  const left: string[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    if (UNSEEN.test(character) && visible(`a${character}b`) !== "ab") left.push(code.toString(16));
  }
  expect(left).toEqual([]);
});

test("text that is made visible keeps every letter", () => {
  const text = "Zażółć gęślą jaźń · 漢字 · العربية · हिन्दी · 😀 · e\u0301 · a\tb\nc";
  expect(visible(text)).toBe(text);
  expect(visible("a\r\nb\rc\u2028d\u2029e")).toBe("a\nb\nc\nd\ne");
});

test.each([
  [0, "0 s"],
  [-5, "0 s"],
  [48_400, "48 s"],
  [59_600, "1 min"],
  [192_000, "3 min 12 s"],
  [3_599_400, "59 min 59 s"],
  [3_600_000, "1 h"],
  [3_840_000, "1 h 4 min"],
])("%i ms are written as %s", (milliseconds, text) => {
  expect(duration(milliseconds)).toBe(text);
});

test.each([
  ["a joiner between letters", "\u0645\u06CC\u200C\u062E"],
  ["a joiner after a vowel mark that scripts share", "\u0645\u064E\u200C\u062E"],
  ["a joiner after the mark of a consonant alone", "\u0915\u094D\u200D\u0937"],
  ["an emoji of several", "\u{1F469}\u{1F3FD}\u200D\u2764\uFE0F\u200D\u{1F468}"],
  ["a keycap", "1\uFE0F\u20E3"],
  ["a form of a letter", "\u845B\u{E0100}"],
])("%s stays as writing needs it", (_, text) => {
  expect(visible(text)).toBe(text);
});

test("what writing needs stays once", () => {
  const text = "\u0645\u064E\u200C\u062E 1\uFE0F\u20E3 \u845B\u{E0100}";
  const twice = text.replaceAll(/\u200C|\uFE0F|\u{E0100}/gu, "$&$&");
  expect(visible(twice)).toBe(text);
});
