import fc from "fast-check";
import { expect, test } from "vitest";
import { drawName } from "./dependencies.ts";

test("a name goes into a marker and a path as it is", () => {
  const draws = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.infiniteStream(draws), (random) => {
      expect(drawName({ random: () => random.next().value })).toMatch(/^[a-z0-9]{2,22}$/);
    }),
  );
});

test("no two are the same", () => {
  const names = Array.from({ length: 1_000 }, () => drawName({ random: Math.random }));
  expect(new Set(names).size).toBe(names.length);
});
