import { expect, test } from "vitest";
import { contextOf } from "../../../test/support/run-context.ts";
import { isAgents, isAgentsEvent } from "./agents-own.ts";

const AGENT = { login: "Mintlify[bot]", type: "Bot" };
const PERSON = { login: "writer", type: "User" };
const APP = { login: "docs-helper[bot]", isBot: true };
const PULL = {
  url: "https://github.com/octo/docs/pull/3",
  isFork: false,
  author: APP,
  branch: "docs/a",
};
const NONE = { links: [], branches: [] };

test.each([
  ["by the agent's app", { author: { ...APP, login: "mintlify[bot]" } }, NONE, true],
  ["under a link that is known", {}, { ...NONE, links: [PULL.url.toUpperCase()] }, true],
  ["by an app, from a branch that is known", {}, { ...NONE, branches: ["docs/a"] }, true],
  ["by an app, from another branch", {}, { ...NONE, branches: ["docs/b"] }, false],
  ["of a fork", { isFork: true }, { ...NONE, branches: ["docs/a"] }, false],
  [
    "by a person",
    { author: { login: "a", isBot: false } },
    { ...NONE, branches: ["docs/a"] },
    false,
  ],
])("a pull request %s", (_, more, traces, isOwn) => {
  expect(isAgents({ ...PULL, ...more }, traces, ["main"])).toBe(isOwn);
  // The branch that is read is none of the agent's.
  const isByBranch = traces.branches.length > 0;
  expect(isAgents({ ...PULL, ...more }, traces, ["docs/a"])).toBe(isOwn && !isByBranch);
});

const commit = (username: string, message = "Update") => ({ message, author: { username } });
const OWN = commit("mintlify[bot]");
const MERGE = commit("writer", "Merge pull request #3 from octo/docs/a");

test.each<[string, object, boolean]>([
  ["pull_request", { action: "opened", pull_request: { user: AGENT } }, true],
  ["pull_request", { action: "labeled", pull_request: { user: AGENT }, sender: PERSON }, true],
  ["pull_request_target", { action: "closed", pull_request: { user: AGENT, merged: true } }, true],
  ["pull_request", { action: "opened", pull_request: { user: PERSON } }, false],
  ["push", { sender: AGENT, commits: [] }, true],
  ["push", { sender: PERSON, commits: [OWN, OWN] }, true],
  ["push", { sender: PERSON, commits: [OWN, MERGE] }, true],
  ["push", { sender: PERSON, commits: [MERGE] }, false],
  ["push", { sender: PERSON, commits: [OWN, commit("writer")] }, false],
  ["push", { sender: PERSON, commits: [] }, false],
  ["workflow_run", { workflow_run: { actor: AGENT, triggering_actor: PERSON } }, true],
  ["workflow_run", { workflow_run: { actor: PERSON } }, false],
  ["issue_comment", { action: "created", issue: { user: AGENT }, sender: PERSON }, false],
  ["pull_request_review", { pull_request: { user: AGENT }, sender: PERSON }, false],
])("%s (%j) is the agent's own: %s", (event, payload, isOwn) => {
  expect(isAgentsEvent(contextOf(event, payload))).toBe(isOwn);
});
