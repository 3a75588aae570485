import { expect, test } from "vitest";
import type { ChangedFile } from "../github/history-records.ts";
import { parsePathFilter } from "../inputs/path-filter.ts";
import { keyOfLink } from "./changes.ts";
import { passedOverByFiles } from "./filters.ts";

const file = (path: string, previousPath?: string): ChangedFile => ({
  path,
  status: "modified",
  additions: 1,
  deletions: 0,
  ...(previousPath === undefined ? {} : { previousPath }),
});

function whyNot(files: ChangedFile[], isComplete = true, patterns = "src/**") {
  const paths = parsePathFilter(patterns);
  if ("problem" in paths) throw new Error(paths.problem);
  return passedOverByFiles(files, isComplete, { paths });
}

test("a change counts if one of its files matches, where it is or where it was", () => {
  expect(whyNot([file("test/a"), file("src/a")])).toBeUndefined();
  expect(whyNot([file("old/a", "src/a")])).toBeUndefined();
  expect(whyNot([file("test/a"), file("old/a", "test/b")])).toBe("no file matches `paths`");
});

test("a change with more files than were read counts, whatever those are", () => {
  expect(whyNot([file("test/a")], false)).toBeUndefined();
  expect(whyNot([], false)).toBeUndefined();
});

test("a change without files does not count, without patterns either", () => {
  expect(whyNot([], true, "")).toBe("changes no files");
  expect(whyNot([file("any")], true, "")).toBeUndefined();
});

test.each([
  ["https://github.com/Acme/Code/pull/12", "acme/code#12"],
  ["http://127.0.0.1:4000/acme/docs/pull/7/", "acme/docs#7"],
  ["https://ghe.example.com/base/acme/docs/pull/7", "acme/docs#7"],
  ["https://github.com/acme/code/issues/12", undefined],
  ["no address", undefined],
])("%s is the pull request %s", (link, key) => {
  expect(keyOfLink(link)).toBe(key);
});
