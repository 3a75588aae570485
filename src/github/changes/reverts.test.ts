import { describe, expect, test } from "vitest";
import type { ChangedFile } from "./history-records.ts";
import { isRevertOf, revertedKey } from "./reverts.ts";

const SHA = "1a2b3c4d".repeat(5);
const CODE = { id: 1, repository: "acme/code" };

test.each<[string, string | null]>([
  ["Reverts acme/code#12", "1#12"],
  ["Reverts Acme/Code#12\r\n\r\nIt broke the build.", "1#12"],
  ["Because of the build:\n\nReverts acme/code#12", "1#12"],
  [`This reverts commit ${SHA}.`, `1@${SHA}`],
  [`This reverts commit ${SHA}, reversing\nchanges made to ${"0".repeat(40)}.`, `1@${SHA}`],
  [`This reverts commit ${SHA}.\nThis reverts commit ${SHA}.`, `1@${SHA}`],
  ["Reverts acme/other#12", null],
  ["Reverts acme/code#12 in part", null],
  ["> Reverts acme/code#12", null],
  ["This reverts commit 1a2b3c4.", null],
  [`Reverts acme/code#12\nThis reverts commit ${SHA}.`, null],
  ["", null],
])("%j reverts %j", (text, key) => {
  expect(revertedKey(text, CODE)).toBe(key);
});

describe("a revert", () => {
  const file = (path: string, over: Partial<ChangedFile> = {}): ChangedFile => {
    const counts = { additions: 3, deletions: 1 };
    return { path, previousPath: path, isRemoved: false, patch: "", ...counts, ...over };
  };
  const turned = { additions: 1, deletions: 3 };
  const [a, b] = [file("a"), file("b")];
  const ofFiles = (files: ChangedFile[] | null, isComplete = true) => ({ files, isComplete });

  test.each([
    ["of the same files", ofFiles([a, b]), ofFiles([a, b]), true],
    ["of some of them", ofFiles([a]), ofFiles([a, b]), true],
    ["of others, too", ofFiles([a, b]), ofFiles([a]), false],
    ["of no files", ofFiles([]), ofFiles([a]), false],
    ["of more files than are listed", ofFiles([a], false), ofFiles([a]), false],
    ["of files that are not known", ofFiles(null), ofFiles([a]), false],
    [
      "of a file under its former name",
      ofFiles([file("o")]),
      ofFiles([file("a", { previousPath: "o" })]),
      true,
    ],
  ])("%s is one: %s", (_, revert, reverted, isOne) => {
    expect(isRevertOf(revert, reverted, false)).toBe(isOne);
  });

  test.each([
    ["the same lines the other way round", [file("a", turned)], [a], true],
    ["other numbers of lines", [a], [a], false],
    ["some of the files", [file("a", turned)], [a, b], false],
  ])("of a commit that is in a pull request needs %s", (_, revert, reverted, isOne) => {
    expect(isRevertOf(ofFiles(revert), ofFiles(reverted), true)).toBe(isOne);
  });
});
