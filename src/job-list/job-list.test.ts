import { expect, test } from "vitest";
import { readSession, type Session } from "../service/agent-v1.ts";
import { readAllPages, renderJobs, rowOf } from "./job-list.ts";

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

test("of more sessions than anybody reads, ten thousand are listed", async () => {
  const page = Array.from({ length: 20_000 }, (_, nth) => ({ sessionId: `s_${nth}` }));
  const { sessions, isPartial } = await readAllPages(async () => page);
  expect([sessions.length, isPartial]).toEqual([10_000, true]);
});

test.each([
  ["2026-08-01T12:00:59.123Z", "`2026-08-01 12:00`"],
  ["2026-08-01T12:00:59Z", "`2026-08-01 12:00`"],
  ["2026-08-01T12:00:59+02:00", "`2026-08-01T12:00:59+02:00`"],
])("a job that was created at %s has %s in its row", (createdAt, shown) => {
  const rows = [rowOf(sessionOf({ sessionId: "s_1", createdAt }))];
  expect(renderJobs(rows, 0)).toContain(`| ${shown} |`);
});
