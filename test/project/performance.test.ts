import { expect, test } from "vitest";
import { mostPollsInTenMinutes, simulation } from "../../scripts/bench/simulate.ts";
import { read } from "./files.ts";

test("the table of waiting schedules is the one that `npm run bench` prints", () => {
  const page = read("docs/performance.md");
  expect(page).toContain(`\n${simulation()}\n`);
  expect(page).toContain(`none was polled more than ${mostPollsInTenMinutes()} times`);
});
