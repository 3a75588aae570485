import { expect, test } from "vitest";
import { answered, failureOf } from "../../test/support/job.ts";
import type { ServiceError } from "../service/errors.ts";
import { CREATE, explainFailure, MESSAGE, POLL } from "./failures.ts";

const OPERATIONS = { create: CREATE, message: MESSAGE, poll: POLL };
type Name = keyof typeof OPERATIONS;

const ALL: Name[] = ["create", "message", "poll"];
const STARTS: Name[] = ["create", "message"];

function each(operations: Name[], ...cases: [string, ServiceError, string, RegExp][]) {
  return cases.flatMap(([name, error, kind, advice]) =>
    operations.map((operation) => ({ name, operation, error, kind, advice })),
  );
}

const LOST = failureOf({ type: "lost" });
const UNREACHED = failureOf({ type: "unreached" });
const UNREADABLE = failureOf({ type: "unreadable" });
const CREDITS = failureOf({ type: "status", status: 429, body: "credits" });
const PAGE = failureOf({ type: "status", status: 403, body: "page" });
const REDIRECT = answered(302);

test.each([
  ...each(
    ALL,
    ["a redirect", REDIRECT, "invalid-response", /`base-url`/],
    ["no connection", UNREACHED, "service-unavailable", /The service received nothing/],
    ["an unreadable answer", UNREADABLE, "invalid-response", /./],
    ["401", answered(401), "unauthorized", /`api-key`.*expired/],
    ["403", answered(403), "forbidden", /scope.*allow-list/],
    ["404", answered(404), "not-found", /`project-id`/],
    ["410", answered(410), "not-found", /`project-id`/],
    ["429", answered(429), "rate-limited", /./],
    ["400", answered(400), "bad-request", /refused/],
    ["422", answered(422), "bad-request", /refused/],
    ["402", answered(402), "out-of-credits", /Add credits/],
    ["429 about credits", CREDITS, "out-of-credits", /Add credits/],
    ["a page with 403", PAGE, "bad-request", /a proxy or a firewall/],
  ),
  ...each(
    STARTS,
    ["a lost answer", LOST, "create-uncertain", /was not sent again/],
    ["stopped", failureOf({ type: "stopped", sent: true }), "cancelled", /next run continues/],
    ["500", answered(500), "create-uncertain", /was not sent again/],
    ["408", answered(408), "create-uncertain", /was not sent again/],
    ["503", answered(503), "create-uncertain", /was not sent again/],
    ["503 with a time", answered(503, 0), "service-unavailable", /nothing was started/],
    ["429", answered(429), "rate-limited", /100 uses per project per hour/],
    ["an unreadable answer", UNREADABLE, "invalid-response", /was accepted/],
  ),
  ...each(
    ["poll"],
    ["a lost answer", LOST, "service-unavailable", /again/],
    ["500", answered(500), "service-unavailable", /again/],
    ["503", answered(503, 0), "service-unavailable", /again/],
    ["425", answered(425), "service-unavailable", /again/],
  ),
  ...each(["create"], ["404", answered(404), "not-found", /^Check `project-id`/]),
  ...each(["message", "poll"], ["404", answered(404), "not-found", /`job-id`/]),
  ...each(["create"], ["a lost answer", LOST, "create-uncertain", /a job may have been started/]),
  ...each(
    ["message"],
    ["a lost answer", LOST, "create-uncertain", /run the action with `job-id` and no prompt/],
  ),
  ...each(["poll"], ["500", answered(500), "service-unavailable", /with its `job-id`/]),
])("$operation, $name: $kind, $advice", ({ operation, error, kind, advice }) => {
  const explained = explainFailure(error, OPERATIONS[operation]);
  expect(explained.kind).toBe(kind);
  expect(explained.problem).toBe(`${error.message}.`);
  expect(explained.advice).toMatch(advice);
  expect(explained.cause).toBe(error);
});

test("401: the kind of the key, and what it belongs to, are named", () => {
  const { advice } = explainFailure(answered(401), CREATE);
  expect(advice).toMatch(/^`api-key` must be an admin key.* `project-id`\..*90 days/);
});
