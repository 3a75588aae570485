import { expect, test } from "vitest";
import { contextOf } from "../../test/support/run-context.ts";
import type { Payload } from "../github/trigger/run-context.ts";
import { markText } from "./dashboard/render.ts";
import { issueEditOf } from "./issue-edit.ts";
import type { PlanSettings } from "./settings.ts";

const MARK = { ref: "refs/docs-agent/upkeep/x", sha: "a".repeat(40), writes: 5 };
const BODY = `- [ ] a box\n${markText(MARK)}`;
const EDITED: Payload = {
  action: "edited",
  sender: { login: "writer", type: "User" },
  issue: { number: 7, body: BODY },
  changes: { body: { from: BODY } },
};
const TICKED = BODY.replace("[ ]", "[x]");
const IGNORED: PlanSettings["edit"] = { type: "ignored" };

function withBodies(before: string | null, after: string | null): Payload {
  return { ...EDITED, issue: { number: 7, body: after }, changes: { body: { from: before } } };
}

const newSha = markText({ ...MARK, sha: "b".repeat(40) });
const moreWrites = markText({ ...MARK, writes: 6 });

const byPerson = (body: string): PlanSettings["edit"] => ({ type: "edited", issue: 7, body });

test.each<[string, Payload, PlanSettings["edit"]]>([
  ["a ticked box", withBodies(BODY, TICKED), byPerson(TICKED)],
  ["an edit of the title", { ...EDITED, changes: {} }, byPerson(BODY)],
  ["an issue that was reopened", { ...EDITED, action: "reopened", changes: {} }, byPerson(BODY)],
  ["an edit of a body without a mark", withBodies("before", "after"), byPerson("after")],
  ["a mark that was removed", withBodies(BODY, "after"), byPerson("after")],
  ["a body that was emptied", withBodies(BODY, null), byPerson("")],
  ["a first body", withBodies(null, BODY), byPerson(BODY)],
  ["the action's edit, with a person's token: another commit", withBodies(BODY, newSha), IGNORED],
  ["the action's edit: more writes", withBodies(BODY, moreWrites), IGNORED],
  ["the action's edit: a first mark", withBodies("before", BODY), IGNORED],
  ["an edit by a bot", { ...EDITED, sender: { login: "x[bot]", type: "Bot" } }, IGNORED],
  ["an issue that was closed", { ...EDITED, action: "closed" }, IGNORED],
  ["an issue that was opened", { ...EDITED, action: "opened" }, IGNORED],
  ["an issue without a number", { ...EDITED, issue: { body: BODY } }, IGNORED],
])("%s", (_, payload, expected) => {
  expect(issueEditOf(contextOf("issues", payload))).toEqual(expected);
});

test.each(["schedule", "push", "issue_comment", "pull_request"])(
  "a run on %s was not triggered by an issue's edit",
  (eventName) => {
    expect(issueEditOf(contextOf(eventName, EDITED))).toEqual({ type: "none" });
  },
);
