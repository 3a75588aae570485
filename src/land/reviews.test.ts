import { expect, test } from "vitest";
import { commentOf, entryOf, landInputs, pullOf, reviewOf } from "../../test/support/land-facts.ts";
import { approvalOf, commentsOf, isAside, missingReviews, objections } from "./reviews.ts";

const NO_BOTS = landInputs();

test.each([
  ["/aside", true],
  ["  /Aside shall we?", true],
  ["/aside: later", true],
  ["/asides", false],
  ["/aside-note", false],
  ["See /aside", false],
])("%j is between people: %j", (body, expected) => {
  expect(isAside(body)).toBe(expected);
});

test.each([
  [[], false],
  [["reviewer[bot]"], true],
  [["reviewer"], true],
  [["other[bot]"], false],
])("a bot's words count if allowed-bots (%j) names it: %j", (allowedBots, expected) => {
  const pull = pullOf({
    reviews: [reviewOf("Reviewer[bot]", "changes_requested", { isByBot: true })],
    openComments: [commentOf("Reviewer[bot]", { isByBot: true })],
  });
  const rules = { ...landInputs(), allowedBots };
  const found = [objections(pull, rules), commentsOf(pull, rules)];
  expect(found.map(({ length }) => length === 1)).toEqual([expected, expected]);
});

test("the newest approval of the last commit is found", () => {
  const approved = (author: string, at: string, over = {}) =>
    reviewOf(author, "approved", { at, ...over });
  const reviews = [
    approved("bo", "2026-11-20T09:00:00Z"),
    approved("ada", "2026-11-20T08:00:00Z"),
    approved("cy", "2026-11-20T10:00:00Z", { head: "older" }),
    approved("eve", "2026-11-20T11:00:00Z", { mayWrite: false }),
  ];
  expect(approvalOf(pullOf({ reviews }), entryOf(), NO_BOTS)?.author).toBe("bo");
});

test("an approval counts on while land only has the branch brought up to date", () => {
  const reviews = [reviewOf("bo", "approved", { head: "before" })];
  const pull = pullOf({ reviews, headsBeforeUpdates: ["head", "before"] });
  const updated = [{ head: "before", headAt: "2026-11-20T09:00:00Z" }];
  expect(approvalOf(pull, entryOf({ updated }), NO_BOTS)?.author).toBe("bo");
  expect(approvalOf(pull, entryOf(), NO_BOTS)).toBeNull();
});

test.each(["bo", null])("what is missing is that %j no longer asks for changes", (author) => {
  const pull = pullOf({ reviews: [reviewOf(author, "changes_requested")] });
  expect(missingReviews(pull, null, true, NO_BOTS)).toEqual({ code: "objection", author });
});
