import { expect, test } from "vitest";
import { json } from "../../../test/support/answers.ts";
import { connectClient } from "../../../test/support/github-client.ts";
import { knownValue } from "../../../test/support/known.ts";
import { docsPullAt } from "./docs-pull.ts";

type Person = { email: string; user: { login: string } | null };
const commit = (
  author: Person | null,
  committer = author,
  title = "Write a page",
  parents = 1,
) => ({
  commit: { oid: title, title, parents: { totalCount: parents }, author, committer },
});

const AGENT: Person = { email: "agent@docs.example", user: null };
const BOT: Person = { email: "49+docs-bot[bot]@users.noreply.github.com", user: null };
const LINKED: Person = { email: "x@docs.example", user: { login: "docs-bot" } };
const ADA: Person = { email: "ada@example.com", user: { login: "ada" } };
const UNKNOWN: Person = { email: "who@example.com", user: null };
const NOBODY: Person = { email: "", user: null };
const WEB: Person = { email: "noreply@github.com", user: { login: "web-flow" } };

const UPDATE = "Merge branch 'main' into docs/x";
const OTHER = "Merge branch 'hotfix' into docs/x";

const PULL = {
  id: "PR_7",
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
  isInMergeQueue: false,
  changedFiles: 2,
  commits: { totalCount: 1, nodes: [commit(AGENT)] },
  writersOpinions: listOf([]),
  opinions: listOf([]),
  newestReviews: listOf([]),
  reviewThreads: listOf([]),
  comments: { nodes: [] },
  statusCheckRollup: null,
  headCommit: { nodes: [{ commit: { oid: "head", checkSuites: listOf([]) } }] },
};

/** A list that was read as a whole. */
function listOf<T>(nodes: T[]) {
  return { totalCount: nodes.length, nodes, pageInfo: { hasNextPage: false, endCursor: null } };
}

const rollupOf = (nodes: object[]) => ({ statusCheckRollup: { contexts: listOf(nodes) } });

const REPOSITORY = { databaseId: 5, nameWithOwner: "acme/handbook" };

async function readOf(over: object, allowedCommitters: string[] = []) {
  const { server, connect } = connectClient();
  const repository = { ...REPOSITORY, pullRequest: { ...PULL, ...over } };
  server.on("POST /graphql", json(200, { data: { viewer: { login: "ci" }, repository } }));
  const place = { repository: "acme/docs", number: 7, allowedCommitters, ownMark: "own:" };
  const read = knownValue(await docsPullAt(await connect(), place));
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
  ["GitHub's merge of the base", [commit(AGENT), commit(ADA, WEB, UPDATE, 2)], false],
  ["a person's merge of the base", [commit(AGENT), commit(ADA, ADA, UPDATE, 2)], true],
  ["named like a merge of the base", [commit(AGENT), commit(ADA, WEB, UPDATE)], true],
  ["GitHub's merge of another branch", [commit(AGENT), commit(ADA, WEB, OTHER, 2)], true],
])("commits: %s", async (_, nodes, isEditedByOthers) => {
  const read = await readOf({ commits: { totalCount: nodes.length, nodes } });
  expect(read.isEditedByOthers).toBe(isEditedByOthers);
});

const ENTERPRISE = { url: "https://github.acme.example/acme/docs/pull/7" };
const at = (email: string): Person => ({ email, user: null });

test.each([
  ["by the server's default address", commit(AGENT, at("noreply@github.acme.example")), false],
  ["by an address of its domain", commit(AGENT, at("no-reply@acme.example")), false],
  ["by github.com", commit(AGENT, WEB), false],
  ["by its app's address", commit(at("49+docs-bot@users.noreply.github.acme.example")), false],
  ["by an address of another server", commit(AGENT, at("noreply@other.example")), true],
  ["by such a name at another server", commit(at("docs-bot@users.noreply.other.example")), true],
  ["by the address of a top-level domain", commit(AGENT, at("noreply@example")), true],
  ["by an address that only ends like its own", commit(AGENT, at("noreply@me.example")), true],
])("on a server of its own, a commit %s", async (_, node, isEditedByOthers) => {
  const nodes = [commit(AGENT), node];
  const read = await readOf({ ...ENTERPRISE, commits: { totalCount: nodes.length, nodes } });
  expect(read.isEditedByOthers).toBe(isEditedByOthers);
});

test("the commits of allowed committers count as the agent's", async () => {
  const nodes = [commit(AGENT), commit(ADA), commit(BOT)];
  const commits = { totalCount: 3, nodes };
  expect((await readOf({ commits }, ["bo"])).isEditedByOthers).toBe(true);
  expect((await readOf({ commits }, ["Ada"])).isEditedByOthers).toBe(false);
});

test("the heads before GitHub merged the base into the branch are known", async () => {
  const nodes = [
    commit(AGENT, AGENT, "first"),
    commit(AGENT, AGENT, "second"),
    commit(ADA, WEB, UPDATE, 2),
  ];
  const commits = { totalCount: 3, nodes };
  const read = await readOf({ commits, head: UPDATE });
  expect(read.headsBeforeUpdates).toEqual([UPDATE, "second"]);
  // The list of commits is behind.
  expect((await readOf({ commits })).headsBeforeUpdates).toEqual(["head"]);
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
  [{ status: "COMPLETED", conclusion: "STARTUP_FAILURE" }, "red", "startup_failure"],
  [{ status: "COMPLETED", conclusion: "CANCELLED" }, "dropped", "cancelled"],
  [{ status: "COMPLETED", conclusion: "STALE" }, "dropped", "stale"],
  [{ status: "COMPLETED", conclusion: "ACTION_REQUIRED" }, "held", "action_required"],
  [{ status: "WAITING", conclusion: null }, "held", "waiting"],
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
  const { checks } = await readOf(rollupOf([{ ...node, ...over }]));
  const annotations = [{ path: "a.md", line: 3, message: "Dead link" }];
  const expected =
    "state" in over
      ? { id: "SC_1", name: "ci", text: "described", annotations: [] }
      : { id: "9", name: "links", text: "2 links", annotations };
  expect(checks).toEqual([{ ...expected, isJob: false, log: null, state, conclusion }]);
});

test.each([
  [
    { state: "MERGED", endedAt: "2026-11-05T00:00:00Z" },
    { state: { type: "merged", at: "2026-11-05T00:00:00Z" } },
  ],
  [
    { state: "CLOSED", endedAt: "2026-11-06T00:00:00Z" },
    { state: { type: "closed", at: "2026-11-06T00:00:00Z" } },
  ],
  [{ isConflicting: "UNKNOWN" }, { isConflicting: null, state: { type: "open" } }],
  [
    { isConflicting: "CONFLICTING", mergeState: "DIRTY" },
    { isConflicting: true, mergeState: "dirty" },
  ],
  [
    {},
    { isConflicting: false, mergeState: "clean", checks: [], checksRead: "all", hasAllWords: true },
  ],
])("%j is read as %j", async (over, expected) => {
  expect(await readOf(over)).toMatchObject(expected);
});

test("what has no ID in the REST API has the one in GraphQL", async () => {
  const run = { databaseId: null, id: "CR_3", name: "links", status: "QUEUED", conclusion: null };
  const { checks } = await readOf(rollupOf([run]));
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
  [null, { author: null, isByPerson: false }],
])("the author %j is read as %j", async (author, expected) => {
  expect(await readOf({ author })).toMatchObject(expected);
});

test("what GitHub does not know is empty or null", async () => {
  const message = { message: "Dead link", path: null };
  const run = { id: "CR_3", name: "links", status: "QUEUED" };
  const nodes = [
    { ...run, annotations: { nodes: [{ ...message, location: { start: { line: null } } }] } },
    { ...run, id: "CR_4", annotations: { nodes: [{ ...message, location: null }] } },
    { ...run, id: "CR_5", annotations: null },
  ];
  const { author, checks } = await readOf({ author: null, ...rollupOf(nodes) });
  expect(author).toBeNull();
  const unknown = { message: "Dead link", path: "", line: null };
  expect(checks.map(({ annotations }) => annotations)).toEqual([[unknown], [unknown], []]);
});

test("a pull request in a state that the action does not know cannot be read", async () => {
  await expect(readOf({ state: "LOCKED" })).rejects.toThrow("pullRequest.state");
  await expect(readOf({ state: "MERGED" })).rejects.toThrow("when it was merged or closed");
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

test("an event without a time is no activity", async () => {
  const newestReviews = { nodes: [{ at: null }] };
  expect((await readOf({ newestReviews })).lastActivityAt).toBeNull();
});

test("the reader's own comments are no activity", async () => {
  const nodes = [
    { createdAt: "2026-11-22T11:00:00Z", body: "Please go on." },
    { createdAt: "2026-11-22T12:00:00Z", body: "<!-- own:1 -->\nIt waits for a review." },
  ];
  expect((await readOf({ comments: { nodes } })).lastActivityAt).toBe("2026-11-22T11:00:00Z");
});
