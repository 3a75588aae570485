import { expect, test } from "vitest";
import { batch, change, EMPTY, edit, source } from "../../test/support/ledger-examples.ts";
import { UnusableAnswer } from "../github/api/answer.ts";
import type { History } from "../github/changes/history.ts";
import { findChanges, type Search } from "./find-changes.ts";

const HEAD = "f".repeat(40);
const history = {
  facts: async () => ({ id: 1, fullName: "acme/code", defaultBranch: "main", privacy: 0 }),
  tip: async () => HEAD,
  commitsSince: async () => ({ items: Array(5000).fill({}), isComplete: false }),
} as unknown as History;
const parts = {
  ownRepository: "acme/code",
  historyOf: async () => history,
  requestsLeft: () => 300,
  unread: [],
  inputs: {
    after: "merge",
    since: { kind: "default" },
    repositories: [{ repository: "acme/code", branch: null }],
  },
} as unknown as Search;

test.each([
  ["a first run", [], "set a later `since`"],
  [
    "a later run",
    [source({ sha: null })],
    `to leave them, set the branch's \`sha\` in ledger.json to ${HEAD}`,
  ],
])(
  "more commits than %s can read change nothing, and it is said what to do",
  async (_, sources, way) => {
    const it = edit({ ...EMPTY, sources });
    await findChanges({ ...parts, edit: it });
    const told = parts.unread.splice(0).map(({ error }) => (error as Error).message);
    expect(told).toEqual([`it gained more commits at once than can be read: ${way}`]);
    expect(it.isChanged).toBe(false);
  },
);

test("a draft stays a draft if what landed after its pull request cannot be read", async () => {
  const title = "Merge pull request #2 from acme/more";
  const fields = { title, body: "", url: "", committer: "", identity: "", tree: "" };
  const commits = ["a", "b", HEAD].map((sha, nth, all) => ({
    ...fields,
    sha,
    parents: all.slice(nth - 1, nth),
    author: { login: "", name: "" },
    committedAt: "2026-11-20T10:00:00Z",
  }));
  const pull = { ...fields, number: 1, mergeSha: "b", head: "b", author: { login: "writer" } };
  const error = new UnusableAnswer("GitHub returned 502");
  const half = {
    ...history,
    compare: async () => ({ commits: commits.slice(1), isComplete: true, isDiverged: false }),
    mergedPulls: async () => ({ pulls: [{ ...pull, labels: [] }], isComplete: true }),
    commitsOfPulls: async () => new Map(),
    pullOf: () => Promise.reject(error),
  };
  const drafts = [batch("d", [change(1)], { state: "done" })];
  const it = edit({ ...EMPTY, sources: [source()], drafts });
  const readers = {
    readEnded: async () => new Set(),
    readOtherAgents: async () => it.ledger.agent,
  };
  const unread: Search["unread"] = [];
  const search = { ...parts, ...readers, unread, edit: it, historyOf: async () => half };
  await findChanges(search as unknown as Search);
  expect(unread).toEqual([{ repository: "acme/code", error }]);
  // Its batch would be finished, and the change found again by the next run.
  expect(it.isChanged).toBe(false);
});
