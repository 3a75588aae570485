import { expect, test } from "vitest";
import { json } from "../../../test/support/answers.ts";
import { connectClient } from "../../../test/support/github-client.ts";
import { readDocsPull } from "./docs-pull.ts";

type Person = { email: string; user: { login: string } | null };
const commit = (author: Person | null, committer = author) => ({ commit: { author, committer } });

const AGENT: Person = { email: "agent@docs.example", user: null };
const BOT: Person = { email: "49+docs-bot[bot]@users.noreply.github.com", user: null };
const LINKED: Person = { email: "x@docs.example", user: { login: "docs-bot" } };
const ADA: Person = { email: "ada@example.com", user: { login: "ada" } };
const UNKNOWN: Person = { email: "who@example.com", user: null };
const NOBODY: Person = { email: "", user: null };
const WEB: Person = { email: "noreply@github.com", user: { login: "web-flow" } };

const PULL = {
  url: "https://github.com/acme/docs/pull/7",
  state: "OPEN",
  isDraft: false,
  isLocked: false,
  createdAt: "2026-11-01T00:00:00Z",
  endedAt: null,
  author: { login: "docs-bot" },
  head: "head",
  branch: "docs/x",
  base: "main",
  isConflicting: "MERGEABLE",
  mergeState: "CLEAN",
  hasMergeQueue: false,
  changedFiles: 2,
  deletedLines: 5,
  commits: { totalCount: 1, nodes: [commit(AGENT)] },
  writersOpinions: { totalCount: 0, nodes: [] },
  opinions: { pageInfo: { hasNextPage: false }, nodes: [] },
  newestReviews: { nodes: [] },
  reviewThreads: { pageInfo: { hasNextPage: false }, nodes: [] },
  comments: { nodes: [] },
  statusCheckRollup: null,
};

const REPOSITORY = { databaseId: 5, nameWithOwner: "acme/handbook" };

async function readOf(over: object) {
  const { server, connect } = connectClient();
  server.on(
    "POST /graphql",
    json(200, { data: { repository: { ...REPOSITORY, pullRequest: { ...PULL, ...over } } } }),
  );
  const read = await readDocsPull(await connect(), "acme/docs", 7);
  expect(String(server.requests[0]?.body)).toContain("annotations(first: 50)");
  return read;
}

test.each([
  ["the agent's alone", [commit(AGENT), commit(AGENT)], false],
  ["its app's address", [commit(AGENT), commit(BOT)], false],
  ["its app's account", [commit(AGENT), commit(LINKED)], false],
  ["the agent's, on GitHub's page", [commit(AGENT, WEB)], false],
  ["a person's", [commit(AGENT), commit(ADA)], true],
  ["a person's, on GitHub's page", [commit(AGENT), commit(ADA, WEB)], true],
  ["the agent's, amended by a person", [commit(AGENT, ADA)], true],
  ["an unknown address", [commit(AGENT), commit(UNKNOWN)], true],
  ["no address, like the first one", [commit(NOBODY), commit(NOBODY)], true],
  ["nobody's", [commit(null)], true],
  ["of somebody named web-flow", [commit(AGENT), commit(WEB)], true],
])("commits: %s", async (_, nodes, isEditedByOthers) => {
  const read = await readOf({ commits: { totalCount: nodes.length, nodes } });
  expect(read.isEditedByOthers).toBe(isEditedByOthers);
});

test("more commits than are read may be anybody's", async () => {
  const commits = { totalCount: 101, nodes: Array.from({ length: 100 }, () => commit(AGENT)) };
  expect((await readOf({ commits })).isEditedByOthers).toBe(true);
});

test.each([
  [{ status: "COMPLETED", conclusion: "SUCCESS" }, "green", "success"],
  [{ status: "COMPLETED", conclusion: "NEUTRAL" }, "green", "neutral"],
  [{ status: "COMPLETED", conclusion: "SKIPPED" }, "green", "skipped"],
  [{ status: "COMPLETED", conclusion: "TIMED_OUT" }, "red", "timed_out"],
  [{ status: "COMPLETED", conclusion: "ACTION_REQUIRED" }, "red", "action_required"],
  [{ status: "COMPLETED", conclusion: null }, "red", ""],
  [{ status: "IN_PROGRESS", conclusion: null }, "pending", "in_progress"],
  [{ state: "SUCCESS" }, "green", "success"],
  [{ state: "EXPECTED" }, "pending", "expected"],
  [{ state: "PENDING" }, "pending", "pending"],
  [{ state: "ERROR" }, "red", "error"],
])("the check %j", async (over, state, conclusion) => {
  const message = { path: "a.md", message: "Dead link", location: { start: { line: 3 } } };
  const run = { id: "CR_9", databaseId: 9, name: "links", title: "2 links", summary: null };
  const status = { id: "SC_1", name: "ci", description: "described" };
  const node = "state" in over ? status : { ...run, annotations: { nodes: [message] } };
  const contexts = { totalCount: 2, nodes: [{ ...node, ...over }] };
  const { checks, hasAllChecks } = await readOf({ statusCheckRollup: { contexts } });
  const annotations = [{ path: "a.md", line: 3, message: "Dead link" }];
  const expected =
    "state" in over
      ? { id: "SC_1", name: "ci", text: "described", annotations: [] }
      : { id: "9", name: "links", text: "2 links", annotations };
  expect(checks).toEqual([{ ...expected, state, conclusion }]);
  expect(hasAllChecks).toBe(false);
});

test.each([
  [{ state: "MERGED", endedAt: "2026-11-05T00:00:00Z" }, { state: "merged" }],
  [{ state: "CLOSED", endedAt: "2026-11-06T00:00:00Z" }, { state: "closed" }],
  [{ isConflicting: "UNKNOWN" }, { isConflicting: null, state: "open", endedAt: "" }],
  [
    { isConflicting: "CONFLICTING", mergeState: "DIRTY" },
    { isConflicting: true, mergeState: "dirty" },
  ],
  [{}, { isConflicting: false, mergeState: "clean", checks: [], hasAllChecks: true }],
])("%j is read as %j", async (over, expected) => {
  expect(await readOf(over)).toMatchObject(expected);
});

test("what has no ID in the REST API has the one in GraphQL", async () => {
  const run = { databaseId: null, id: "CR_3", name: "links", status: "QUEUED", conclusion: null };
  const { checks } = await readOf({
    statusCheckRollup: { contexts: { totalCount: 1, nodes: [run] } },
  });
  expect(checks.map(({ id }) => id)).toEqual(["CR_3"]);
});

test.each([
  [
    { __typename: "Bot", login: "docs-bot" },
    { author: "docs-bot[bot]", isByPerson: false },
  ],
  [
    { __typename: "User", login: "ada" },
    { author: "ada", isByPerson: true },
  ],
  [null, { author: "", isByPerson: false }],
])("the author %j is read as %j", async (author, expected) => {
  expect(await readOf({ author })).toMatchObject(expected);
});

test("what GitHub does not know is empty or null", async () => {
  const message = { message: "Dead link", path: null };
  const run = { id: "CR_3", name: "links", status: "QUEUED" };
  const nodes = [
    { ...run, annotations: { nodes: [{ ...message, location: { start: { line: null } } }] } },
    { ...run, annotations: { nodes: [{ ...message, location: null }] } },
    { ...run, annotations: null },
  ];
  const statusCheckRollup = { contexts: { totalCount: 3, nodes } };
  const { author, checks } = await readOf({ author: null, statusCheckRollup });
  expect(author).toBe("");
  const unknown = { message: "Dead link", path: "", line: null };
  expect(checks.map(({ annotations }) => annotations)).toEqual([[unknown], [unknown], []]);
});

test("a pull request in a state that the action does not know cannot be read", async () => {
  await expect(readOf({ state: "LOCKED" })).rejects.toThrow("pullRequest.state");
});

test("an answer without the pull request cannot be read", async () => {
  await expect(readOf({ url: undefined })).rejects.toThrow();
});

test("a renamed repository has its present name", async () => {
  expect(await readOf({})).toMatchObject({ repository: "acme/handbook", repositoryId: 5 });
});

const file = (path: string, changeType = "MODIFIED") => ({ path, changeType });

test.each([
  [null, null],
  [{ totalCount: 2, nodes: [file("a.md"), file("b.md", "ADDED")] }, ["a.md", "b.md"]],
  [{ totalCount: 1, nodes: [file("a.md", "RENAMED")] }, null],
  [{ totalCount: 101, nodes: [file("a.md")] }, null],
])("of the files %j, the paths are %j", async (files, expected) => {
  expect((await readOf({ files })).listedPaths).toEqual(expected);
});
