import fc from "fast-check";
import { expect, test } from "vitest";
import { character } from "../../test/support/arbitrary.ts";
import { runs } from "../../test/support/sample.ts";
import { LineCutter } from "./lines.ts";

/** The lines of a text that arrives in pieces of these lengths, again and again. */
function cutUp(text: string, sizes: readonly number[]): string[] {
  const cutter = new LineCutter();
  const lines: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    lines.push(...cutter.push(text.slice(at, at + size)));
    at += size;
  }
  return [...lines, ...cutter.end()];
}

const piece = fc.oneof(
  fc.constantFrom("\n", "\r\n", "\r", "é", "✓", "😀", "::error::"),
  fc.string({ unit: character, maxLength: 8 }),
);
const anyText = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join("").toWellFormed());
const anySizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 });

test("lines are the same however the text arrives", () => {
  fc.assert(
    fc.property(anyText, anySizes, (text, sizes) => {
      const lines = cutUp(text, sizes);
      const expected = text.split(/\r\n|\r|\n/);
      if (expected.at(-1) === "") expected.pop();
      expect(lines).toEqual(expected);
    }),
    { numRuns: runs(1000) },
  );
});

test("a line that never ends is handed on in parts", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 33_000, max: 60_000 }),
      fc.integer({ min: 1, max: 9_000 }),
      (length, size) => {
        const text = "x".repeat(length);
        const parts = cutUp(text, [size]);
        expect(parts.join("")).toBe(text);
        expect(parts.length).toBeGreaterThan(1);
      },
    ),
    { numRuns: runs(10) },
  );
});
