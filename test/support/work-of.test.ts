import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { expectNoSquare } from "./work-of.ts";

const SIZE = 1000;

/** Compares work that takes as many milliseconds as a function of its size says. */
async function compare(timeOf: (size: number) => number): Promise<void> {
  let time = 0;
  const measure = async (work: () => unknown) => {
    time = 0;
    await work();
    return time;
  };
  const work = (size: number) => {
    time += timeOf(size);
  };
  await expectNoSquare(work, SIZE, "it", 1, measure);
}

test("work that grows with the square of its size is noticed", async () => {
  await expect(compare((size) => size ** 2 / 1000)).rejects.toThrow(
    "it took 1000 ms at once, and 250 ms in 4 parts",
  );
});

test("work that grows with its size is allowed, however long it takes", async () => {
  await compare((size) => size * 1000);
});

test("work of a moment is allowed, however it grows", async () => {
  await compare((size) => size ** 2 / 10_000);
});

test("real work that grows with its size is allowed", async () => {
  await expectNoSquare((size) => {
    for (let nth = 0; nth < size * 50; nth++) createHash("sha256").update("a").digest();
  }, SIZE);
});
