import { expect, test } from "vitest";
import { EMPTY, edit, source } from "../../test/support/ledger-examples.ts";
import type { History } from "../github/history.ts";
import { findChanges, type Search } from "./find-changes.ts";

const HEAD = "f".repeat(40);
const history = {
  facts: async () => ({ id: 1, fullName: "acme/code", defaultBranch: "main", privacy: 0 }),
  tip: async () => HEAD,
  commitsSince: async () => ({ items: Array(5000).fill({}), isComplete: false }),
} as unknown as History;
const parts = {
  ...{
    ownRepository: "acme/code",
    historyOf: async () => history,
    requestsLeft: () => 300,
    unread: [],
  },
  inputs: {
    ...{ after: "merge", since: { kind: "default" } },
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
    expect(told).toEqual([
      `it gained at least 5000 commits at once, more than can be read: ${way}`,
    ]);
    expect(it.isChanged).toBe(false);
  },
);
