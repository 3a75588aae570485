import fc from "fast-check";
import { expect, test } from "vitest";
import { Redactor } from "./redactor.ts";

function redacted(secret: string, pieces: readonly string[]): string {
  const redactor = new Redactor(secret);
  return pieces.map((piece) => redactor.feed(piece)).join("") + redactor.end();
}

test("a secret is taken out wherever the pieces divide it", () => {
  const text = "before mint_dsc_abc, mint_dsc_ab and mint_dsc_abcmint_dsc_abc after mint_dsc";
  const wanted = "before ***, mint_dsc_ab and ****** after mint_dsc";
  fc.assert(
    fc.property(fc.array(fc.nat({ max: text.length })), (at) => {
      const ends = [...at, text.length].sort((a, b) => a - b);
      const pieces = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
      expect(redacted("mint_dsc_abc", pieces)).toBe(wanted);
    }),
  );
});

test("what comes out is what taking it out of the whole would give, for any secret", () => {
  const letters = fc.constantFrom("a", "b", "*");
  const word = (minLength: number, maxLength: number) =>
    fc.array(letters, { minLength, maxLength }).map((it) => it.join(""));
  fc.assert(
    fc.property(word(1, 4), fc.array(word(0, 6)), (secret, pieces) => {
      expect(redacted(secret, pieces)).toBe(pieces.join("").split(secret).join("***"));
    }),
    { numRuns: 2000 },
  );
});

test("only what may be the beginning of the secret is held back", () => {
  const redactor = new Redactor("secret");
  expect(redactor.feed("a line, se")).toBe("a line, ");
  expect(redactor.feed("ven")).toBe("seven");
});
