import fc from "fast-check";
import { expect, test } from "vitest";
import { planUpdate } from "./update.ts";

const part = (key: string, version = "1") => ({ key, version });

test("what did not change stays, what did is replaced, what is gone goes", () => {
  expect(
    planUpdate([part("a"), part("b"), part("c")], [part("d"), part("a"), part("b", "2")]),
  ).toEqual({
    order: [
      { part: part("d"), isChanged: true },
      { part: part("a"), isChanged: false },
      { part: part("b", "2"), isChanged: true },
    ],
    removed: ["c"],
  });
});

test("a page that is up to date stays as it is", () => {
  const parts = fc.uniqueArray(fc.record({ key: fc.string(), version: fc.string() }), {
    selector: ({ key }) => key,
  });
  fc.assert(
    fc.property(parts, (shown) => {
      const { order, removed } = planUpdate(shown, shown);
      expect(removed).toEqual([]);
      expect(order.every(({ isChanged }) => !isChanged)).toBe(true);
    }),
  );
});
