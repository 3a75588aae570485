import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { commandToRepeat, isExhaustive, sampleOf, shuffled } from "./sample.ts";

const LETTERS = [..."abcdefghij"];

test("a sample has the given size, keeps the order of the items, and is the same each time", () => {
  const sample = sampleOf(LETTERS, 4, "letters");
  expect(new Set(sample).size).toBe(isExhaustive ? LETTERS.length : 4);
  expect(sample).toEqual(LETTERS.filter((letter) => sample.includes(letter)));
  expect(sampleOf(LETTERS, 4, "letters")).toEqual(sample);
  expect(sampleOf(LETTERS, 99, "letters")).toEqual(LETTERS);
});

test("an item that is added to a list does not change the order of the others", () => {
  const name = (letter: string) => letter;
  const order = shuffled([...LETTERS, "k"], name).filter((letter) => letter !== "k");
  expect(order).toEqual(shuffled(LETTERS, name));
});

test
  .skipIf(process.platform === "win32")
  .each(["it costs $HOME", "`date`", "it's its own", 'a "word"', "\\", "!!", "100 % of it; rest"])(
  "in the command that repeats a test, a shell does not change the name %s",
  (name) => {
    const [, quoted = ""] = / -t (.*)$/s.exec(commandToRepeat("unit", name)) ?? [];
    const pattern = execFileSync("/bin/sh", ["-c", `printf %s ${quoted}`], { encoding: "utf8" });
    expect(name).toMatch(new RegExp(`^${pattern}$`));
  },
);
