import { expect, test } from "vitest";
import { simulate } from "../../scripts/bench/simulate.ts";

test("a job of ten minutes is polled fewer than 50 times", () => {
  for (const { polls } of simulate(600_000, 0)) expect(polls).toBeLessThan(50);
});
