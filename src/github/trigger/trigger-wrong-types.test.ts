import fc from "fast-check";
import { test } from "vitest";
import { contextOf } from "../../../test/support/run-context.ts";
import { runs } from "../../../test/support/sample.ts";
import { questionOfIssue } from "../../assistant/conversation.ts";
import { ActionError } from "../../runtime/errors.ts";
import { isAgentsEvent } from "./agents-own.ts";
import { renderContext, sectionsOf } from "./prompt-context.ts";
import { payloadOf } from "./read-run-context.ts";
import { isOnPullRequest, reactionTarget, triggeringSubject } from "./run-context.ts";
import { isLabelOrMerge, readCausers, readRequesters, readTrigger } from "./trigger.ts";

const WRITER = { login: "writer", type: "User" };
const BOT = { login: "renovate[bot]", type: "Bot" };
const NAMED = { allowedUsers: [], allowedBots: ["renovate[bot]"] };
const POST = {
  id: 5,
  body: "/docs explain",
  html_url: "https://github.com/octo/docs/issues/7#issuecomment-5",
  user: WRITER,
  performed_via_github_app: { slug: "renovate" },
};
const SUBJECT = { ...POST, number: 7, title: "Retries", pull_request: {} };
const REMARK = { ...POST, path: "docs/a.md", line: 3, diff_hunk: "@@ -1 +1 @@" };
const CHANGES = { body: { from: "Earlier." } };

/** Events that the action reads, each with the fields that it reads. */
const EVENTS: Record<string, object> = {
  issue_comment: { action: "created", comment: POST, issue: SUBJECT, sender: WRITER },
  pull_request_review_comment: {
    action: "created",
    comment: REMARK,
    pull_request: SUBJECT,
    sender: BOT,
  },
  pull_request_review: {
    action: "submitted",
    review: { ...POST, node_id: "PRR_1" },
    pull_request: SUBJECT,
    sender: WRITER,
  },
  issues: { action: "opened", issue: { ...SUBJECT, user: BOT }, sender: WRITER, changes: CHANGES },
  discussion: { action: "created", discussion: SUBJECT, sender: WRITER },
  pull_request_target: {
    action: "closed",
    pull_request: { ...SUBJECT, merged: false, head: { sha: "a" } },
    sender: WRITER,
  },
  fork: { sender: WRITER },
  workflow_run: {
    workflow_run: {
      event: "issue_comment",
      head_repository: { full_name: "octo/docs" },
      actor: WRITER,
      triggering_actor: BOT,
    },
  },
  push: {
    ref: "refs/heads/main",
    compare: "https://github.com/octo/docs/compare/a...b",
    before: "a".repeat(40),
    after: "b".repeat(40),
    commits: [{ id: "a".repeat(40), message: "Add it", author: { username: "writer" } }],
    sender: WRITER,
  },
  release: {
    action: "published",
    release: {
      tag_name: "v1",
      name: "One",
      html_url: "https://github.com/octo/docs/releases/v1",
      body: "/docs explain",
      author: WRITER,
    },
    sender: WRITER,
  },
};

const ANYTHING = fc.oneof(
  fc.constantFrom(null, 0, 7, true, "", "x", [], {}, [null]),
  fc.jsonValue(),
);

/** The same value, in which something else is in the place of some of its parts. */
function disturbed(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== "object" || value === null) {
    return fc.oneof(
      { weight: 9, arbitrary: fc.constant(value) },
      { weight: 1, arbitrary: ANYTHING },
    );
  }
  const parts = Array.isArray(value)
    ? fc.tuple(...value.map(disturbed))
    : fc.record(
        Object.fromEntries(Object.entries(value).map(([name, part]) => [name, disturbed(part)])),
      );
  return fc.oneof({ weight: 14, arbitrary: parts }, { weight: 1, arbitrary: ANYTHING });
}

const anyEvent = fc
  .constantFrom(...Object.entries(EVENTS))
  .chain(([name, payload]) => disturbed(payload).map((event) => contextOf(name, payloadOf(event))));

test("whatever the types of an event's fields are, reading it throws nothing unforeseen", async () => {
  await fc.assert(
    fc.asyncProperty(anyEvent, async (context) => {
      const trigger = await readTrigger(context, "/docs");
      if (trigger.type === "request") readRequesters(trigger.post, context.payload, "/docs", NAMED);
      try {
        readCausers(context, NAMED);
      } catch (error) {
        // An event without a sender is an error by itself.
        if (!(error instanceof ActionError)) throw error;
      }
      isAgentsEvent(context);
      isLabelOrMerge(context);
      isOnPullRequest(context);
      triggeringSubject(context);
      reactionTarget(context);
      await questionOfIssue(context);
      renderContext(await sectionsOf(context, ["docs/a.md"]));
    }),
    { numRuns: runs(2000) },
  );
});
