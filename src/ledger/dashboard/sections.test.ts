import fc from "fast-check";
import { expect, test } from "vitest";
import { joinSections, section } from "./sections.ts";

/** A section of items of one length each, named `first`, `second` and so on. */
const sections = fc
  .array(fc.record({ count: fc.nat(60), length: fc.integer({ min: 1, max: 300 }) }), {
    ...{ minLength: 1, maxLength: 5 },
  })
  .map((all) =>
    all.map(({ count, length }, nth) => {
      const items = Array.from({ length: count }, () => `- ${nth}${"x".repeat(length)}`);
      return section(`Section ${nth}`, items, 50, nth === 0 ? "All of these" : "");
    }),
  );

const shown = (text: string, nth: number) =>
  text.split("\n").filter((line) => line.startsWith(`- ${nth}x`)).length;

test("a text is never longer than it may be, loses items from the bottom, and says how many", () => {
  fc.assert(
    fc.property(sections, fc.integer({ min: 500, max: 9000 }), (all, longest) => {
      const text = joinSections("Head", all, "Tail", longest);
      expect(text.length).toBeLessThanOrEqual(longest);
      expect([text.startsWith("Head"), text.endsWith("Tail")]).toEqual([true, true]);
      const left = all.map(({ items }, nth) => ({ all: items.length, left: shown(text, nth) }));
      for (const [nth, one] of left.entries()) {
        const below = left.slice(nth + 1).map((it) => it.left);
        // While one has more than five, no other falls below five; and a lower one is cut first.
        if (one.left < one.all) expect(Math.max(0, ...below)).toBeLessThanOrEqual(5);
        if (one.left < Math.min(5, one.all)) expect(Math.max(0, ...below)).toBe(0);
        if (one.left < Math.min(5, one.all)) {
          expect(Math.max(...left.map((it) => it.left))).toBeLessThanOrEqual(5);
        }
        const missing = one.all - one.left + (all[nth]?.more ?? 0);
        if (missing > 0) expect(text).toContain(`… and ${missing} more`);
      }
    }),
  );
});

test("a section without items is left out, with what stands above them", () => {
  const empty = section("Empty", [], 50, "All of these");
  const full = section("Full", ["- one", "- two", "- three"], 2, "These:");
  expect(joinSections("Head", [empty, full], "", 9000)).toBe(
    "Head\n\n## Full\n\nThese:\n\n- one\n- two\n- … and 1 more",
  );
});
