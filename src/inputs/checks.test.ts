import fc from "fast-check";
import { expect, test } from "vitest";
import type * as z from "zod/mini";
import { linesOf, quote } from "../text/sentence.ts";
import {
  checkInputs,
  flag,
  httpUrl,
  input,
  invalid,
  isSegment,
  oneOf,
  positive,
  wholeNumber,
  withoutPassword,
} from "./checks.ts";

/** What a check makes of a value: the result, or the sentence that refuses it. */
function checked<T>(check: z.ZodMiniType<T>, text: string): T | string {
  const { values, problems } = checkInputs({ name: check }, () => text);
  return values === null ? (problems[0] ?? "") : (values.name as T);
}

const seconds = positive("seconds", 1000, "3");

test.each([
  ["", 3_000],
  ["  ", 3_000],
  ["5", 5_000],
  [" 0.5 ", 500],
  [".5", 500],
  ["5.", 5_000],
  ["+5", 5_000],
  ["1e3", 1_000_000],
  ["1E-3", 1],
])("%j seconds are %i ms", (text, milliseconds) => {
  expect(checked(seconds, text)).toBe(milliseconds);
});

test.each([
  "0",
  "-1",
  "ten",
  "NaN",
  "Infinity",
  "1e999",
  "1e308",
  "3 s",
  "1,5",
  "0x10",
  ".",
  "1_000",
])("%j is no positive number, and the sentence says so", (text) => {
  expect(checked(seconds, text)).toBe(
    `name: ${JSON.stringify(text)} is not allowed: it must be a positive number of seconds, such as 3 or 0.5.`,
  );
});

test("whatever is taken for a duration is one", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const value = checked(seconds, text);
      if (typeof value === "number") expect(value > 0 && Number.isFinite(value)).toBe(true);
    }),
  );
});

test.each([
  ["", 5],
  ["1", 1],
  [" 12 ", 12],
  ["007", 7],
])("%j is the count %i", (text, count) => {
  expect(checked(wholeNumber("a count", "5"), text)).toBe(count);
});

test.each(["0", "-3", "1.5", "1e3", "#7", "9007199254740993"])("%j is no count", (text) => {
  expect(checked(wholeNumber("a count", "5"), text)).toContain("must be a count");
});

test.each([
  ["", true],
  ["true", true],
  ["True", true],
  [" FALSE ", false],
])("%j is the flag %j", (text, value) => {
  expect(checked(flag("true"), text)).toBe(value);
});

test.each(["yes", "1", "on", "truee"])("%j is no flag", (text) => {
  expect(checked(flag("true"), text)).toContain("must be true or false");
});

test("one of a few words, as they are written", () => {
  const choice = oneOf(["error", "warn"], "warn");
  expect(checked(choice, "")).toBe("warn");
  expect(checked(choice, " error ")).toBe("error");
  expect(checked(choice, "Error")).toContain("must be one of error, warn");
});

test.each([
  ["a", true],
  ["a/b", true],
  ["...", true],
  [".", false],
  ["..", false],
])("%j as a segment of a path: %j", (text, isOne) => {
  expect(isSegment(text)).toBe(isOne);
});

test.each([
  "https://api.example",
  " https://api.example/base/ ",
  "http://127.0.0.1:8080",
  "https://[::1]/",
])("%j is an address", (text) => {
  expect(httpUrl(text)?.href).toBe(new URL(text.trim()).href);
});

test.each([
  "",
  "api.example",
  "ftp://api.example",
  "https://user@api.example",
  "https://:secret@api.example",
  "https://api.example/?key=1",
  "https://api.example/#top",
  "javascript:alert(1)",
])("%j is none", (text) => {
  expect(httpUrl(text)).toBeUndefined();
});

test("a value is shown in quotes, on one line, and cut", () => {
  expect(quote("")).toBe("an empty value");
  expect(quote('a"\n::b')).toBe('"a\\"\\n::b"');
  expect(quote("x".repeat(100))).toBe(`"${"x".repeat(80)}…"`);
});

test("an address is shown without its password", () => {
  expect(withoutPassword("https://user:s3cret@api.example/x")).toBe('"https://***@api.example/x"');
  expect(withoutPassword("https://api.example")).toBe('"https://api.example"');
});

test("the inputs of a shape are read by their names, and durations lose their unit", () => {
  const shape = { "max-changes": wholeNumber("a count", "3"), "poll-interval-seconds": seconds };
  const read = (name: string) => (name === "max-changes" ? "7" : "");
  expect(checkInputs(shape, read)).toEqual({
    values: { maxChanges: 7, pollInterval: 3_000 },
    problems: [],
  });
});

test("a fallback is checked like any value, and a refusal shows what was given", () => {
  const upper = input("in capitals", (text) => (/^[A-Z]+$/.test(text) ? text : undefined), {
    ...{ fallback: "ABC", show: () => "it" },
  });
  expect(checked(upper, " ")).toBe("ABC");
  expect(checked(upper, "abc")).toBe("name: it is not allowed: it must be in capitals.");
});

test("one wrong input is told as it is, several as a list", () => {
  expect(invalid(["a: wrong."])).toMatchObject({ kind: "invalid-input", message: "a: wrong." });
  expect(invalid(["a: wrong.", "b: wrong."]).message).toBe(
    "2 inputs are invalid:\n- a: wrong.\n- b: wrong.",
  );
});

test("a list is its lines, without white space around them and without empty ones", () => {
  expect(linesOf("a b\n\r\n  c\r\td \n")).toEqual(["a b", "c", "d"]);
  expect(linesOf(" \n")).toEqual([]);
});
