import { expect, test } from "vitest";
import { filesOf, landInputs, pullOf } from "../../test/support/land-facts.ts";
import type { PullFiles } from "../github/changes/pull-files.ts";
import { brokenRail } from "./rails.ts";

const DOCS = { "allowed-paths": "docs/**" };
const LISTED = { changedFiles: 6, listedPaths: ["docs/a.md", "src/a.ts"] };

test.each<[Record<string, string>, string | null]>([
  [{}, null],
  [{ "max-files": "6" }, null],
  [{ "max-files": "5" }, "It changes 6 files"],
  [DOCS, "It changes `src/a.ts`"],
  [{ "allowed-paths": "docs/**\nsrc/**" }, null],
])("until its files are read at its head, GitHub's list decides: %j", (inputs, expected) => {
  const reason = brokenRail({ pull: pullOf(LISTED), files: null }, landInputs(inputs));
  expect(reason).toEqual(expected === null ? null : expect.stringContaining(expected));
});

test.each<[PullFiles, string | null]>([
  [filesOf("docs/a.md"), null],
  [{ type: "moved" }, null],
  [{ type: "unlisted" }, "more files than GitHub lists"],
])("its files at its head decide, and no longer the list: %j", (files, expected) => {
  const reason = brokenRail({ pull: pullOf(LISTED), files }, landInputs(DOCS));
  expect(reason).toEqual(expected === null ? null : expect.stringContaining(expected));
});

test("a list that lacks files says nothing for the guard rails", () => {
  const pull = pullOf({ listedPaths: null });
  expect(brokenRail({ pull, files: null }, landInputs(DOCS))).toContain("GitHub lists");
});
