import { expect, test } from "vitest";
import { answered, failureOf } from "../../test/support/job.ts";
import { explainFailure, LIST } from "../job/failures.ts";
import { readSession, type Session } from "../service/agent-v1.ts";
import { renderJobs, rowOf } from "./jobs.ts";

function sessionOf(record: object): Session {
  const session = readSession(record);
  if (session === null) throw new Error("It is no session.");
  return session;
}

test.each([
  ["no job", []],
  ["a job", [rowOf(sessionOf({ sessionId: "s_1" }))]],
])("with %s: says that jobs of version 2 may be missing", (_, rows) => {
  expect(renderJobs(rows, 0)).toMatch(/jobs started with version 2 may be missing\./);
});

test.each([
  ["2026-08-01T12:00:59.123Z", "`2026-08-01 12:00`"],
  ["2026-08-01T12:00:59Z", "`2026-08-01 12:00`"],
  ["2026-08-01T12:00:59+02:00", "`2026-08-01T12:00:59+02:00`"],
])("a job that was created at %s has %s in its row", (createdAt, shown) => {
  const rows = [rowOf(sessionOf({ sessionId: "s_1", createdAt }))];
  expect(renderJobs(rows, 0)).toContain(`| ${shown} |`);
});

test.each([
  ["a lost answer", failureOf({ type: "lost" }), "service-unavailable", /^Run again later/],
  ["500", answered(500), "service-unavailable", /^Run again later/],
  ["429", answered(429), "rate-limited", /^Run again later/],
  ["401", answered(401), "unauthorized", /^`api-key` must be an admin key.* `project-id`\./],
  ["404", answered(404), "not-found", /^Check `project-id`/],
  ["422", answered(422), "bad-request", /refused.*`project-id`/],
])("%s: the error of the list says what went wrong, and what to do", (_, error, kind, advice) => {
  const explained = explainFailure(error, LIST);
  expect(explained.kind).toBe(kind);
  expect(explained.advice).toMatch(advice);
});
