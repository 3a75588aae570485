import { expect, test } from "vitest";
import { jobOf, replyOf } from "../../test/support/job.ts";
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
  const reply = replyOf(jobOf("active", { id: "job_2" }), 7);
  expect(checkId("job_2", reply)).toBe(reply);
  expect(() => checkId("job_1", reply)).toThrow(
    expect.objectContaining({ failure: { type: "unreadable" }, retryAfter: 7 }),
  );
});
