import { expect, test } from "vitest";
import { beginningOf } from "./release-tags.ts";

test.each([
  ["v*", "v"],
  ["pkg-a@*", "pkg-a@"],
  ["v1+.0", "v"],
  ["v1?", "v"],
  ["release-[0-9]", "release-"],
  ["**", ""],
  ["v1.0", "v1.0"],
])("every name that matches %s begins with %j", (pattern, beginning) => {
  expect(beginningOf(pattern)).toBe(beginning);
});
