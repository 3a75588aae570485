import { expect, test } from "vitest";
import { change } from "../../../test/support/ledger-examples.ts";
import { changeText, itemText } from "./names.ts";

test.each([
  ["one change", [change(1)], 0, [`- Job ← ${changeText(change(1))}`]],
  [
    "one change of two",
    [change(1)],
    1,
    ["- Job ← 2 changes", `  - ${changeText(change(1))}`, "  - … and 1 more"],
  ],
  ["one change that is not kept", [], 1, ["- Job ← 1 change", "  - … and 1 more"]],
])("an item with %s", (_, changes, more, lines) => {
  expect(itemText("Job", changes, more).split("\n")).toEqual(lines);
});
