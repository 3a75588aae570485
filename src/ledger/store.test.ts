import { expect, test } from "vitest";
import { ACCEPTED, INTENT } from "../../test/support/engine-run.ts";
import {
  ItemProgram,
  type ItemTerms,
  itemFormat,
} from "../../test/support/ledger-model/item-program.ts";
import { ledgerText } from "./file.ts";
import { Recorder } from "./recorder.ts";
import { type Git, LedgerStore } from "./store.ts";

const OPTIONS = { ref: "refs/docs-agent/items/p", runName: "1-1-a", format: itemFormat };
const CLOCK = { now: () => 0, timeOfDay: () => 0 };
const [READ, NEWER, OWN] = ["a".repeat(40), "b".repeat(40), "c".repeat(40)];
const LEDGER = { ...itemFormat.begin, writes: 5, found: 1, intents: [INTENT] };

/** @param files what GitHub gives for `ledger.json`, one after the other; null if it does not have the commit */
function gitOf(refs: (string | null)[], files: (string | null)[]): Git {
  const moves = ["lost", "moved"];
  return {
    readRef: async () => ({ sha: refs.shift() ?? null, now: 0 }),
    readFile: async () => files.shift() ?? null,
    listRefs: async () => [],
    commit: async () => OWN,
    move: async () =>
      moves.shift() === "lost"
        ? { type: "refused", reason: "not a fast forward", kind: "github-refused", isRace: true }
        : { type: "moved" },
    contains: async () => false,
    pause: async () => true,
  };
}

test("after a lost race, a newer ledger that GitHub's copy does not have yet is read again", async () => {
  const text = ledgerText({ ...LEDGER, writes: 6 });
  const git = gitOf([NEWER, NEWER, NEWER, NEWER], [null, text]);
  const store = new LedgerStore(git, OPTIONS, CLOCK);
  store.head = { sha: READ, ledger: LEDGER };
  const recorder = new Recorder<ItemTerms>(ItemProgram.prototype.record, store);
  await recorder.record([{ act: { type: "start", id: INTENT.id }, delivery: ACCEPTED }]);
  expect(store.head).toMatchObject({ sha: OWN, ledger: { writes: 7, accepted: [INTENT.item] } });
});

test("a month whose history file is full goes on in another one", async () => {
  const [full, next] = ["history/1970-01.jsonl", "history/1970-01.2.jsonl"];
  const written: string[][] = [];
  const git: Git = {
    ...gitOf([], []),
    readFile: async () => "x".repeat(999_990),
    commit: async (_, files) => {
      written.push(Object.keys(files));
      return OWN;
    },
  };
  const store = new LedgerStore(git, OPTIONS, CLOCK);
  store.head = { sha: READ, ledger: { ...LEDGER, historyFiles: ["history/1969-12.jsonl", full] } };
  const revision = { ledger: store.head.ledger, events: [], history: [{ id: "an entry" }] };
  store.head = await store.commit(revision);
  expect(store.head.ledger.historyFiles).toEqual(["history/1969-12.jsonl", full, next]);
  store.head = await store.commit({ ...revision, ledger: store.head.ledger });
  expect(store.head.ledger.historyFiles.at(-1)).toBe(next);
  expect(written).toEqual([
    [next, "ledger.json"],
    [next, "ledger.json"],
  ]);
});
