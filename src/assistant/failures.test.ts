import { expect, test } from "vitest";
import { failureOf } from "../../test/support/job.ts";
import {
  explainBroken,
  explainCancelled,
  explainEmpty,
  explainGivenUp,
  explainTimedOut,
  explainUnreadable,
  explainWithoutEnd,
} from "./failures.ts";

test.each([
  ["breaks off", explainBroken(failureOf({ type: "lost" })), "stream-interrupted", "It failed."],
  ["has no end", explainWithoutEnd(), "stream-interrupted", "before it was complete"],
  [
    "is given up",
    explainGivenUp("out of\n  words"),
    "stream-interrupted",
    "complete: out of words.",
  ],
  [
    "is given up without a word",
    explainGivenUp(" \n"),
    "stream-interrupted",
    "answer was complete.",
  ],
  ["is late", explainTimedOut(300_000), "timeout", "after 5 min 0 s, the limit set by"],
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
