import { expect, test } from "vitest";
import { contextOf } from "../../../test/support/run-context.ts";
import {
  ASKING,
  asIs,
  BODY,
  BOT,
  CLOSED,
  NOBODY,
  OTHER_ACTIONS,
  PULL,
  runBefore,
  said,
  triggerOf,
  WRITER,
} from "../../../test/support/triggers.ts";

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

test.each(OTHER_ACTIONS)("%s %s asks for nothing", async (event, action, kind) => {
  const trigger = await triggerOf(contextOf(event, said(kind, action)));
  expect(trigger).toMatchObject({ type: "no-request" });
  expect(trigger).toMatchObject({ reason: expect.stringContaining(action) });
});

test.each([
  ["schedule", { schedule: "0 6 * * 1" }],
  ["push", { ref: "refs/heads/main", commits: [{ message: BODY }] }],
  ["workflow_dispatch", { inputs: { text: BODY } }],
  ["repository_dispatch", { action: "docs", client_payload: {} }],
  ["workflow_run", { action: "completed", workflow_run: runBefore("push") }],
  ["release", { action: "published", release: { body: BODY } }],
  ["pull_request", { action: "closed", pull_request: { ...PULL, merged: true } }],
  ["pull_request_target", { action: "closed", pull_request: { ...PULL, merged: true } }],
])("the phrase plays no part in the event '%s' (%j)", async (event, payload) => {
  expect(await triggerOf(contextOf(event, payload))).toEqual(asIs);
});

test.each(CLOSED)("the event '%s' (%j) asks for nothing", async (event, payload) => {
  const trigger = await triggerOf(contextOf(event, payload));
  expect(trigger).toMatchObject({ type: "no-request", reason: expect.stringContaining("/docs") });
  expect(trigger).toMatchObject({ reason: expect.stringContaining(event) });
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
