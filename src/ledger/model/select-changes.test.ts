import { expect, test } from "vitest";
import { batch, change, claim, comment, NOON } from "../../../test/support/example-records.ts";
import { readLedger } from "./read-ledger.ts";
import type { Change } from "./record.ts";
import {
  type FoundChange,
  type Selecting,
  type Selection,
  selectChanges,
} from "./select-changes.ts";

const SOURCE = "o/a@main";

function found(keys: string[], more: Partial<FoundChange<Change>> = {}): FoundChange<Change>[] {
  return keys.map((key, index) => ({
    change: change(key, NOON + index),
    source: SOURCE,
    sha: `sha of ${key}`,
    passedOver: false,
    ...more,
  }));
}

function select(
  claims: Parameters<typeof claim>[1][],
  selecting: Partial<Selecting<Change>>,
): Selection<Change> {
  const comments = claims.map((batches, index) => comment(claim(index + 1, batches)));
  const state = readLedger({
    checkpoints: [],
    comments,
    own: [],
    now: NOON,
  });
  return selectChanges(state, {
    found: [],
    ticked: [],
    maxChanges: 20,
    maxAttempts: 3,
    ...selecting,
  });
}

const keysOf = ({ handed }: Selection<Change>) => handed.map(({ change: { key } }) => key);

test("the oldest changes go first, and the cursor stays before the first that waits", () => {
  const selection = select([], { found: found(["#1", "#2", "#3"]), maxChanges: 2 });
  expect(keysOf(selection)).toEqual(["#1", "#2"]);
  expect(selection.waiting.map(({ key }) => key)).toEqual(["#3"]);
  expect(selection.cursors).toEqual({ [SOURCE]: "sha of #2" });
});

test("changes of several sources are handed over in the order they landed", () => {
  const other = found(["o/b#9"], { source: "o/b@main", change: change("o/b#9", NOON - 1) });
  const selection = select([], { found: [...found(["#1", "#2"]), ...other], maxChanges: 2 });
  expect(keysOf(selection)).toEqual(["o/b#9", "#1"]);
  expect(selection.cursors).toEqual({ [SOURCE]: "sha of #1", "o/b@main": "sha of o/b#9" });
});

test("the cursor goes on over what does not count, without a batch too", () => {
  const selection = select([], {
    found: [...found(["#1", "#2"], { passedOver: true }), ...found(["#3"])],
    maxChanges: 0,
  });
  expect(selection.handed).toEqual([]);
  expect(selection.moved).toEqual({ [SOURCE]: "sha of #2" });
});

test("the cursor does not go on over a change that another run is about to send", () => {
  const selection = select([[batch(["#1"])]], { found: found(["#1"]) });
  expect(selection).toMatchObject({ handed: [], waiting: [], moved: {}, cursors: {} });
});

test("a pull request counts once, however many commits it has", () => {
  const selection = select([], { found: found(["#1", "#1", "#2"]) });
  expect(keysOf(selection)).toEqual(["#1", "#2"]);
});

test("what the ledger holds is not handed over again when it is found again", () => {
  const claims = [
    [batch(["#1"], "done")],
    [batch(["#2"], "running")],
    [batch(["#3"], "uncertain")],
  ];
  const selection = select(claims, { found: found(["#1", "#2", "#3", "#4"]) });
  expect(keysOf(selection)).toEqual(["#4"]);
  expect(selection.moved).toEqual({ [SOURCE]: "sha of #3" });
});

test("a withdrawn change is handed over as if for the first time", () => {
  const selection = select([[batch(["#1"], "withdrawn")]], { found: found(["#1"]) });
  expect(selection.handed).toEqual([{ change: change("#1"), attempt: 1, after: null }]);
});

test("a failed change is handed over again before new ones, until its attempts are used up", () => {
  const failed = batch(["#1"], "failed");
  expect(select([[failed]], { found: found(["#2"]) }).handed).toEqual([
    { change: change("#1"), attempt: 2, after: "c1.0" },
    { change: change("#2"), attempt: 1, after: null },
  ]);
  const selection = select([[failed]], { maxAttempts: 1 });
  expect(selection.handed).toEqual([]);
  expect(selection.needsDecision.map(({ batch: { id } }) => id)).toEqual(["c1.0"]);
});

test("a rejected change needs a decision at once", () => {
  const selection = select([[batch(["#1"], "failed", { retry: false })]], {});
  expect(selection.handed).toEqual([]);
  expect(selection.needsDecision).toHaveLength(1);
});

test("an uncertain change is handed over again only when its box is ticked", () => {
  const claims = [[batch(["#1", "#2"], "uncertain")]];
  expect(select(claims, {}).handed).toEqual([]);
  const selection = select(claims, { ticked: ["c1.0/#2"] });
  expect(selection.handed).toEqual([{ change: change("#2"), attempt: 2, after: "c1.0" }]);
  expect(selection.needsDecision.map(({ handed }) => handed.change.key)).toEqual(["#1"]);
});

test("a tick counts once: it names the batch, and another holds the change afterwards", () => {
  const again = batch([], "uncertain", {
    handed: [{ change: change("#1"), attempt: 2, after: "c1.0" }],
  });
  const claims = [[batch(["#1"], "uncertain")], [again]];
  expect(select(claims, { ticked: ["c1.0/#1"] }).handed).toEqual([]);
});

test("a tick on something that the ledger does not know does nothing", () => {
  const selection = select([[batch(["#1"], "done")]], { ticked: ["c1.0/#1", "c9.0/#7", "x"] });
  expect(selection).toMatchObject({ handed: [], needsDecision: [] });
});

test("tasks have no source and no cursor", () => {
  const selection = select([], {
    found: found(["a", "b"], { source: "", sha: "" }),
    maxChanges: 1,
  });
  expect(keysOf(selection)).toEqual(["a"]);
  expect(selection.cursors).toEqual({});
});
