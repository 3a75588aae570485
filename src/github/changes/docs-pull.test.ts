import { expect, test } from "vitest";
import {
  AGENT,
  commitAnswer,
  readDocsPull,
  rollupOf,
} from "../../../test/support/docs-pull-answer.ts";

test.each([
  [{ title: "Describe [skip ci]" }, { inText: true, inCommits: false }],
  [{ body: "More.\n\nskip-checks:true" }, { inText: true, inCommits: false }],
  [{ body: "Nothing of `skip ci`." }, { inText: false, inCommits: false }],
  [
    { commits: { totalCount: 1, nodes: [commitAnswer(AGENT, AGENT, "Write [No CI]")] } },
    { inText: false, inCommits: true },
  ],
  [
    { commits: { totalCount: 2, nodes: [commitAnswer(AGENT)] } },
    { inText: false, inCommits: true },
  ],
])("the marks that skip workflows in %j", async (over, skipMarks) => {
  expect((await readDocsPull(over)).skipMarks).toEqual(skipMarks);
});

test.each([
  [null, false],
  ["APPROVED", false],
  ["REVIEW_REQUIRED", true],
  ["CHANGES_REQUESTED", true],
])("the decision %j on its reviews", async (reviewDecision, lacksReviews) => {
  expect((await readDocsPull({ reviewDecision })).lacksReviews).toBe(lacksReviews);
});

test("the newest change of its base is known", async () => {
  const at = "2026-11-07T00:00:00Z";
  expect((await readDocsPull({ baseChanges: { nodes: [{ at }] } })).baseChangedAt).toBe(at);
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
  [{ status: "COMPLETED", conclusion: null }, "pending", ""],
  [{ status: "COMPLETED", conclusion: "A_NEW_ONE" }, "pending", "a_new_one"],
  [{ status: "IN_PROGRESS", conclusion: null }, "pending", "in_progress"],
  [{ state: "SUCCESS" }, "green", "success"],
  [{ state: "EXPECTED" }, "pending", "expected"],
  [{ state: "PENDING" }, "pending", "pending"],
  [{ state: "ERROR" }, "red", "error"],
])("the check %j", async (over, state, conclusion) => {
  const message = { path: "a.md", message: "Dead link", location: { start: { line: 3 } } };
  const run = {
    id: "CR_9",
    databaseId: 9,
    name: "links",
    isRequired: false,
    title: "2 links",
    summary: null,
  };
  const status = { id: "SC_1", name: "ci", isRequired: false, description: "described" };
  const node = "state" in over ? status : { ...run, annotations: { nodes: [message] } };
  const { checks } = await readDocsPull(rollupOf([{ ...node, ...over }]));
  const annotations = [{ path: "a.md", line: 3, message: "Dead link" }];
  const expected =
    "state" in over
      ? { id: "SC_1", name: "ci", text: "described", annotations: [] }
      : { id: "9", name: "links", text: "2 links", annotations };
  expect(checks).toEqual([{ ...expected, isJob: false, isRequired: false, state, conclusion }]);
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
  [{ isConflicting: "A_NEW_ONE" }, { isConflicting: null }],
  [{ mergeState: "HAS_HOOKS" }, { mergeState: "has_hooks" }],
  [{ mergeState: "A_NEW_ONE" }, { mergeState: "unknown" }],
  [
    { isConflicting: "CONFLICTING", mergeState: "DIRTY" },
    { isConflicting: true, mergeState: "dirty" },
  ],
  [
    {},
    { isConflicting: false, mergeState: "clean", checks: [], checksRead: "all", hasAllWords: true },
  ],
])("%j is read as %j", async (over, expected) => {
  expect(await readDocsPull(over)).toMatchObject(expected);
});

test("what has no ID in the REST API has the one in GraphQL", async () => {
  const run = { databaseId: null, id: "CR_3", name: "links", isRequired: false, status: "QUEUED" };
  const { checks } = await readDocsPull(rollupOf([run]));
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
  expect(await readDocsPull({ author })).toMatchObject(expected);
});

test("what GitHub does not know is empty or null", async () => {
  const message = { message: "Dead link", path: null };
  const run = { id: "CR_3", name: "links", isRequired: false, status: "QUEUED" };
  const nodes = [
    { ...run, annotations: { nodes: [{ ...message, location: { start: { line: null } } }] } },
    { ...run, id: "CR_4", annotations: { nodes: [{ ...message, location: null }] } },
    { ...run, id: "CR_5", annotations: null },
  ];
  const { author, checks } = await readDocsPull({ author: null, ...rollupOf(nodes) });
  expect(author).toBeNull();
  const unknown = { message: "Dead link", path: "", line: null };
  expect(checks.map(({ annotations }) => annotations)).toEqual([[unknown], [unknown], []]);
});

test("a pull request in a state that the action does not know cannot be read", async () => {
  await expect(readDocsPull({ state: "LOCKED" })).rejects.toThrow("pullRequest.state");
  await expect(readDocsPull({ state: "MERGED" })).rejects.toThrow("when it was merged or closed");
});

test("an answer without the pull request cannot be read", async () => {
  await expect(readDocsPull({ url: undefined })).rejects.toThrow();
});

test("a renamed repository has its present name", async () => {
  expect(await readDocsPull({})).toMatchObject({ repository: "acme/handbook", repositoryId: 5 });
});

const file = (path: string, changeType = "MODIFIED") => ({ path, changeType });

test.each([
  [null, null],
  [{ totalCount: 2, nodes: [file("a.md"), file("b.md", "ADDED")] }, ["a.md", "b.md"]],
  [{ totalCount: 1, nodes: [file("a.md", "RENAMED")] }, null],
  [{ totalCount: 101, nodes: [file("a.md")] }, null],
])("of the files %j, the paths are %j", async (files, expected) => {
  expect((await readDocsPull({ files })).listedPaths).toEqual(expected);
});

test("an event without a time is no activity", async () => {
  const newestReviews = { nodes: [{ at: null }] };
  expect((await readDocsPull({ newestReviews })).lastActivityAt).toBeNull();
});

test("the reader's own comments are no activity", async () => {
  const nodes = [
    { createdAt: "2026-11-22T11:00:00Z", body: "Please go on." },
    { createdAt: "2026-11-22T12:00:00Z", body: "<!-- own:1 -->\nIt waits for a review." },
  ];
  expect((await readDocsPull({ comments: { nodes } })).lastActivityAt).toBe("2026-11-22T11:00:00Z");
});
