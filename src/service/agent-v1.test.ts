import { expect, test } from "vitest";
import { jobOfSession, readSession, type Session } from "./agent-v1.ts";

function sessionOf(record: object): Session {
  const session = readSession({ sessionId: "s_1", ...record });
  if (session === null) throw new Error("It is not a session");
  return session;
}

test.each([
  [{}, "active"],
  [{ haulted: false }, "active"],
  [{ haulted: false, haultReason: "completed" }, "active"],
  [{ haulted: true, haultReason: "processing" }, "active"],
  [{ haultReason: "completed" }, "completed"],
  [{ haulted: true, haultReason: " Completed " }, "completed"],
  [{ haulted: true }, "failed"],
  [{ haulted: true, haultReason: " " }, "failed"],
  [{ haulted: true, haultReason: "error" }, "failed"],
])("a session with %j is %s", (record, status) => {
  expect(jobOfSession(sessionOf(record)).status).toBe(status);
});

test.each([
  ["error", null],
  ["interrupted", "was interrupted"],
  ["github_misconfigured", "misconfigured"],
  ["repohost_missconfigured", "misconfigured"],
  ["out_of_tokens", "(`out_of_tokens`)"],
  ["@octocat", "does not know."],
])("a session that was halted with %j explains it: %j", (haultReason, expected) => {
  const { failure } = jobOfSession(sessionOf({ haulted: true, haultReason }));
  if (expected === null) expect(failure).toBeNull();
  else expect(failure?.problem).toContain(expected);
});

test.each([
  [{ sessionId: "s_2" }, "s_1", "s_2"],
  [{ haulted: true }, "s_1", "s_1"],
  [{ sessionId: "..", haulted: true }, "s_1", "s_1"],
  [{ haulted: true }, undefined, null],
  [{ title: "No session" }, "s_1", null],
  ["text", "s_1", null],
])("%j, read as session %j, has the ID %j", (value, requested, id) => {
  expect(readSession(value, requested)?.sessionId ?? null).toBe(id);
});

test("to-do items without content are left out, and so is a message without text", () => {
  const items = [{ content: "Write" }, { content: " " }, "none", { content: 7 }];
  const { todos, message } = jobOfSession(sessionOf({ todos: items, messageToUser: " \n" }));
  expect(todos).toEqual([{ id: "", content: "Write", status: "", priority: "" }]);
  expect(message).toBeNull();
});
