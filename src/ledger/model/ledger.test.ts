import { expect, test } from "vitest";
import { beginLedger, historyFile, ledgerText, parseHistory, parseLedger } from "./ledger.ts";

const IDENTITY = { action: "upkeep", project: "1a2b3c4d5e6f" };

test("a ledger is read as it was written, also with a byte order mark", () => {
  const ledger = beginLedger(IDENTITY);
  expect(parseLedger(ledgerText(ledger), IDENTITY)).toEqual({ ledger });
  expect(parseLedger(`\uFEFF${ledgerText(ledger)}`, IDENTITY)).toEqual({ ledger });
});

test.each([
  ["no file", null, "holds no ledger.json"],
  ["text", "hello", "is not a ledger"],
  ["an array", "[]", "is not a ledger"],
  ["a newer format", JSON.stringify({ version: 2 }), "newer version of this action (format 2)"],
  ["another action", JSON.stringify({ version: 1, action: "queue" }), "belongs to queue"],
  [
    "another project",
    JSON.stringify({ version: 1, action: "upkeep", project: "x" }),
    "belongs to another project",
  ],
  [
    "a broken one",
    JSON.stringify({ ...beginLedger(IDENTITY), writes: "many" }),
    "cannot be read (at writes)",
  ],
])("%s is not this action's to work with", (_, text, problem) => {
  expect(parseLedger(text, IDENTITY)).toEqual({ problem: expect.stringContaining(problem) });
});

test("a history file holds what ended in a month, and a line that cannot be read is passed over", () => {
  const line = { batch: "b", at: "2026-11-22T10:00:00Z", state: "done", changes: [] };
  expect(historyFile(line)).toBe("history/2026-11.jsonl");
  expect(parseHistory(`${JSON.stringify(line)}\nnonsense\n{}\n`)).toEqual([line]);
});
