import fc from "fast-check";
import { expect, test } from "vitest";
import { largeTest } from "../../test/support/large-test.ts";
import { runs, sampleOf } from "../../test/support/sample.ts";
import { expectNoSquare } from "../../test/support/work-of.ts";
import { Secrets } from "./secrets.ts";

const KEY = "mint_dsc_k3y/Of+The=Test~77aa";

function redacted(secrets: readonly string[], pieces: readonly string[]): string {
  const redactor = new Secrets(secrets).redactor();
  return pieces.map((piece) => redactor.feed(piece)).join("") + redactor.end();
}

/** A text divided where the numbers say. */
function divided(text: string, at: readonly number[]): string[] {
  const ends = [...at.map((it) => it % (text.length + 1)), text.length].sort((a, b) => a - b);
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}

test("a text that is redacted in pieces is the same as one that is redacted whole, for any secret", () => {
  const letters = fc.constantFrom("a", "b", "*");
  const word = (minLength: number, maxLength: number) =>
    fc.array(letters, { minLength, maxLength }).map((it) => it.join(""));
  fc.assert(
    fc.property(word(1, 4), fc.array(word(0, 6)), (secret, pieces) => {
      expect(redacted([secret], pieces)).toBe(pieces.join("").split(secret).join("***"));
    }),
    { numRuns: runs(2000) },
  );
});

test("a line is held back until it is complete", () => {
  const redactor = new Secrets(["secret"]).redactor();
  expect(redactor.feed("a line\na sec")).toBe("a line\n");
  expect(redactor.feed("ret")).toBe("");
  expect(redactor.feed("\n\nthe")).toBe("a ***\n\n");
  expect([redactor.end(), redactor.end()]).toEqual(["the", ""]);
});

test("each of several secrets is taken out, and the longer one of two that begin alike", () => {
  const secrets = new Secrets(["key", "", "key_two", "token", "key"]);
  expect(secrets.redact("key_two key_tw token")).toBe("*** ***_tw ***");
  expect(redacted(["key", "key_two"], ["ke", "y_t", "wo key_", "tx"])).toBe("*** ***_tx");
  expect(new Secrets([]).redact("key")).toBe("key");
});

test("a secret that was cut is taken out like the whole", () => {
  const secrets = new Secrets([KEY]);
  for (let length = 10; length <= KEY.length; length++) {
    expect(secrets.redact(`the key ${KEY.slice(0, length)}… is wrong`)).toBe(
      "the key ***… is wrong",
    );
    expect(redacted([KEY], ["the key ", KEY.slice(0, length)])).toBe("the key ***");
  }
  // What all keys of the service begin with is no secret.
  expect(secrets.redact("begins with mint_dsc_")).toBe("begins with mint_dsc_");
});

test.each([
  ["an address", encodeURIComponent(KEY)],
  ["an address, all of it", [...KEY].map((it) => `%${it.charCodeAt(0).toString(16)}`).join("")],
  ["a path of an address", KEY.replaceAll("/", "%2f")],
  ["JSON", JSON.stringify(`"${KEY}`).slice(3, -1)],
  ["JSON that escapes slashes", KEY.replaceAll("/", "\\/")],
  [
    "JSON that escapes everything",
    [...KEY].map((it) => `\\u00${it.charCodeAt(0).toString(16)}`).join(""),
  ],
])("a secret is taken out as it is written in %s", (_, written) => {
  expect(new Secrets([KEY]).redact(`a ${written} b`)).toBe("a *** b");
});

test("the signs of JSON may themselves be part of a secret", () => {
  const secrets = new Secrets([`a"b<c>d&e'f\\g`]);
  expect(secrets.redact(JSON.stringify(`a"b<c>d&e'f\\g`))).toBe('"***"');
});

test("no way to write a secret, and no way to divide it, lets any of it through", () => {
  const sign = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
  const any = fc.array(sign, { minLength: 10, maxLength: 40 }).map((it) => it.join(""));
  // A text can end in `\\u` in two ways, and one of them leaves the digits of the escape.
  const key = any.filter((it) => !it.includes("\\u"));
  const ways: ((it: string) => string)[] = [
    (it) => it,
    (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`,
    (it) => `\\u00${it.charCodeAt(0).toString(16)}`,
  ];
  fc.assert(
    fc.property(key, fc.infiniteStream(fc.nat(2)), fc.array(fc.nat()), (secret, way, at) => {
      const written = [...secret].map((it) => ways[Number(way.next().value)]?.(it)).join("");
      expect(redacted([secret], divided(`ä${written}ö`, at))).toBe("ä***ö");
    }),
    { numRuns: runs(500) },
  );
});

/** A text in which others may repeat a key, packed as a whole. */
const PACKINGS = {
  "hexadecimal digits": (it: string) => Buffer.from(it).toString("hex"),
  "hexadecimal digits in upper case": (it: string) => Buffer.from(it).toString("hex").toUpperCase(),
  Base64: (it: string) => Buffer.from(it).toString("base64"),
  "Base64 of addresses": (it: string) => Buffer.from(it).toString("base64url"),
};

test.each(Object.entries(PACKINGS))(
  "nor does %s, whatever is packed with it, and wherever it is divided or cut",
  (_, pack) => {
    const key = fc.string({ unit: "grapheme-ascii", minLength: 12, maxLength: 40 });
    const around = fc.string({ maxLength: 5 });
    fc.assert(
      fc.property(key, around, around, fc.array(fc.nat()), (secret, before, after, at) => {
        const shown = redacted([secret], divided(`${pack(before + secret + after)} b`, at));
        expect(shown).toContain("***");
        expect(shown.length).toBeLessThan(pack(before).length + pack(after).length + 12);
        const cut = redacted([secret], divided(pack(before + secret.slice(0, 11)), at));
        expect(cut.length).toBeLessThan(pack(before).length + 12);
      }),
      { numRuns: runs(500) },
    );
  },
);

largeTest("a key as long as any is found in every encoding too", () => {
  const key = Array.from({ length: 500 }, (_, at) => ((at * 7919) % 36).toString(36)).join("");
  const secrets = new Secrets([key]);
  for (const pack of Object.values(PACKINGS)) {
    expect(secrets.redact(pack(key)).length).toBeLessThan(8);
    expect(secrets.redact(pack(key.slice(0, -5))).length).toBeLessThan(8);
  }
});

test("no secret is left in any string, number or name of a value", () => {
  const secrets = new Secrets([KEY, "12345678"]);
  const value = {
    [`x-${KEY}`]: [KEY, { b: `a ${KEY} b`, n: 12345678, m: 1234567 }],
    t: true,
    z: null,
  };
  expect(secrets.redactValue(value)).toEqual({
    "x-***": ["***", { b: "a *** b", n: "***", m: 1234567 }],
    t: true,
    z: null,
  });
});

test("a field named `__proto__` is kept as a field", () => {
  const value = new Secrets([KEY]).redactValue(JSON.parse('{"__proto__":{"status":"completed"}}'));
  expect(Object.keys(value as object)).toEqual(["__proto__"]);
  expect((value as { status?: string }).status).toBeUndefined();
});

test("a value that is nested too deeply is cut", () => {
  const nested = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) as unknown;
  expect(JSON.stringify(new Secrets([KEY]).redactValue(nested)).length).toBeLessThan(300);
});

test("redacting a text of repetitions takes time in proportion to its length", async () => {
  const secrets = new Secrets([`\\${KEY}`, `%${KEY}`, KEY]);
  const pieces = ["%25", "\\", "%", "mint_dsc_k3", "m", KEY.slice(0, -1)];
  for (const piece of sampleOf(pieces, 3, "pieces of a text")) {
    const redact = (length: number) =>
      secrets.redact(piece.repeat(Math.ceil(length / piece.length)));
    await expectNoSquare(redact, 2 ** 19, piece);
  }
});
