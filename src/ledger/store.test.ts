import { expect, test } from "vitest";
import { batch, change } from "../../../test/support/ledger-examples.ts";
import { markText } from "../dashboard/render.ts";
import { recordSent } from "../model/batches.ts";
import { batchFormat } from "../model/ledger.ts";
import { Dashboard } from "./dashboard-issue.ts";
import { type LedgerPort, storeOptions } from "./port.ts";
import { LedgerStore } from "./store.ts";

const identity = { action: "upkeep", project: "p" } as const;
const ref = "refs/docs-agent/upkeep/x";
const options = storeOptions({
  identity,
  ref,
  runName: "1-1-a",
  rules: { maxAttempts: 3, deadline: 1e9, comments: false },
});
const [READ, NEWER, OWN] = ["a", "b", "c"].map((it) => it.repeat(40)) as [string, string, string];
const ledger = {
  ...batchFormat(identity).begin,
  writes: 5,
  batches: [batch("b", [change(1)], { state: "intended" })],
};

/** @param files what GitHub gives for `ledger.json`, one after the other; null: it does not have the commit */
function storeOf(refs: (string | null)[], files: (string | null)[]) {
  const moves = ["lost", "moved"];
  const git = {
    readRef: async () => ({ sha: refs.shift() ?? null, now: 0 }),
    readFile: async () => files.shift() ?? null,
    commit: async () => OWN,
    move: async () =>
      moves.shift() === "lost"
        ? { type: "refused", why: "not a fast forward", isRace: true }
        : { type: "moved" },
    contains: async () => false,
    pause: async () => true,
  };
  return new LedgerStore(git as never, options);
}

test("after a lost race, a newer ledger that GitHub's copy does not have yet is read again", async () => {
  const text = JSON.stringify({ ...ledger, writes: 6 });
  const store = storeOf([NEWER, NEWER, NEWER, NEWER], [null, text]);
  const sent = { type: "accepted", jobId: "job", isFollowUp: false } as const;
  store.head = { sha: READ, ledger, now: 0 };
  await store.record((edit) => recordSent(edit, "b", sent));
  expect(store.head).toMatchObject({
    sha: OWN,
    ledger: { writes: 7, batches: [{ jobId: "job" }] },
  });
});

test("a ledger that was set back stops the run, also if its ref is gone in the second reading", async () => {
  const store = storeOf([READ, null], [JSON.stringify(ledger)]);
  const body = markText({ ref, sha: NEWER, writes: 9 });
  const issue = { number: 1, body, isLabelled: true, isClosed: false };
  const find = async () => 1;
  const read = async () => ({ type: "issue", issue });
  const settings = { dashboard: null, isDryRun: false };
  const port = { store, settings, issue: { find, read } } as unknown as LedgerPort;
  const dashboard = new Dashboard(port);
  await expect(dashboard.read()).rejects.toThrow("was set back");
});
