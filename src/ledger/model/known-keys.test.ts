import fc from "fast-check";
import { expect, test } from "vitest";
import { KnownKeys } from "./known-keys.ts";

const LIMITS = { numbers: 1000, prints: 1000 };
const DAY = 86_400_000;

const key = fc.oneof(
  fc
    .tuple(fc.constantFrom("o/a", "o/b", "__proto__"), fc.nat(5000))
    .map(([at, n]) => `${at}#${n + 1}`),
  fc.string(),
);

function keysOf(keys: string[], landedAt = 0): KnownKeys {
  const known = new KnownKeys();
  for (const one of keys) known.add(one, landedAt);
  return known;
}

function encodedAgain(known: KnownKeys, limits = LIMITS): KnownKeys {
  const again = new KnownKeys();
  again.addEncoded(JSON.parse(JSON.stringify(known.encode(limits))));
  return again;
}

test("a checkpoint knows what was added, and nothing else", () => {
  fc.assert(
    fc.property(fc.uniqueArray(key), key, (keys, other) => {
      const known = encodedAgain(keysOf(keys));
      expect(keys.filter((one) => !known.has(one))).toEqual([]);
      expect(known.has(other)).toBe(keys.includes(other));
    }),
  );
});

test("adding what is known changes nothing", () => {
  fc.assert(
    fc.property(fc.uniqueArray(key), (keys) => {
      const known = keysOf(keys);
      const encoded = known.encode(LIMITS);
      known.addEncoded(encoded);
      expect(known.encode(LIMITS)).toEqual(encoded);
    }),
  );
});

test("beyond the limit the first commits are forgotten, and it is known which may be", () => {
  const known = new KnownKeys();
  for (let day = 1; day <= 10; day++) known.add(`o/a@sha${day}`, day * DAY);
  const left = encodedAgain(known, { numbers: 0, prints: 4 });
  expect(left.has("o/a@sha6")).toBe(false);
  expect(left.has("o/a@sha7")).toBe(true);
  expect(left.mayHaveForgotten("o/a@sha6", 6 * DAY)).toBe(true);
  expect(left.mayHaveForgotten("o/a@other", 7 * DAY)).toBe(false);
  expect(encodedAgain(left).mayHaveForgotten("o/a@sha6", 6 * DAY)).toBe(true);
});

test("beyond the limit the lowest numbers of each repository are forgotten", () => {
  const known = keysOf(["o/a#1", "o/a#2", "o/a#3", "o/b#1"]);
  const left = encodedAgain(known, { numbers: 4, prints: 0 });
  expect(["o/a#1", "o/a#2", "o/a#3", "o/b#1"].map((one) => left.has(one))).toEqual([
    false,
    true,
    true,
    true,
  ]);
  expect(left.mayHaveForgotten("o/a#1", 0)).toBe(true);
  expect(left.mayHaveForgotten("o/a#4", 0)).toBe(false);
  expect(left.mayHaveForgotten("o/b#0", 0)).toBe(false);
});
