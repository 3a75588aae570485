import fc from "fast-check";
import { expect, test } from "vitest";
import { drawName, inParallel } from "./dependencies.ts";

test("a name goes into a marker and a path as it is", () => {
  const draws = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.infiniteStream(draws), (random) => {
      expect(drawName({ random: () => random.next().value })).toMatch(/^[a-z0-9]{2,22}$/);
    }),
  );
});

test("every item is worked on, and at most as many at a time as allowed", async () => {
  let [now, most] = [0, 0];
  const done: number[] = [];
  await inParallel(
    Array.from({ length: 50 }, (_, item) => item),
    8,
    async (item) => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      done.push(item);
    },
  );
  expect(most).toBe(8);
  expect(done.toSorted((one, other) => one - other)).toEqual([...Array(50).keys()]);
});

test("an error is thrown to the caller", async () => {
  const failing = inParallel([1, 2, 3], 2, async () => {
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
});
