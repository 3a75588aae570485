import { expect, test } from "vitest";
import { field, itemsOf, parseJson } from "./json.ts";

test.each([
  ['{"a":1}', { a: 1 }],
  ["null", null],
  ["{", undefined],
  ["", undefined],
])("%j as JSON is %j", (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

test.each([
  [{ a: 1 }, 1],
  [{ a: null }, null],
  [{}, undefined],
  [Object.create({ a: 1 }), undefined],
  [null, undefined],
  ["a", undefined],
])("the field `a` of %j is %j", (value, expected) => {
  expect(field(value, "a")).toBe(expected);
});

test("what is not an array has no items", () => {
  expect(itemsOf([1, 2])).toEqual([1, 2]);
  expect(itemsOf({ length: 2 })).toEqual([]);
  expect(itemsOf(undefined)).toEqual([]);
});
