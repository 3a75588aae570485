import { expect, test } from "vitest";
import { expectNoSquare, workOf } from "./work-of.ts";

/** Work that takes as long as this many steps. */
function spend(steps: number): number {
  let sum = 0;
  for (let step = 0; step < steps; step++) sum = (sum * 31 + step) % 1_000_003;
  return sum;
}

test("work that grows with the size passes, however long it takes", async () => {
  await expectNoSquare((size) => spend(16_000 * size), 4_000);
});

test("work that grows with the square of the size does not", async () => {
  const square = expectNoSquare((size) => spend(4 * size * size), 4_000, "A square");
  await expect(square).rejects.toThrow(/A square took/);
});

test("of work, waiting is no part", async () => {
  const work = await workOf(() => new Promise((resolve) => setTimeout(resolve, 300)));
  expect(work).toBeLessThan(200);
});
