import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { expectNoSquare } from "./work-of.ts";

const SIZE = 1000;

/** Does a number of pieces of work, of about a microsecond or more each. */
function workOn(pieces: number): void {
  for (let nth = 0; nth < pieces; nth++) createHash("sha256").update("a").digest();
}

test("work that grows with the square of its size is noticed", async () => {
  const work = (size: number) => workOn(1_000_000 * (size / SIZE) ** 2);
  await expect(expectNoSquare(work, SIZE, "it", 1 / 4)).rejects.toThrow("ms in 4 parts");
});

test("work that grows with its size is allowed, however long it takes", async () => {
  await expectNoSquare((size) => workOn(50_000 * (size / SIZE)), SIZE);
});
