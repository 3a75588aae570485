import { expect, test } from "vitest";
import { json } from "../../test/support/answers.ts";
import { connectClient } from "../../test/support/github-client.ts";
import { comparedFiles, namedFiles, pushRange } from "./read-prompt-context.ts";

const BEFORE = "b".repeat(40);
const AFTER = "a".repeat(40);
const NONE = "0".repeat(40);

test("the files of a push's commits are named once each", () => {
  const commits = [
    { id: "1", added: ["new.md"], modified: ["a.md"], removed: [] },
    { id: "2", modified: ["a.md"], removed: ["old.md"] },
    { id: "3" },
  ];
  expect(namedFiles({ commits })).toEqual(["new.md", "a.md", "old.md"]);
});

test("an event that names no files has none", () => {
  expect(namedFiles({})).toEqual([]);
  expect(namedFiles({ commits: [{ id: "1", message: "x" }] })).toEqual([]);
});

test("a push is compared from where it began to where it ended", () => {
  expect(pushRange({ before: BEFORE, after: AFTER })).toEqual({ before: BEFORE, after: AFTER });
});

test.each([
  ["a new branch", { before: NONE, after: AFTER }],
  ["a deleted branch", { before: BEFORE, after: NONE }],
  ["an event without commits", {}],
  ["what is no commit", { before: "../..", after: AFTER }],
])("%s is not compared", (_, payload) => {
  expect(pushRange(payload)).toBeNull();
});

test.each([
  [2, 2],
  [299, 299],
  [300, 301],
])("of %i files that differ, %i lines are told", async (count, lines) => {
  const github = connectClient();
  const files = Array.from({ length: count }, (_, index) => ({ filename: `docs/${index}.md` }));
  const path = `/repos/octo/docs/compare/${BEFORE}...${AFTER}`;
  github.server.on(`GET ${path}`, json(200, { files }));
  const range = { before: BEFORE, after: AFTER };
  const names = await comparedFiles(await github.connect(), "octo/docs", range);
  expect(names).toHaveLength(lines);
  expect(names.slice(0, count)).toEqual(files.map(({ filename }) => filename));
});

test("commits that do not differ have no files", async () => {
  const github = connectClient();
  const range = { before: BEFORE, after: AFTER };
  github.server.on(`GET /repos/octo/docs/compare/${BEFORE}...${AFTER}`, json(200, {}));
  expect(await comparedFiles(await github.connect(), "octo/docs", range)).toEqual([]);
});
