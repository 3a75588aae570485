import { expect, test } from "vitest";
import { filesOf, landInputs, pullOf } from "../../test/support/land-facts.ts";
import type { PullFiles } from "../github/changes/pull-files.ts";
import { changeLimits } from "./change-limits.ts";
import type { LandReasonCode } from "./reasons.ts";

const DOCS = { "allowed-paths": "docs/**" };
const LISTED = { changedFiles: 6, listedPaths: ["docs/a.md", "src/a.ts"] };

test.each<[Record<string, string>, LandReasonCode | null]>([
  [{}, null],
  [{ "max-files": "6" }, null],
  [{ "max-files": "5" }, "too-many-files"],
  [DOCS, "path-not-allowed"],
  [{ "allowed-paths": "docs/**\nsrc/**" }, null],
])("until its files are read at its head, GitHub's list decides: %j", (inputs, expected) => {
  const reason = changeLimits(pullOf(LISTED), null, landInputs(inputs));
  expect(reason?.code ?? null).toBe(expected);
});

test.each<[PullFiles, LandReasonCode | null]>([
  [filesOf("docs/a.md"), null],
  [{ type: "moved" }, null],
  [{ type: "unlisted", files: [] }, "files-unlisted"],
])("its files at its head decide, and no longer the list: %j", (files, expected) => {
  const reason = changeLimits(pullOf(LISTED), files, landInputs(DOCS));
  expect(reason?.code ?? null).toBe(expected);
});

test("a list that lacks files does not show that only allowed paths change", () => {
  const pull = pullOf({ listedPaths: null });
  expect(changeLimits(pull, null, landInputs(DOCS))).toEqual({ code: "files-unlisted" });
});
