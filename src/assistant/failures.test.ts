import { expect, test } from "vitest";
import { answered, failureOf } from "../../test/support/job.ts";
import {
  explainBroken,
  explainCancelled,
  explainEmpty,
  explainGivenUp,
  explainRefused,
  explainTimedOut,
  explainUnreadable,
  explainWithoutEnd,
} from "./failures.ts";

test.each([
  [400, "bad-request", "`domain`"],
  [401, "unauthorized", "`api-key`"],
  [403, "forbidden", "`api-key`"],
  [404, "not-found", "`domain`"],
  [408, "service-unavailable", "Run again"],
  [410, "not-found", "`domain`"],
  [422, "bad-request", "`domain`"],
  [425, "service-unavailable", "Run again"],
  [429, "rate-limited", "`timeout-minutes`"],
  [500, "service-unavailable", "Run again"],
  [503, "service-unavailable", "Run again"],
])("a question that is answered %i is %s", (status, kind, advice) => {
  const error = explainRefused(answered(status));
  expect(error).toMatchObject({ kind, what: `answered ${status}.` });
  expect(error.advice).toContain(advice);
});

test.each([
  [{ type: "redirect", status: 307, location: "" }, "invalid-response", "`base-url`"],
  [{ type: "unreadable" }, "invalid-response", "`domain`"],
  [{ type: "unreached" }, "service-unavailable", "Nothing was received"],
  [{ type: "lost" }, "service-unavailable", "safe to ask the same question twice"],
  [{ type: "stopped", sent: true }, "service-unavailable", "safe to ask the same question twice"],
] as const)("a question that came to %j is %s", (failure, kind, advice) => {
  const cause = failureOf(failure);
  const error = explainRefused(cause);
  expect(error).toMatchObject({ kind, what: "It failed.", cause });
  expect(error.advice).toContain(advice);
});

test.each([
  ["breaks off", explainBroken(failureOf({ type: "lost" })), "stream-interrupted", "It failed."],
  ["has no end", explainWithoutEnd(), "stream-interrupted", "before it was complete"],
  ["is given up", explainGivenUp("out of\n  words"), "stream-interrupted", "answer: out of words."],
  ["is given up without a word", explainGivenUp(" \n"), "stream-interrupted", "off its answer."],
  ["is late", explainTimedOut(300_000), "timeout", "after 5 min 0 s, the limit that"],
])("of an answer that %s, what came is kept", (_, error, kind, what) => {
  expect(error.kind).toBe(kind);
  expect(error.what).toContain(what);
  expect(error.advice).toContain("The part that was received is kept.");
});

test.each([
  ["cannot be read", explainUnreadable(), "invalid-response"],
  ["is empty", explainEmpty(), "invalid-response"],
  ["is cancelled", explainCancelled(), "cancelled"],
])("an answer that %s keeps nothing", (_, error, kind) => {
  expect(error.kind).toBe(kind);
  expect(error.message).not.toContain("kept");
  expect(error.message).toMatch(/\.$/);
});
