import { expect, test } from "vitest";
import { jobOf } from "../../test/support/job.ts";
import { checkId, isId } from "./agent.ts";

test.each([
  ["job_1", true],
  ["a".repeat(1000), true],
  ["a".repeat(1001), false],
  ["", false],
  [" ", false],
  [".", false],
  [" .. ", false],
  [null, false],
  [undefined, false],
])("%j can be an ID: %s", (id, expected) => {
  expect(isId(id)).toBe(expected);
});

test("a record of another job is an error that keeps `Retry-After`", () => {
  const job = jobOf("active", { id: "job_2", retryAfter: 7 });
  expect(checkId("job_2", job)).toBe(job);
  expect(() => checkId("job_1", job)).toThrow(
    expect.objectContaining({ failure: { type: "unreadable" }, retryAfter: 7 }),
  );
});
