import { expect, test } from "vitest";
import { contextOf } from "../../test/support/run-context.ts";
import { questionOfIssue } from "./issue-question.ts";

const ISSUE = { title: "How?", body: "I want to <!-- not --> know." };

test("an issue is a question, as readers see it", () => {
  const context = contextOf("issues", { issue: ISSUE });
  expect(questionOfIssue(context)).toBe("How?\n\nI want to  know.");
});

test.each([
  ["without text", { title: "How?", body: null }, "How?"],
  ["without title", { body: "Why?" }, "Why?"],
  ["that says nothing", { title: " ", body: "<!-- template -->" }, ""],
])("an issue %s asks what is left", (_, issue, question) => {
  expect(questionOfIssue(contextOf("issues", { issue }))).toBe(question);
});

test.each(["issue_comment", "pull_request", "schedule"])("%s asks nothing by itself", (event) => {
  expect(questionOfIssue(contextOf(event, { issue: ISSUE }))).toBe("");
});

test("the question is bounded, and whole characters", () => {
  const context = contextOf("issues", { issue: { title: "📄".repeat(20_000), body: null } });
  const question = questionOfIssue({ ...context });
  expect(question.length).toBeLessThanOrEqual(32 * 1024);
  expect(question.isWellFormed()).toBe(true);
});
