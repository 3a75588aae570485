import fc from "fast-check";
import { expect, test } from "vitest";
import { taskPlaces, withTasks } from "./tasks.ts";

const BODY =
  "é 🎉\r\n\r\n- [ ] one\n- [x] two\n  1. [X] nested\n- [] none\n\n```\n- [ ] code\n```\n";

test("boxes are ticked or unticked, and all else stays", () => {
  expect(withTasks(BODY, [0, 1, 2])).toBe(BODY.replace("[ ] one", "[x] one"));
  expect(withTasks(BODY, [2])).toBe(BODY.replace("[x] two", "[ ] two"));
  expect(withTasks(BODY, [1, 2, 3, Number.NaN])).toBe(BODY);
});

test("in any text, ticks change nothing but the marks between brackets", () => {
  const lines =
    "- [ ] a\n|* [x] b\n|> - [ ] c\n|\n|\ufeff|\t- [x] d\r\n|\0|🎉|`[ ]`|<!-- - [ ] -->\n";
  const pieces = fc.array(fc.constantFrom(...lines.split("|")));
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(8)), (drawn, wanted) => {
      const text = drawn.join("");
      const places = taskPlaces(text);
      const ticked = withTasks(text, wanted);
      const withoutMarks = (source: string) =>
        [...source.split("")].filter((_, at) => !places.includes(at));
      expect(withoutMarks(ticked)).toEqual(withoutMarks(text));
      for (const [task, place] of places.entries()) {
        expect(ticked.slice(place - 1, place + 2)).toMatch(
          wanted.includes(task) ? /^\[x\]$/i : /^\[\s\]$/,
        );
      }
    }),
  );
});
