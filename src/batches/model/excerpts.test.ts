import { describe, expect, test } from "vitest";
import { change, EMPTY, LINK, review, task } from "../../../test/support/ledger-examples.ts";
import { ledgerText } from "../../ledger/file.ts";
import { documentedIn, parseExcerpt, parseHistory, parseLandClosed } from "./excerpts.ts";
import { batchFormat } from "./format.ts";

const NOTHING = { pulls: [], requests: {} };

test.each(["upkeep", "queue"])("a ledger of %s has its docs pull requests", (action) => {
  const format = batchFormat({ action, project: "p" });
  const ledger = { ...format.begin, reviews: [review()] };
  expect(parseExcerpt(ledgerText(ledger), "p")).toMatchObject({
    pulls: [{ prLink: review().prLink }],
  });
});

test("a ledger of land has nothing, even if its ref is named otherwise", () => {
  const file = { version: 1, action: "land", project: "p", writes: 1, open: [], ended: [] };
  expect(parseExcerpt(JSON.stringify(file), "p")).toEqual(NOTHING);
});

test("a commit without a ledger has nothing", () => {
  expect(parseExcerpt(null, "p")).toEqual(NOTHING);
});

test.each([
  ["broken JSON", ledgerText(EMPTY).slice(1)],
  ["an array", "[]"],
  ["an empty file", ""],
])("%s is a problem, because it may be a ledger of this project", (_, text) => {
  const problem = "holds a ledger.json that is not a ledger";
  expect(parseExcerpt(text, "p")).toEqual({ problem });
});

describe("the changes of a docs pull request in the history", () => {
  const line = { batch: "b", state: "done", jobId: "job", prLink: LINK, changes: [change(1)] };
  const documented = (...lines: object[]) => {
    return documentedIn(parseHistory(lines.map((entry) => JSON.stringify(entry)).join("\n")), LINK);
  };

  test("are those of its finished batches, with the newest job", () => {
    const other = { ...line, prLink: `${LINK}1`, changes: [change(3)] };
    const failed = { ...line, state: "failed", changes: [change(4)] };
    const newest = { ...line, jobId: "next", changes: [change(2), task("a.md")] };
    const changes = [change(1), change(2), task("a.md")];
    expect(documented(line, other, failed, newest)).toEqual({ jobId: "next", changes });
    expect(documented(other, failed)).toBeNull();
  });

  test.each([
    ["has only its key", { key: "1#2" }],
    ["has a kind of its own", { ...change(2), kind: "commit" }],
    ["has a number that is a text", { ...change(2), number: "2" }],
  ])("leave out a line with one that %s, because the ledger could not hold it", (_, broken) => {
    const repaired = { ...line, jobId: "repaired", changes: [change(1), broken] };
    expect(documented(line, repaired)).toEqual({ jobId: "job", changes: [change(1)] });
    expect(documented(repaired)).toBeNull();
  });
});

test("the docs pull requests that land closed are read from its ledger of the same project", () => {
  const end = (url: string, state: string, isByLand: boolean) => ({ url, state, isByLand });
  const ended = [end("a", "closed", true), end("b", "closed", false), end("c", "merged", true)];
  const text = (over: object = {}) =>
    JSON.stringify({ version: 1, action: "land", project: "p", ended, ...over });
  expect(parseLandClosed(text(), "p")).toEqual(["a"]);
  expect(parseLandClosed(text(), "other")).toEqual([]);
  expect(parseLandClosed(text({ action: "upkeep" }), "p")).toEqual([]);
  expect(parseLandClosed(text({ ended: [{}] }), "p")).toEqual([]);
  expect(parseLandClosed(null, "p")).toEqual([]);
});
