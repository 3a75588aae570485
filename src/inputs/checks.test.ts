import fc from "fast-check";
import { expect, test } from "vitest";
import { ActionError } from "../runtime/errors.ts";
import { linesOf, quote } from "../text/sentence.ts";
import {
  durationIn,
  flag,
  type InputCheck,
  oneOf,
  optional,
  parseInputs,
  secureUrl,
  segment,
  wholeNumber,
  withoutPassword,
} from "./checks.ts";

/** What a check makes of a value: the result, or the sentence that refuses it. */
function checked<T>(check: InputCheck<T>, text: string): T | string {
  try {
    return parseInputs(
      () => text,
      (input) => input("name", check),
    );
  } catch (error) {
    return (error as ActionError).message;
  }
}

const seconds = durationIn("seconds", "3");
const hours = durationIn("hours", "0");

test.each<[string, InputCheck<unknown>, string, unknown]>([
  ["seconds", seconds, "", 3_000],
  ["seconds", seconds, "  ", 3_000],
  ["seconds", seconds, "5", 5_000],
  ["seconds", seconds, " 0.5 ", 500],
  ["seconds", seconds, ".5", 500],
  ["seconds", seconds, "5.", 5_000],
  ["hours from 0", hours, "", 0],
  ["hours from 0", hours, "0.0", 0],
  ["a count", wholeNumber("5"), "", 5],
  ["a count", wholeNumber("5"), " 12 ", 12],
  ["a count", wholeNumber("5"), "007", 7],
  ["a count from 0", wholeNumber("5", 0), "0", 0],
  ["a flag", flag("true"), "", true],
  ["a flag", flag("true"), "True", true],
  ["a flag", flag("true"), " FALSE ", false],
  ["a choice", oneOf(["error", "warn"], "warn"), "", "warn"],
  ["a choice", oneOf(["error", "warn"], "warn"), " error ", "error"],
  ["optional", optional(wholeNumber()), " ", null],
  ["optional", optional(wholeNumber()), "12", 12],
])("as %s: %4$j", (_, check, text, value) => {
  expect(checked(check, text)).toBe(value);
});

const NO_DURATIONS = ["-1", "ten", "NaN", "Infinity", "1e3", "3 s", "1,5", "0x10", ".", "1_000"];
const NO_COUNTS = ["-3", "1.5", "1e3", "#7", "9007199254740993"];

test.each<[string, InputCheck<unknown>, string[]]>([
  ["a positive number of seconds, such as 3 or 0.5", seconds, ["0", ...NO_DURATIONS]],
  ["a positive number of seconds, such as 3 or 0.5", seconds, ["9".repeat(400)]],
  ["a positive number of days up to 7, such as 3 or 0.5", durationIn("days", "1", 7), ["7.1"]],
  ["a number of hours of 0 or more, such as 3 or 0.5", hours, NO_DURATIONS],
  ["a whole number of 1 or more", wholeNumber("5"), ["0", ...NO_COUNTS]],
  ["a whole number from 1 to 9", wholeNumber("5", 1, 9), ["10", ...NO_COUNTS]],
  ["a whole number of 0 or more", wholeNumber("5", 0), NO_COUNTS],
  ["true or false", flag("true"), ["yes", "1", "on", "truee"]],
  ["one of error, warn", oneOf(["error", "warn"], "warn"), ["Error", "constructor"]],
])("it must be %s", (allowed, check, texts) => {
  for (const text of texts) {
    expect(checked(check, text)).toBe(
      `name: ${quote(text)} is not allowed: it must be ${allowed}.`,
    );
  }
});

test("every text that is accepted as a durationIn is one", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const value = checked(seconds, text);
      if (typeof value === "number") expect(value > 0 && Number.isFinite(value)).toBe(true);
    }),
  );
});

test("a segment of a path is neither empty nor a step up", () => {
  const isOne = (text: string) => checked(segment("a word"), text) === text;
  expect(["a", "a/b", "...", "", ".", ".."].filter(isOne)).toEqual(["a", "a/b", "..."]);
});

test.each([
  "https://api.example",
  "https://api.example/base/",
  "http://127.0.0.1:8080",
  "http://localhost:8080",
  "https://[::1]/",
])("%j is a URL that secrets may be sent to", (text) => {
  expect(secureUrl(text)?.href).toBe(new URL(text).href);
});

test.each([
  "",
  "api.example",
  "ftp://api.example",
  "https://user@api.example",
  "javascript:alert(1)",
  "https://:secret@api.example",
  "https://api.example/?key=1",
  "https://api.example/#top",
  "http://api.example",
  "http://127.0.0.1.example",
  "http://localhost.example",
])("%j is none", (text) => {
  expect(secureUrl(text)).toBeUndefined();
});

test("a value is shown in quotes, on one line, cut, and a URL with a password is not", () => {
  expect(quote("")).toBe("an empty value");
  expect(quote('a"\n::b')).toBe('"a\\"\\n::b"');
  expect(quote("x".repeat(100))).toBe(`"${"x".repeat(80)}…"`);
  expect(withoutPassword("https://user:s3/cret@api.example/x")).toBe("its value (not shown)");
  expect(withoutPassword("https://api.example")).toBe('"https://api.example"');
});

test("the result is the object of all inputs", () => {
  const texts: Record<string, string> = { "max-changes": "7" };
  const inputs = parseInputs(
    (name) => texts[name] ?? "",
    (input) => ({
      maxChanges: input("max-changes", wholeNumber("3")),
      pace: { initial: input("poll-interval-seconds", seconds) },
    }),
  );
  expect(inputs).toEqual({ maxChanges: 7, pace: { initial: 3_000 } });
});

test("every invalid input is named in one error, and a mistake of ours is not called one", () => {
  const parse = (check: InputCheck<number>) => () =>
    parseInputs(
      () => "x",
      (input) => ({ one: input("one", check), other: input("other", check) }),
    );
  const ends = "is not allowed: it must be a whole number of 1 or more.";
  const list = `- one: "x" ${ends}\n- other: "x" ${ends}`;
  expect(parse(wholeNumber())).toThrow(
    new ActionError("invalid-input", `2 inputs are invalid:\n${list}`),
  );
  const mistake = () => {
    throw new TypeError("a mistake");
  };
  expect(parse(mistake)).toThrow(TypeError);
});

test("a list is its lines, without white space around them and without empty ones", () => {
  expect(linesOf("a b\n\r\n  c\r\td \n")).toEqual(["a b", "c", "d"]);
  expect(linesOf(" \n")).toEqual([]);
});
