import { expect, test } from "vitest";
import { change, EMPTY, intendedBatch } from "../../test/support/ledger-examples.ts";
import { recordSent } from "../batches/model/batches.ts";
import { batchFormat } from "../batches/model/format.ts";
import type { Ledger } from "../batches/model/ledger.ts";
import { revisionOf } from "../batches/model/revision.ts";
import { Recorder } from "./engine.ts";
import { ledgerText } from "./file.ts";
import type { Terms } from "./program.ts";
import { type Git, LedgerStore } from "./store.ts";

const FORMAT = batchFormat({ action: "upkeep", project: "p" });
const OPTIONS = { ref: "refs/docs-agent/upkeep/x", runName: "1-1-a", format: FORMAT };
const RULES = { maxAttempts: 3, maxFailures: 3, deadline: 1e9, comments: false };
const CLOCK = { now: () => 0, timeOfDay: () => 0 };
const [READ, NEWER, OWN] = ["a".repeat(40), "b".repeat(40), "c".repeat(40)];
const LEDGER: Ledger = { ...EMPTY, writes: 5, batches: [intendedBatch("b", [change(1)])] };

interface BatchTerms extends Terms {
  ledger: Ledger;
  result: { type: "accepted"; jobId: string; isFollowUp: boolean };
}

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
  const recorder = new Recorder<BatchTerms>(
    {
      record: (from, { id }, result, now) =>
        result.type === "accepted"
          ? recordSent(revisionOf(from.ledger, now, RULES), id, result)
          : from,
    },
    store,
  );
  const result = { type: "accepted", jobId: "job", isFollowUp: false } as const;
  await recorder.record([{ act: { type: "hand over", id: "b" }, result }]);
  expect(store.head).toMatchObject({
    sha: OWN,
    ledger: { writes: 7, batches: [{ state: "running", job: { id: "job" } }] },
  });
});
