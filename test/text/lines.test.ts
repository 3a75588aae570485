import fc from "fast-check";
import { expect, test } from "vitest";
import { LineCutter } from "../../src/text/lines.ts";

const SECRET = "mint_s3cret";

/** The lines of a text that arrives in chunks of these sizes, in bytes, again and again. */
function cutUp(text: string, sizes: readonly number[]): string[] {
  const bytes = Buffer.from(text);
  const cutter = new LineCutter(SECRET);
  const lines: string[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    lines.push(...cutter.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return [...lines, ...cutter.end()];
}

const piece = fc.oneof(
  fc.constantFrom("\n", "\r\n", "\r", "é", "✓", "😀", "::error::", "mint_", "s3cret", SECRET),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const anyText = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join("").toWellFormed());
const anySizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 });

test("lines are the same however the text arrives, and hold no secret", () => {
  fc.assert(
    fc.property(anyText, anySizes, (text, sizes) => {
      const lines = cutUp(text, sizes);
      // A byte order mark at the very beginning is none of the text.
      const expected = text
        .replace(/^\uFEFF/, "")
        .replaceAll(SECRET, "***")
        .split(/\r\n|\r|\n/);
      if (expected.at(-1) === "") expected.pop();
      expect(lines).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
});

test("a line that never ends is handed on in parts, none with the secret or a piece of it", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 16_000, max: 40_000 }),
      fc.integer({ min: 1, max: 9_000 }),
      (before, size) => {
        const text = `${"x".repeat(before)}${SECRET}${"y".repeat(before)}`;
        const parts = cutUp(text, [size]);
        expect(parts.join("")).toBe(text.replace(SECRET, "***"));
        for (const part of parts) expect(part).not.toContain(SECRET.slice(0, 6));
      },
    ),
  );
});
