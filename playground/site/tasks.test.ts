import fc from "fast-check";
import { expect, test } from "vitest";
import { taskPlaces, withTask } from "./tasks.ts";

const BODY =
  "é 🎉\r\n\r\n- [ ] one\n- [x] two\n  1. [X] nested\n- [] none\n\n```\n- [ ] code\n```\n";

test("boxes are found where Markdown has them, and nowhere else", () => {
  expect(taskPlaces(BODY).map((place) => BODY[place])).toEqual([" ", "x", "X"]);
});

test("a box is ticked or unticked, and all else stays", () => {
  expect(withTask(BODY, 0, true)).toBe(BODY.replace("[ ] one", "[x] one"));
  expect(withTask(BODY, 1, false)).toBe(BODY.replace("[x] two", "[ ] two"));
  expect(withTask(BODY, 3, true)).toBeUndefined();
  expect(withTask(BODY, Number.NaN, true)).toBeUndefined();
});

test("in any text, a tick changes one character, between brackets", () => {
  const lines =
    "- [ ] a\n|* [x] b\n|> - [ ] c\n|\n|\ufeff|\t- [x] d\r\n|\0|🎉|`[ ]`|<!-- - [ ] -->\n";
  const pieces = lines.split("|");
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...pieces)),
      fc.nat(8),
      fc.boolean(),
      (lines, task, on) => {
        const text = lines.join("");
        const places = taskPlaces(text);
        const ticked = withTask(text, task, on);
        expect(ticked === undefined).toBe(task >= places.length);
        if (ticked === undefined) return;
        const place = places[task] ?? -1;
        expect(text.slice(place - 1, place + 2)).toMatch(/^\[[ xX]\]$/);
        expect(ticked.slice(0, place) + ticked.slice(place + 1)).toBe(
          text.slice(0, place) + text.slice(place + 1),
        );
        expect(ticked[place]).toBe(on ? "x" : " ");
      },
    ),
  );
});
