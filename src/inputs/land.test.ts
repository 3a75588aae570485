import { expect, test } from "vitest";
import { parseLandInputs } from "./land.ts";

const HOUR = 60 * 60_000;

function parse(given: Record<string, string> = {}) {
  const all: Record<string, string> = { "api-key": "mint_x", "project-id": "docs", ...given };
  all["github-token"] ??= "ghs_token";
  return parseLandInputs((name) => all[name] ?? "", { apiUrl: "https://api.github.com" });
}

test("what is left out has its default", () => {
  expect(parse()).toMatchObject({
    ...{ name: "", ledgerRef: null, labels: [], assignees: [], reviewers: [], comment: true },
    ...{ preview: false, checks: "follow-up", reviews: "follow-up", conflicts: "follow-up" },
    ...{ maxFollowUps: 3, maxFiles: null, maxDeletedLines: null, merge: "never" },
    ...{ requiredChecks: [], mergeMethod: "squash", mergeDelay: 0, remindAfter: 0, closeAfter: 0 },
    ...{ allowedPaths: { isEmpty: true }, keys: ["mint_x"], dryRun: false },
  });
});

test.each([
  [
    { reviewers: "ada\nteam:docs-team\nauthors" },
    { reviewers: ["ada", "team:docs-team", "authors"] },
  ],
  [
    { "max-follow-ups": "0", "max-files": " 5 " },
    { maxFollowUps: 0, maxFiles: 5 },
  ],
  [{ "merge-delay-hours": "0.5" }, { mergeDelay: HOUR / 2 }],
  [
    { "close-after-days": "7", "remind-after-days": "2" },
    { closeAfter: 168 * HOUR, remindAfter: 48 * HOUR },
  ],
  [{ merge: "checks", "allowed-paths": "docs/**" }, { merge: "checks" }],
  [{ "previous-api-key": "mint_old" }, { keys: ["mint_x", "mint_old"] }],
])("%j", (given, expected) => {
  expect(parse(given)).toMatchObject(expected);
});

test.each([
  ["merge", "always", "never, approved, checks"],
  ["merge", "checks", "only together with `allowed-paths`"],
  ["merge-method", "fast-forward", "squash, merge, rebase"],
  ["checks", "merge", "follow-up, ignore"],
  ["reviewers", "@ada", "logins, team:slug or authors"],
  ["allowed-paths", "!src/**", "begin with those that count"],
  ["max-follow-ups", "-1", "a whole number of 0 or more"],
  ["max-files", "1.5", "or nothing for no limit"],
  ["merge-delay-hours", "1e9", "a number of hours of 0 or more"],
  ["close-after-days", "-1", "a number of days of 0 or more"],
])("what is wrong is named, with what is allowed: %s %j", (name, value, words) => {
  expect(() => parse({ [name]: value })).toThrow(words);
});
