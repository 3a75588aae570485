import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { ReasonEntry } from "../runtime/reason.ts";
import { problemsText } from "./reason-kinds.ts";
import { LAND_REASONS, plainText, reasonSchema } from "./reasons.ts";

const CASES = readFileSync(path.join(import.meta.dirname, "cases.md"), "utf8");
const ENTRIES = Object.entries<ReasonEntry<object>>(LAND_REASONS);

test.each(ENTRIES)("%s has a sentence, and a way out", (_, reason) => {
  const text = reason.text(reason.example);
  expect(text).toMatch(/^[A-Z].*\.$/);
  expect(text).not.toMatch(/undefined|null|NaN|\[object/);
  expect(reason.wayOut).toMatch(/\.$|\)$/);
});

/** What comes of acts is in the tests of outcomes. */
const AFTER_ACTS = [
  "not-done",
  "not-confirmed",
  "queued",
  "updating",
  "maybe-sent",
  "queue-refused",
  "update-refused",
];

test("the table of all cases has every reason but those that come of acts", () => {
  const opening = (text: string) => text.slice(0, 30).replace(/`.*/, "");
  const missing = ENTRIES.filter(
    ([, reason]) => !CASES.includes(opening(reason.text(reason.example))),
  ).map(([code]) => code);
  expect(missing.filter((code) => !AFTER_ACTS.includes(code))).toEqual([]);
});

test.each([
  [{}, ""],
  [{ check: 1 }, "1 failed check"],
  [{ comment: 2, check: 1 }, "1 failed check and 2 review comments"],
])("the problems %j in words", (counts, expected) => {
  expect(problemsText(counts)).toBe(expected);
});

test.each([
  [{ code: "draft" }, true],
  [{ code: "too-many-files", count: 6, most: 5 }, true],
  [{ code: "too-many-files", count: "6", most: 5 }, false],
  [{ code: "too-many-files" }, false],
  [{ code: "unfixed", problems: { check: 1 } }, true],
  [{ code: "constructor" }, false],
  ["draft", false],
])("a ledger may hold %j as a reason: %j", (value, expected) => {
  expect(reasonSchema.safeParse(value).success).toBe(expected);
});

test("what is said of one whose repository may not be named has no words from outside", () => {
  expect(plainText({ code: "unread" })).not.toContain("GitHub");
  expect(plainText({ code: "by-person" })).toContain("a person and not the agent");
  expect(plainText({ code: "draft" })).toBeNull();
});
