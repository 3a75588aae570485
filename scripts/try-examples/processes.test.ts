import { expect, test } from "vitest";
import { descendantsOf } from "./processes.ts";

test("children and their children are found, and nobody else's", () => {
  const list = "    1     0\n   10     1\n   11    10\n   12    11\n   13    10\n   20     1\n";
  expect(descendantsOf(10, list).sort()).toEqual([11, 12, 13]);
  expect(descendantsOf(20, list)).toEqual([]);
});

test("no list, and a process that is its own parent, end the search", () => {
  expect(descendantsOf(1, "")).toEqual([]);
  expect(descendantsOf(1, "1 1\n2 2\n")).toEqual([]);
});
