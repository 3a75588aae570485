import { expect, test } from "vitest";
import type { SeenAnswer } from "../../../emulator/github/github.ts";
import { problemWith } from "../../support/github-answers.ts";
import { gitHub } from "./ask.ts";

const COMMENT = "GET /repos/{owner}/{repo}/issues/comments/{comment_id}";

/** The problem that the check finds in a comment with these changes. */
function problemOf(change: object, more: Partial<SeenAnswer> = {}): string {
  const { repository, get } = gitHub();
  const { id } = repository.comment(repository.openIssue({ title: "x" }), "x", "reader");
  const body = { ...get<object>(`GET /issues/comments/${id}`), ...change };
  return problemWith({ route: COMMENT, request: "GET /x", status: 200, body, ...more });
}

test.each<[string, object, RegExp]>([
  ["a required field is missing", { user: undefined }, /must have the property user/],
  ["a field is of another type", { id: "1" }, /\/id must be integer/],
  ["it has an unknown field", { karma: 1 }, /must not have the property karma/],
  ["a time has fractions of a second", { created_at: "2026-01-01T00:00:00.5Z" }, /created_at/],
  ["an address is invalid", { html_url: "nowhere" }, /html_url/],
])("an answer has a problem if %s", (_, change, problem) => {
  expect(problemOf(change)).toMatch(problem);
});

test("an answer has a problem if its status is not in the description, or if a 204 has a body", () => {
  expect(problemOf({})).toBe("");
  expect(problemOf({}, { status: 202 })).not.toBe("");
  expect(problemOf({}, { route: COMMENT.replace("GET", "DELETE"), status: 204 })).toMatch(/a body/);
  expect(problemOf({ message: 1 }, { status: 404 })).toMatch(/message must be string/);
  expect(() => problemOf({}, { route: "GET /new" })).toThrow("npm run github-api");
});
