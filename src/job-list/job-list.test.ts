import fc from "fast-check";
import { expect, test } from "vitest";
import { rendered } from "../../emulator/github/rendered-markdown.ts";
import { hostileText } from "../../test/support/arbitrary.ts";
import { runs } from "../../test/support/sample.ts";
import { readSession, type Session } from "../service/session.ts";
import { renderJobs, rowOf } from "./job-list.ts";

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

test("no text whatever leaves its cell", () => {
  const text = hostileText();
  const fields = fc.record({
    sessionId: text.map((it) => `s${it}`),
    title: text,
    branch: text,
    createdAt: text,
    haultReason: text,
    pullRequestLink: fc.oneof(text, fc.constant("https://github.com/octo/docs/pull/42")),
  });
  fc.assert(
    fc.property(fc.array(fields, { minLength: 1, maxLength: 4 }), (records) => {
      const rows = records.map((it) => readSession(it)).filter((it) => it !== null);
      const shown = rendered(renderJobs(rows.map(rowOf), 0));
      const [, body = ""] = /<tbody>\n([\s\S]*)<\/tbody>\n<\/table>$/.exec(shown) ?? [];
      const own = body.replaceAll(/<code>[^<]*<\/code>/g, "");
      const row =
        /<tr>\n<td><\/td>\n<td>\w+<\/td>\n(<td><\/td>\n){3}<td>(<a href="https:\/\/[^"]*">(#\d+|link)<\/a>)?<\/td>\n<\/tr>\n/g;
      expect(rows.length).toBe(records.length);
      expect(own.match(row)).toHaveLength(rows.length);
      expect(own.replaceAll(row, "")).toBe("");
    }),
    { numRuns: runs(100) },
  );
});
