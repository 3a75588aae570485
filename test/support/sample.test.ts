import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { commandToRepeat, sampleOf, shuffled } from "./sample.ts";

const LETTERS = [..."abcdefghij"];

test("a sample is so many of the items, in their own order, and the same each time", () => {
  const sample = sampleOf(LETTERS, 4, "letters");
  expect(new Set(sample).size).toBe(4);
  expect(sample).toEqual(LETTERS.filter((letter) => sample.includes(letter)));
  expect(sampleOf(LETTERS, 4, "letters")).toEqual(sample);
  expect(sampleOf(LETTERS, 99, "letters")).toEqual(LETTERS);
});

test("what is added to a list does not change the order of the rest", () => {
  const name = (letter: string) => letter;
  const order = shuffled([...LETTERS, "k"], name).filter((letter) => letter !== "k");
  expect(order).toEqual(shuffled(LETTERS, name));
});

test
  .skipIf(process.platform === "win32")
  .each(["it costs $HOME", "`date`", "it's its own", 'a "word"', "\\", "!!", "100 % of it; rest"])(
  "a shell takes %s as it is",
  (name) => {
    const [, quoted = ""] = / -t (.*)$/s.exec(commandToRepeat("unit", name)) ?? [];
    const pattern = execFileSync("/bin/sh", ["-c", `printf %s ${quoted}`], { encoding: "utf8" });
    expect(name).toMatch(new RegExp(`^${pattern}$`));
  },
);
