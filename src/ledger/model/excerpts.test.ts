import { expect, test } from "vitest";
import { EMPTY, review } from "../../../test/support/ledger-examples.ts";
import { parseExcerpt } from "./excerpts.ts";
import { ledgerText } from "./file.ts";
import { batchFormat } from "./format.ts";

const NOTHING = { pulls: [], requests: {} };

test.each(["upkeep", "queue"])("a ledger of %s has its docs pull requests", (action) => {
  const format = batchFormat({ action, project: "p" });
  const text = ledgerText(format.fileOf({ ...format.begin, reviews: [review()] }));
  expect(parseExcerpt(text, "p")).toMatchObject({ pulls: [{ prLink: review().prLink }] });
});

test("another land's ledger has nothing, whatever its ref is named", () => {
  const file = { version: 1, action: "land", project: "p", writes: 1, open: [], ended: [] };
  expect(parseExcerpt(JSON.stringify(file), "p")).toEqual(NOTHING);
});

test("a commit without a ledger has nothing", () => {
  expect(parseExcerpt(null, "p")).toEqual(NOTHING);
});

test.each([
  [
    "broken JSON",
    ledgerText(batchFormat({ action: "upkeep", project: "p" }).fileOf(EMPTY)).slice(1),
  ],
  ["an array", "[]"],
  ["an empty file", ""],
])("%s is a problem, because it may be a ledger of this project", (_, text) => {
  const problem = "holds a ledger.json that is not a ledger";
  expect(parseExcerpt(text, "p")).toEqual({ problem });
});
