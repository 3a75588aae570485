import { expect, test } from "vitest";
import { AT, MINUTE, NOW } from "../../test/support/ledger-examples.ts";
import { Engine } from "./engine.ts";
import { formatOf, ledgerFile } from "./model/file.ts";
import type { Program, Terms } from "./program.ts";
import { type Git, LedgerStore } from "./store.ts";

const BEGIN = {
  version: 1 as const,
  action: "test",
  project: "p",
  writes: 0,
  historyFiles: [] as string[],
};
const FORMAT = formatOf(
  BEGIN,
  ledgerFile,
  (file) => file,
  (ledger) => ledger,
);
const CLOCK = { now: () => 0, timeOfDay: () => 0 };

/** Whether an intent that was written at a time belongs to a dead run, by the engine. */
async function isDeadAt(writtenAt: string, now: number): Promise<boolean> {
  const git: Git = {
    readRef: async () => ({ sha: null, now }),
    readFile: async () => null,
    listRefs: async () => [],
    commit: () => Promise.reject(new Error("nothing is written")),
    move: () => Promise.reject(new Error("nothing is moved")),
    contains: async () => false,
    pause: async () => false,
  };
  const store = new LedgerStore(git, { ref: "r", runName: "1", format: FORMAT }, CLOCK);
  const answers: boolean[] = [];
  const program: Program<Terms & { ledger: typeof BEGIN }> = {
    read: async () => ({ type: "stopped", stop: null }),
    decide: (from) => ({ ...from, acts: [], notes: null }),
    perform: async () => ({ type: "withdrawn" }),
    record: (from) => from,
    expire: (from, isDead) => {
      answers.push(isDead(writtenAt));
      return from;
    },
    holds: () => false,
    goesOn: () => true,
  };
  const { signal } = new AbortController();
  await new Engine({ program, store, clock: CLOCK, stop: signal, save: () => {} }).run();
  return answers[0] ?? false;
}

test.each([
  ["now", AT, NOW, false],
  ["9:59 minutes ago", AT, NOW + 10 * MINUTE - 1000, false],
  ["10 minutes ago", AT, NOW + 10 * MINUTE, true],
  ["in the future", AT, NOW - MINUTE, false],
  ["at no time", "", NOW, true],
])("an intent that was written %s belongs to a dead run: %s", async (_, writtenAt, now, isDead) => {
  expect(await isDeadAt(writtenAt, now)).toBe(isDead);
});
