import fc from "fast-check";
import { expect, test } from "vitest";
import { anyText } from "../../../test/support/arbitrary.ts";
import { renderBox, tickedBoxes } from "./boxes.ts";

test("a box that is ticked gives back its id, whatever the id holds", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyText(), fc.boolean())), (pairs) => {
      const boxes = pairs.filter(([id]) => id !== "");
      const body = boxes.map(([id, isTicked]) => `${renderBox(id, isTicked)} text`).join("\n");
      expect(tickedBoxes(body)).toEqual(boxes.filter(([, isTicked]) => isTicked).map(([id]) => id));
    }),
  );
});

test("a box counts however GitHub's editor ends lines, and with a capital X", () => {
  const box = renderBox("claim.0/acme/code#1", true);
  expect(tickedBoxes(`one\r\n${box} two\r\n${box.replace("[x]", "[X]")} three`)).toHaveLength(2);
});

test("only a box at the beginning of a line counts", () => {
  expect(tickedBoxes(`text ${renderBox("id", true)}\n> ${renderBox("id", true)}`)).toEqual([]);
});
