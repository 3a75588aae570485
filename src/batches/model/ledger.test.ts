import fc from "fast-check";
import { expect, test } from "vitest";
import { anyText } from "../../../test/support/arbitrary.ts";
import { change, NOW, task } from "../../../test/support/ledger-examples.ts";
import { ledgerText, parseLedger } from "../../ledger/file.ts";
import { parseAgent, parseHistory } from "./excerpts.ts";
import { batchFormat } from "./format.ts";

const IDENTITY = { action: "upkeep", project: "1a2b3c4d5e6f" };
const FORMAT = batchFormat(IDENTITY);
const QUEUE = batchFormat({ action: "queue", project: "x" });

test("a ledger is read as it was written, also with a byte order mark", () => {
  const text = ledgerText(FORMAT.begin);
  expect(parseLedger(text, FORMAT, NOW)).toEqual({ ledger: FORMAT.begin });
  expect(parseLedger(`\uFEFF${text}`, FORMAT, NOW)).toEqual({ ledger: FORMAT.begin });
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
    JSON.stringify({ ...FORMAT.begin, writes: "many" }),
    "cannot be read (at writes)",
  ],
])("%s is not this action's to work with", (_, text, problem) => {
  expect(parseLedger(text, FORMAT, NOW)).toEqual({ problem: expect.stringContaining(problem) });
});

test("a history file holds what ended in a month, and what is no line of it is passed over", () => {
  const line = {
    batch: "b",
    at: "2026-11-22T10:00:00Z",
    state: "done",
    jobId: "job",
    prLink: null,
    changes: [change(1)],
  };
  const without = (change: object) => JSON.stringify({ ...line, ...change });
  const broken = [
    "nonsense",
    "{}",
    "null",
    "[1]",
    without({ changes: [null] }),
    without({ changes: [{}] }),
    without({ jobId: 1 }),
    without({ prLink: undefined }),
    without({ state: null }),
    without({ batch: 7 }),
  ];
  const text = (lines: string[]) => `${JSON.stringify(line)}\r\n${lines.join("\n")}\n`;
  expect(parseHistory(text(broken))).toEqual([line]);
  const tasks = { ...line, changes: [task("a.md\nb.md")] };
  fc.assert(
    fc.property(fc.array(anyText()), (lines) => {
      const others = lines.map((other) => other.replaceAll("\n", ""));
      expect(parseHistory(`${text(others)}${JSON.stringify(tasks)}`)).toEqual([line, tasks]);
    }),
  );
});

test("the agent's pull requests and branches are read from a ledger of any action or version", () => {
  const agent = { links: ["https://github.com/acme/docs/pull/7"], branches: ["docs-agent/1"] };
  const nothing = { links: [], branches: [] };
  for (const [text, traces] of [
    [JSON.stringify({ version: 9, agent }), agent],
    [ledgerText(QUEUE.begin), nothing],
    ["", nothing],
    ["null", nothing],
    [JSON.stringify({ agent: { links: "all" } }), nothing],
  ] as const) {
    expect(parseAgent(text)).toEqual(traces);
  }
});
