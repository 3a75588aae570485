import { expect, test } from "vitest";
import { parsePathFilter } from "../../text/path-filter.ts";
import { detailsOf, passedOver } from "./change-details.ts";
import { promptFor } from "./change-prompt.ts";
import type { Commit } from "./history-records.ts";

/** A commit by somebody whom GitHub does not know, with a name as bots have it. */
const landing: Commit = {
  sha: "a1b2c3d4",
  parents: [],
  url: "https://github.com/acme/code/commit/a1b2c3d4",
  title: "Change",
  body: "",
  author: { login: "", name: "renovate[bot]", isBot: false },
  committer: "renovate[bot] <anybody@example.com>",
  identity: "a",
  tree: "t",
  authoredAt: "2026-05-01T00:00:00Z",
  committedAt: "2026-05-01T00:00:00Z",
};

test("the name in a commit is not an account: no filter for accounts matches it, and nothing names it as one", async () => {
  const details = detailsOf({ id: 1, repository: "acme/code" }, landing, undefined);
  expect(details.change.author).toBe("");
  const paths = parsePathFilter("");
  if ("problem" in paths) throw new Error(paths.problem);
  const filters = { ignoreAuthors: ["renovate[bot]"], ignoreLabels: [], onlyLabels: [], paths };
  expect(passedOver(details, filters)).toBeNull();
  const prompt = await promptFor("Document it.", [details], false);
  expect(prompt).toContain("## Change 1: acme/code@a1b2c3d by an unknown account");
  expect(prompt).not.toContain("renovate");
});
