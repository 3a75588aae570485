import fc from "fast-check";
import { expect, test } from "vitest";
import { expectNoSquare } from "../../test/support/work-of.ts";
import { clause, counted, sentence } from "./sentence.ts";

test.each([
  ["I could not push", "I could not push."],
  ["I could not push \n", "I could not push."],
  ["POST /job was answered 400: prompt: too long", "POST /job was answered 400: prompt: too long."],
  ["see `docs/a.md`", "see `docs/a.md`."],
])("%j gets a full stop", (text, expected) => {
  expect(sentence(text)).toBe(expected);
});

test.each([
  "",
  "Done.",
  "Why?",
  "Stop!",
  "and so on…",
  "完了しました。",
  'He said "no."',
  "(It failed.)",
  "**Failed!**",
])("%j has an end of its own", (text) => {
  expect(sentence(text)).toBe(text);
});

test("a clause never ends with a full stop", () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom("", ".", "..", ". ", "…", "...", "?"), (text, end) => {
      expect(`${clause(`${text}x${end}`)}.`).not.toMatch(/(?<!\.)\.\.$/);
    }),
  );
});

test("only a count of one has the singular", () => {
  expect([0, 0.5, 1, 2].map((it) => counted(it, "job"))).toEqual([
    "0 jobs",
    "0.5 jobs",
    "1 job",
    "2 jobs",
  ]);
});

test("a text of punctuation marks alone takes time in proportion to its length", async () => {
  await expectNoSquare((length) => sentence(`${".)".repeat(length / 2)}x`), 1_000_000);
  await expectNoSquare((length) => sentence(`.${")".repeat(length)}x`), 1_000_000);
});
