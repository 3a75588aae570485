import { expect, test } from "vitest";
import { answered, failureOf } from "../../test/support/job.ts";
import { isPassing, isStatus, stoppedRequest, wasTurnedAway } from "./errors.ts";

test.each([
  [answered(400), false],
  [answered(401), false],
  [answered(404), false],
  [answered(408), true],
  [answered(425), true],
  [answered(429), true],
  [answered(500), true],
  [answered(503), true],
  [failureOf({ type: "unreached" }), true],
  [failureOf({ type: "lost" }), true],
  [failureOf({ type: "unreadable" }), true],
  [stoppedRequest(true), false],
])("$failure may pass: %s", (error, expected) => {
  expect(isPassing(error)).toBe(expected);
});

test.each([
  [answered(503, 0), true],
  [answered(503), false],
  [answered(500, 0), false],
  [failureOf({ type: "lost" }, 0), false],
])("$failure with `Retry-After` $retryAfter was not processed: %s", (error, expected) => {
  expect(wasTurnedAway(error)).toBe(expected);
});

test("a failure without a status has none of the statuses", () => {
  expect(isStatus({ type: "status", status: 404, body: "error" }, 404, 410)).toBe(true);
  expect(isStatus({ type: "status", status: 400, body: "error" }, 404, 410)).toBe(false);
  expect(isStatus({ type: "lost" }, 404, 410)).toBe(false);
});
