import { expect, test } from "vitest";
import { contextOf } from "../../../test/support/run-context.ts";
import type { Named } from "./permission.ts";
import type { RunContext } from "./run-context.ts";
import { readCausers, readRequesters, readTrigger } from "./trigger.ts";

const WRITER = { login: "writer", type: "User" };
const BOT = { login: "renovate[bot]", type: "Bot" };
const BODY = "/docs explain retries";
const NOBODY: Named = { allowedUsers: [], allowedBots: [] };

/** What an event asks for, with whom the workflow names. */
async function triggerOf(context: RunContext, phrase: string | null = "/docs", named = NOBODY) {
  if (phrase === null) return readCausers(context, named);
  const trigger = await readTrigger(context, phrase);
  if (trigger.type !== "request") return trigger;
  const { request, doubt } = trigger;
  return { request, doubt, ...readRequesters(trigger.post, context.payload, phrase, named) };
}

/** The four events that carry text, with the action that asks. */
const ASKING: [string, string, string][] = [
  ["issue_comment", "created", "comment"],
  ["pull_request_review_comment", "created", "comment"],
  ["pull_request_review", "submitted", "review"],
  ["issues", "opened", "issue"],
];

function said(kind: string, action: string, more: Record<string, unknown> = {}) {
  return { action, [kind]: { body: BODY, user: WRITER, ...more }, sender: WRITER };
}

test.each(ASKING)(
  "%s %s asks with the %s's text, in its author's name",
  async (event, action, kind) => {
    expect(await triggerOf(contextOf(event, said(kind, action)))).toEqual({
      type: "people",
      people: ["writer"],
      doubt: null,
      request: { text: "explain retries", isNew: false },
    });
  },
);

test.each(ASKING)(
  "%s %s that another account sent asks for nothing, whoever that is",
  async (event, action, kind) => {
    const payload = { ...said(kind, action), sender: { login: "maintainer", type: "User" } };
    expect(await triggerOf(contextOf(event, payload))).toMatchObject({
      type: "no-request",
      reason: expect.stringContaining("writer wrote it, and maintainer sent the event"),
    });
    const sender = { login: "Writer", type: "User" };
    const own = await triggerOf(contextOf(event, { ...payload, sender }));
    expect(own).toMatchObject({ type: "people", people: ["writer"] });
  },
);

test("a sender whose login is no text is another account than the author", async () => {
  const payload = { ...said("comment", "created"), sender: { login: 7, type: "User" } };
  expect(await triggerOf(contextOf("issue_comment", payload))).toMatchObject({
    type: "no-request",
    reason: expect.stringContaining("writer wrote it, and another account sent the event"),
  });
});

test("an issue that was transferred asks for nothing", async () => {
  const payload = { ...said("issue", "opened"), changes: { old_issue: { number: 3 } } };
  expect(await triggerOf(contextOf("issues", payload))).toMatchObject({
    type: "no-request",
    reason: expect.stringContaining("transferred"),
  });
});

test.each(ASKING)(
  "in a workflow that is called on %s %s, the phrase asks as in the caller",
  async (event, action, kind) => {
    // The caller's event and payload; only the inputs of `workflow_call` are the called workflow's own.
    const called = { ...said(kind, action), inputs: { "trigger-phrase": "/docs" } };
    const request = { text: "explain retries", isNew: false };
    expect(await triggerOf(contextOf(event, called))).toMatchObject({
      people: ["writer"],
      request,
    });
    const other = { ...called, [kind]: { body: "Any news?", user: WRITER } };
    expect((await triggerOf(contextOf(event, other))).type).toBe("no-request");
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
  ["issue_comment", "", "comment"],
];

test.each(OTHER_ACTIONS)("%s %s asks for nothing", async (event, action, kind) => {
  const trigger = await triggerOf(contextOf(event, said(kind, action)));
  expect(trigger).toMatchObject({ type: "no-request" });
  expect(trigger).toMatchObject({ reason: expect.stringContaining(action) });
});

/** A run for which nobody needs the permission. */
const asIs = { type: "unguarded" };
const PULL = { body: BODY, user: WRITER };

test.each([
  ["schedule", { schedule: "0 6 * * 1" }],
  ["push", { ref: "refs/heads/main", commits: [{ message: BODY }] }],
  ["workflow_dispatch", { inputs: { text: BODY } }],
  ["repository_dispatch", { action: "docs", client_payload: {} }],
  ["workflow_run", { action: "completed", workflow_run: {} }],
  ["release", { action: "published", release: { body: BODY } }],
  ["issues", said("issue", "labeled")],
  ["pull_request", { action: "labeled", pull_request: PULL }],
  ["pull_request_target", { action: "labeled", pull_request: PULL }],
  ["pull_request", { action: "closed", pull_request: { ...PULL, merged: true } }],
  ["pull_request_target", { action: "closed", pull_request: { ...PULL, merged: true } }],
])("the phrase plays no part in the event '%s' (%j)", async (event, payload) => {
  expect(await triggerOf(contextOf(event, payload))).toEqual(asIs);
});

test.each([
  ["pull_request", { action: "opened", pull_request: PULL }],
  ["pull_request", { action: "synchronize", pull_request: PULL }],
  ["pull_request", { action: "closed", pull_request: PULL }],
  ["pull_request", { action: "closed", pull_request: { ...PULL, merged: false } }],
  ["pull_request_target", { action: "opened", pull_request: PULL }],
  ["pull_request_target", { action: "closed", pull_request: { ...PULL, merged: "true" } }],
  ["pull_request_target", { action: "edited", pull_request: { ...PULL, merged: true } }],
  ["issues", { ...said("issue", "closed"), pull_request: { merged: true } }],
  ["pull_request_review_thread", { action: "resolved" }],
  ["discussion", { action: "created", discussion: { body: BODY, user: WRITER } }],
  ["discussion", { action: "labeled", discussion: { body: BODY, user: WRITER } }],
  ["discussion_comment", said("comment", "created")],
  ["commit_comment", said("comment", "created")],
  ["fork", {}],
  ["watch", { action: "started" }],
  ["gollum", { pages: [] }],
  ["milestone", { action: "created" }],
  ["label", { action: "created" }],
  ["check_run", { action: "completed" }],
  ["status", {}],
  // GitHub never sends this one: a called workflow has its caller's event.
  ["workflow_call", {}],
  ["", {}],
  ["constructor", {}],
])("the event '%s' (%j) asks for nothing", async (event, payload) => {
  const trigger = await triggerOf(contextOf(event, payload));
  expect(trigger).toMatchObject({ type: "no-request", reason: expect.stringContaining("/docs") });
  expect(trigger).toMatchObject({ reason: expect.stringContaining(event) });
});

/** What outsiders can write. */
const WRITTEN: [string, string, string][] = [
  ...ASKING,
  ...OTHER_ACTIONS,
  ["discussion", "created", "discussion"],
  ["discussion", "answered", "discussion"],
  ["discussion_comment", "created", "comment"],
  ["commit_comment", "created", "comment"],
  ["pull_request_target", "opened", "pull_request"],
  ["pull_request_target", "closed", "pull_request"],
];

test.each(WRITTEN)("without a phrase, %s %s is guarded", async (event, action, kind) => {
  if (action === "unlabeled") return;
  const payload = said(kind, action, { body: "Any news?" });
  const guarded = { type: "people", people: ["writer"] };
  expect(await triggerOf(contextOf(event, payload), null)).toEqual(guarded);
  const { sender: _, ...silent } = payload;
  expect(await triggerOf(contextOf(event, silent), null)).toEqual(guarded);
  const sender = { login: "other", type: "User" };
  expect(await triggerOf(contextOf(event, { ...payload, sender }), null)).toEqual({
    ...guarded,
    people: ["writer", "other"],
  });
  const named = { allowedUsers: ["writer"], allowedBots: [] };
  expect(await triggerOf(contextOf(event, payload), null, named)).toEqual({
    ...guarded,
    people: [],
  });
  for (const bots of [{ sender: BOT }, said(kind, action, { user: BOT }), { [kind]: undefined }]) {
    const refused = await triggerOf(contextOf(event, { ...payload, ...bots }), null);
    expect(refused.type).toBe("not-allowed");
  }
});

test.each(["fork", "gollum", "watch"])(
  "without a phrase, '%s' takes the permission of whoever sent it",
  async (event) => {
    const sent = await triggerOf(contextOf(event, { action: "started", sender: WRITER }), null);
    expect(sent).toEqual({ type: "people", people: ["writer"] });
    expect((await triggerOf(contextOf(event, { sender: BOT }), null)).type).toBe("not-allowed");
  },
);

test.each([
  ["issues", said("issue", "labeled")],
  ["issues", said("issue", "unlabeled")],
  ["discussion", said("discussion", "labeled")],
  ["pull_request_target", { action: "closed", pull_request: { ...PULL, merged: true } }],
  ["pull_request", { action: "opened", pull_request: PULL }],
  ["push", {}],
])("without a phrase, the event '%s' (%#) runs as it is", async (event, payload) => {
  expect(await triggerOf(contextOf(event, payload), null)).toEqual(asIs);
});

test.each(ASKING)("%s %s without the phrase asks for nothing", async (event, action, kind) => {
  for (const body of ["Any news?", "", null, undefined]) {
    const trigger = await triggerOf(contextOf(event, said(kind, action, { body })));
    expect(trigger).toMatchObject({ type: "no-request", reason: expect.stringContaining("/docs") });
  }
});

test.each(ASKING)("%s %s asks for those who may, by event and inputs", async (event, ...row) => {
  const [action, kind] = row;
  const typeOf = async (more: object, over: object = {}, named = NOBODY) => {
    const context = contextOf(event, { ...said(kind, action, { ...more }), ...over });
    const { type, ...rest } = await triggerOf(context, "/docs", named);
    return "people" in rest ? `${type}: ${rest.people}` : type;
  };
  const ofBot = { allowedUsers: [], allowedBots: ["renovate[bot]"] };
  expect(await typeOf({ user: BOT })).toBe("not-allowed");
  expect(await typeOf({ user: BOT }, { sender: BOT }, ofBot)).toBe("people: ");
  expect(await typeOf({}, { sender: BOT })).toBe("not-allowed");
  expect(await typeOf({ performed_via_github_app: { slug: "helper" } })).toBe("not-allowed");
  expect(await typeOf({ user: null })).toBe("not-allowed");
});

test("an event that lacks what it is about asks for nothing", async () => {
  for (const [event, action] of ASKING) {
    expect((await triggerOf(contextOf(event, { action }))).type).toBe("no-request");
  }
});

test("it is the text of the comment that asks, not that of the issue it is on", async () => {
  const payload = {
    ...said("comment", "created", { body: "Thanks!" }),
    issue: { body: BODY, user: WRITER },
  };
  expect((await triggerOf(contextOf("issue_comment", payload))).type).toBe("no-request");
});
