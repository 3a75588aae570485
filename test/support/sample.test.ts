import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { commandToRepeat, numberedSampleOf, sampleOf, seed, seedOf, shuffled } from "./sample.ts";

const LETTERS = [..."abcdefghij"];

test("a sample is so many of the items, in their own order, and the same each time", () => {
  const sample = sampleOf(LETTERS, 4, "letters");
  expect(new Set(sample).size).toBe(4);
  expect(sample).toEqual(LETTERS.filter((letter) => sample.includes(letter)));
  expect(sampleOf(LETTERS, 4, "letters")).toEqual(sample);
  expect(sampleOf(LETTERS, 99, "letters")).toEqual(LETTERS);
});

test("samples of another name are others", () => {
  const names = Array.from({ length: 20 }, (_, nth) => `letters ${nth}`);
  const samples = names.map((name) => sampleOf(LETTERS, 4, name).join());
  expect(new Set(samples).size).toBeGreaterThan(1);
});

test("each name has a seed of its own, a whole number that stays the same", () => {
  const seeds = LETTERS.map(seedOf);
  expect(new Set(seeds).size).toBe(LETTERS.length);
  expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0)).toBe(true);
  expect(LETTERS.map(seedOf)).toEqual(seeds);
});

test("a numbered sample tells the positions", () => {
  for (const [position, letter] of numberedSampleOf(LETTERS, 4, "numbered")) {
    expect(LETTERS[position]).toBe(letter);
  }
});

test("what is added to a list does not change the order of the rest", () => {
  const name = (letter: string) => letter;
  const order = shuffled([...LETTERS, "k"], name).filter((letter) => letter !== "k");
  expect(order).toEqual(shuffled(LETTERS, name));
});

test("properties are tried from the seed as well", () => {
  expect(fc.readConfigureGlobal().seed).toBe(Number(seed));
});

test("the command that repeats a test names it by a pattern, in single quotes", () => {
  const command = commandToRepeat("unit", "a (very) short test");
  expect(command).toContain(`TRUST_SEED=${seed} `);
  expect(command).toMatch(/ --project unit -t 'a \\\(very\\\) short test'$/);
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
