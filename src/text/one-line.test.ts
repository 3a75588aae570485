import fc from "fast-check";
import { expect, test } from "vitest";
import { hostileText } from "../../test/support/arbitrary.ts";
import { oneLine } from "./one-line.ts";
import { Secrets } from "./secrets.ts";

const KEY = "mint_k3y with  space_5f2c9d";

test("white space of any kind becomes one space, and none is left at the ends", () => {
  expect(oneLine("\n a\r\n\tb\u2028c ", 10, new Secrets([]))).toBe("a b c");
});

test("a secret is found before its white space is joined, and when joining completes it", () => {
  const spaced = new Secrets(["mint_one two_three"]);
  expect(oneLine(`x ${KEY} y`, 99, new Secrets([KEY]))).toBe("x *** y");
  expect(oneLine("x mint_one\n\ntwo_three y", 99, spaced)).toBe("x *** y");
});

test("what is too long is cut after secrets are taken out", () => {
  expect(oneLine(`1234 ${KEY}`, 10, new Secrets([KEY]))).toBe("1234 ***");
  expect(oneLine("1234567890a", 10, new Secrets([]))).toBe("1234567890…");
  expect(oneLine("😀😀", 1, new Secrets([]))).toBe("\uFFFD…");
});

test("any text is one line without the secret", () => {
  const secrets = new Secrets([KEY]);
  fc.assert(
    fc.property(hostileText(), hostileText(), fc.nat({ max: 60 }), (before, after, length) => {
      const line = oneLine(`${before}${KEY}${after}`, length, secrets);
      expect(line).not.toMatch(/[\n\r]/);
      expect(line).not.toContain(KEY.slice(0, 10));
      expect(line.length).toBeLessThanOrEqual(length + 1);
    }),
  );
});
