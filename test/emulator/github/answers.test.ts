import { expect, test } from "vitest";
import type { SeenAnswer } from "../../../emulator/github/github.ts";
import { problemWith } from "../../support/github-answers.ts";
import { gitHub } from "./ask.ts";

const COMMENT = "GET /repos/{owner}/{repo}/issues/comments/{comment_id}";

/** What the check says of a comment that is told so. */
function problemOf(change: object, more: Partial<SeenAnswer> = {}): string {
  const { repository, get } = gitHub();
  const { id } = repository.comment(repository.openIssue({ title: "x" }), "x", "reader");
  const body = { ...get<object>(`GET /issues/comments/${id}`), ...change };
  return problemWith({ route: COMMENT, request: "GET /x", status: 200, body, ...more });
}

test.each<[string, object, RegExp]>([
  ["a field that GitHub always tells is missing", { user: undefined }, /required property 'user'/],
  ["a field is of another type", { id: "1" }, /\/id must be integer/],
  ["GitHub knows no such field", { karma: 1 }, /additionalProperty":"karma"/],
  ["a time has fractions of a second", { created_at: "2026-01-01T00:00:00.5Z" }, /created_at/],
  ["an address is none", { html_url: "nowhere" }, /html_url/],
])("an answer is wrong where %s", (_, change, problem) => {
  expect(problemOf(change)).toMatch(problem);
});

test("an answer is wrong with a status that GitHub does not give, or a body where there is none", () => {
  expect(problemOf({})).toBe("");
  expect(problemOf({}, { status: 202 })).not.toBe("");
  expect(problemOf({}, { route: COMMENT.replace("GET", "DELETE"), status: 204 })).toMatch(/a body/);
  expect(problemOf({ message: 1 }, { status: 404 })).toMatch(/message must be string/);
  expect(() => problemOf({}, { route: "GET /new" })).toThrow("npm run github-api");
});
