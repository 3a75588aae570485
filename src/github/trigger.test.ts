import { expect, test } from "vitest";
import { contextOf } from "../../test/support/run-context.ts";
import { readTrigger } from "./trigger.ts";

const WRITER = { login: "writer", type: "User" };
const BOT = { login: "renovate[bot]", type: "Bot" };
const BODY = "/docs explain retries";

/** The four events that carry text, with the action that asks. */
const ASKING: [string, string, string][] = [
  ["issue_comment", "created", "comment"],
  ["pull_request_review_comment", "created", "comment"],
  ["pull_request_review", "submitted", "review"],
  ["issues", "opened", "issue"],
];

function said(kind: string, action: string, more: { body?: unknown; user?: unknown } = {}) {
  return { action, [kind]: { body: BODY, user: WRITER, ...more }, sender: WRITER };
}

test.each(ASKING)("%s %s asks with the %s's text, in its author's name", (event, action, kind) => {
  expect(readTrigger(contextOf(event, said(kind, action)), "/docs")).toEqual({
    type: "request",
    request: { login: "writer", text: "explain retries", isNew: false },
  });
});

test.each(ASKING)(
  "%s %s: it is the author who asks, whoever sent the event",
  (event, action, kind) => {
    const payload = { ...said(kind, action), sender: { login: "maintainer", type: "User" } };
    expect(readTrigger(contextOf(event, payload), "/docs")).toMatchObject({
      request: { login: "writer" },
    });
  },
);

const OTHER_ACTIONS: [string, string, string][] = [
  ["issue_comment", "edited", "comment"],
  ["issue_comment", "deleted", "comment"],
  ["pull_request_review_comment", "edited", "comment"],
  ["pull_request_review_comment", "deleted", "comment"],
  ["pull_request_review", "edited", "review"],
  ["pull_request_review", "dismissed", "review"],
  ["issues", "edited", "issue"],
  ["issues", "closed", "issue"],
  ["issues", "reopened", "issue"],
  ["issues", "unlabeled", "issue"],
  ["issues", "created", "issue"],
  ["issue_comment", "submitted", "comment"],
];

test.each(OTHER_ACTIONS)("%s %s asks for nothing", (event, action, kind) => {
  const trigger = readTrigger(contextOf(event, said(kind, action)), "/docs");
  expect(trigger).toMatchObject({ type: "not-asked" });
  expect(trigger).toMatchObject({ why: expect.stringContaining(action) });
});

test("an event without an action asks for nothing", () => {
  const { action: _, ...payload } = said("comment", "created");
  expect(readTrigger(contextOf("issue_comment", payload), "/docs").type).toBe("not-asked");
});

test.each([
  ["issues", said("issue", "labeled")],
  ["schedule", { schedule: "0 6 * * 1" }],
  ["push", { ref: "refs/heads/main", commits: [{ message: BODY }] }],
  ["workflow_dispatch", { inputs: { text: BODY } }],
  ["release", { action: "published", release: { body: BODY } }],
  ["pull_request", { action: "opened", pull_request: { body: BODY, user: WRITER } }],
  ["pull_request_target", { action: "closed", pull_request: { body: BODY, user: WRITER } }],
  ["discussion_comment", said("comment", "created")],
  ["", {}],
])("the phrase plays no part in the event '%s'", (event, payload) => {
  expect(readTrigger(contextOf(event, payload), "/docs")).toEqual({ type: "no-phrase-needed" });
});

test.each(ASKING)("without a phrase, %s %s is as any other event", (event, action, kind) => {
  expect(readTrigger(contextOf(event, said(kind, action)), "")).toEqual({
    type: "no-phrase-needed",
  });
});

test.each(ASKING)("%s %s without the phrase asks for nothing", (event, action, kind) => {
  for (const body of ["Any news?", "", null, undefined]) {
    const trigger = readTrigger(contextOf(event, said(kind, action, { body })), "/docs");
    expect(trigger).toMatchObject({ type: "not-asked", why: expect.stringContaining("/docs") });
  }
});

test.each(ASKING)("%s %s by a bot is not allowed", (event, action, kind) => {
  expect(readTrigger(contextOf(event, said(kind, action, { user: BOT })), "/docs")).toEqual({
    type: "not-allowed",
    why: "renovate[bot] is a bot",
  });
});

test.each(ASKING)("%s %s sent by a bot in another's name is not allowed", (event, action, kind) => {
  const payload = { ...said(kind, action), sender: BOT };
  expect(readTrigger(contextOf(event, payload), "/docs").type).toBe("not-allowed");
});

test.each([
  ["nobody", null],
  ["an account without a name", { type: "User" }],
  ["an account with an empty name", { login: "", type: "User" }],
])("a request by %s is not allowed", (_, user) => {
  const payload = said("comment", "created", { user });
  expect(readTrigger(contextOf("issue_comment", payload), "/docs").type).toBe("not-allowed");
});

test("an event that lacks what it is about asks for nothing", () => {
  for (const [event, action] of ASKING) {
    expect(readTrigger(contextOf(event, { action }), "/docs").type).toBe("not-asked");
  }
});

test("it is the text of the comment that asks, not that of the issue it stands on", () => {
  const payload = {
    ...said("comment", "created", { body: "Thanks!" }),
    issue: { body: BODY, user: WRITER },
  };
  expect(readTrigger(contextOf("issue_comment", payload), "/docs").type).toBe("not-asked");
});
