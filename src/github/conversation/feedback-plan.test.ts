import { expect, test } from "vitest";
import { contextOf } from "../../../test/support/run-context.ts";
import type { RunContext } from "../trigger/run-context.ts";
import { type FeedbackPlan, type GitHubSettings, planFeedback } from "./feedback.ts";

const SETTINGS: GitHubSettings = {
  requiredPermission: "write",
  allowedUsers: [],
  allowedBots: [],
  comment: true,
  issueNumber: null,
  matrix: "",
  githubToken: "ghs_x",
  githubApiUrl: new URL("https://api.github.test"),
};
const COMMENTED = contextOf("issue_comment", { issue: { number: 7 }, comment: { id: 5 } });
const HERE = { repository: "octo/docs", issue: 7 };
const REACTION = { path: "issues/comments/5" };

test.each<[string, Partial<GitHubSettings>, RunContext, boolean, Partial<FeedbackPlan>]>([
  ["a request", {}, COMMENTED, true, { place: HERE, reactionTarget: REACTION }],
  ["a comment", {}, COMMENTED, false, { place: HERE, reactionTarget: REACTION }],
  [
    "a request to a workflow without comments",
    { comment: false },
    COMMENTED,
    true,
    { place: null, reactionTarget: REACTION },
  ],
  [
    "a comment to a workflow without comments",
    { comment: false },
    COMMENTED,
    false,
    { place: null, reactionTarget: null },
  ],
  [
    "a push that names an issue",
    { issueNumber: 7 },
    contextOf("push"),
    false,
    { place: HERE, reactionTarget: null },
  ],
  ["a push", {}, contextOf("push"), false, { place: null, reactionTarget: null }],
  [
    "a run without a repository",
    { issueNumber: 7 },
    { ...contextOf("push"), repository: null },
    false,
    { place: null },
  ],
])("the feedback to %s", (_, over, context, isRequest, plan) => {
  const settings = { ...SETTINGS, ...over };
  expect(planFeedback(settings, context, isRequest, () => 0.5)).toMatchObject(plan);
});
