import { describe, expect, test } from "vitest";
import {
  batch,
  change,
  claim,
  comment,
  dated,
  MINUTE,
  NOON,
} from "../../../test/support/example-records.ts";
import { makeCheckpoint } from "./checkpoint.ts";
import { CLAIM_LIFETIME } from "./claim-now.ts";
import { type LedgerSources, type LedgerState, readLedger } from "./read-ledger.ts";
import { type Change, type Checkpoint, EMPTY_CHECKPOINT } from "./record.ts";

function read(sources: Partial<LedgerSources<Change>>): LedgerState<Change> {
  return readLedger({
    checkpoints: [],
    comments: [],
    own: [],
    now: NOON + MINUTE,
    ...sources,
  });
}

/** What became of a change: what its batch says, `done`, or `new`. */
function stateNow(state: LedgerState<Change>, key: string): string {
  return state.known.has(key) ? "done" : (state.open.get(key)?.batch.stateNow ?? "new");
}

const unnamed = { comment: null };
const later = { now: NOON + CLAIM_LIFETIME };

describe("a claim without an end", () => {
  test("is in progress as long as its run may be alive", () => {
    const comments = [comment(claim(1, [batch(["#1"])]))];
    expect(stateNow(read({ comments, now: NOON + CLAIM_LIFETIME - 1 }), "#1")).toBe("claimed");
  });

  test("is uncertain when it is old and names its comment", () => {
    const comments = [comment(claim(1, [batch(["#1"])]))];
    expect(stateNow(read({ comments, ...later }), "#1")).toBe("uncertain");
  });

  test("was not sent when it is old and names no comment", () => {
    const comments = [comment(claim(1, [batch(["#1"])], unnamed))];
    expect(stateNow(read({ comments, ...later }), "#1")).toBe("new");
  });

  test("is uncertain for good once a checkpoint has taken it so, even if it is withdrawn late", () => {
    const comments = [comment(claim(1, [batch(["#1"])]))];
    const checkpoint = makeCheckpoint(read({ comments, ...later }));
    const withdrawn = [comment(claim(1, [batch(["#1"], "withdrawn")]))];
    const state = read({ checkpoints: [checkpoint], comments: withdrawn, ...later });
    expect(stateNow(state, "#1")).toBe("uncertain");
  });

  test("is uncertain for good once a later claim has gone on from it", () => {
    const taken = dated(claim(1, [batch(["#1"], "unreported")]));
    const comments = [
      comment(claim(1, [batch(["#1"], "withdrawn")])),
      comment(claim(2, [batch(["#2"], "running")], { takenAsUncertain: [taken] })),
    ];
    expect(stateNow(read({ comments }), "#1")).toBe("uncertain");
  });

  test("is running if that is heard after it was taken as uncertain", () => {
    const taken = dated(claim(1, [batch(["#1"], "unreported")]));
    const comments = [
      comment(claim(1, [batch(["#1"], "running")])),
      comment(claim(2, [batch(["#2"], "running")], { takenAsUncertain: [taken] })),
    ];
    expect(stateNow(read({ comments }), "#1")).toBe("running");
  });
});

describe("a copy", () => {
  const original = claim(1, [batch(["#1"], "running")]);

  test("of a claim in another comment does not count", () => {
    const comments = [comment(original, { id: 2 })];
    expect(stateNow(read({ comments }), "#1")).toBe("new");
  });

  test("of a first write counts for nothing beside its original, wherever it stands", () => {
    const first = claim(1, [batch(["#1"])], unnamed);
    const comments = [
      comment(first, { id: 1 }),
      comment(original, { id: 7, record: { ...original, comment: 7 } }),
    ];
    expect(stateNow(read({ comments }), "#1")).toBe("running");
  });

  test("of an old first write does not keep runs waiting", () => {
    const checkpoint: Checkpoint<Change> = { ...EMPTY_CHECKPOINT, highest: 8 };
    const comments = [comment(claim(8, [batch(["#1"])], unnamed), { id: 900 })];
    expect(stateNow(read({ checkpoints: [checkpoint], comments }), "#1")).toBe("new");
  });

  test("of a first write is no older than the oldest comment with it", () => {
    const first = claim(1, [batch(["#1"])], unnamed);
    const old = { id: 1, updatedAt: NOON - CLAIM_LIFETIME };
    expect(
      stateNow(read({ comments: [comment(first, { id: 2 }), comment(first, old)] }), "#1"),
    ).toBe("new");
  });
});

describe("what somebody takes away", () => {
  const running = claim(1, [batch(["#1"], "running")]);
  const checkpoint = makeCheckpoint(read({ comments: [comment(running)] }));

  test("is remembered by the checkpoint when a comment is deleted", () => {
    expect(stateNow(read({ checkpoints: [checkpoint] }), "#1")).toBe("running");
  });

  test("is remembered by the checkpoint when a comment is overwritten", () => {
    const comments = [comment(running, { record: null })];
    expect(stateNow(read({ checkpoints: [checkpoint], comments }), "#1")).toBe("running");
  });

  test("is remembered by the checkpoint when a former version of a comment is restored", () => {
    const comments = [comment(claim(1, [batch(["#1"])], unnamed))];
    expect(stateNow(read({ checkpoints: [checkpoint], comments, ...later }), "#1")).toBe("running");
  });

  test("is told by number when the body is lost as well", () => {
    const begin = { ...EMPTY_CHECKPOINT, cursors: {} };
    const comments = [
      { ...comment(running), id: 90, record: begin },
      comment(claim(1, [batch(["#1"], "done")])),
      comment(claim(4, [batch(["#4"], "done")])),
    ];
    expect(read({ comments }).missing).toEqual([2, 3]);
    expect(read({ comments: comments.slice(1) }).missing).toEqual([0, 2, 3]);
    expect(read({ comments, checkpoints: [checkpoint] }).missing).toEqual([]);
  });
});

describe("a change in several batches", () => {
  const failed = claim(1, [batch(["#1"], "failed")]);
  const again = (state: "intended" | "withdrawn" | "done" | "uncertain") =>
    comment(
      claim(2, [
        batch([], state, { handed: [{ change: change("#1"), attempt: 2, after: "c1.0" }] }),
      ]),
    );

  test("stands where the newest does", () => {
    expect(stateNow(read({ comments: [comment(failed), again("uncertain")] }), "#1")).toBe(
      "uncertain",
    );
  });

  test("is done if any of them is", () => {
    const done = comment(claim(1, [batch(["#1"], "done")]));
    expect(stateNow(read({ comments: [done, again("uncertain")] }), "#1")).toBe("done");
  });

  test("stands where the one before does when the newest is withdrawn", () => {
    const state = read({ comments: [comment(failed), again("withdrawn")] });
    expect(state.open.get("#1")).toMatchObject({ batch: { id: "c1.0", stateNow: "failed" } });
  });
});

describe("cursors", () => {
  const SOURCE = "o/r@main";
  const at = (number: number, state: "intended" | "withdrawn" | "running") =>
    comment(
      claim(number, [batch([`#${number}`], state, { cursors: { [SOURCE]: `sha${number}` } })]),
    );
  const begin = (id: number) => ({
    ...comment(claim(id, [])),
    record: {
      ...EMPTY_CHECKPOINT,
      cursors: { [SOURCE]: { sha: `begin${id}`, number: 0, comment: null, moved: 0 } },
    },
  });
  const sha = (state: LedgerState<Change>) => state.cursors.get(SOURCE)?.sha;

  test("are those of the newest claim, whatever order the comments come in", () => {
    expect(sha(read({ comments: [at(3, "running"), begin(1), at(2, "running")] }))).toBe("sha3");
  });

  test("are not moved by a claim that may be withdrawn, or is", () => {
    expect(sha(read({ comments: [begin(1), at(2, "intended"), at(3, "withdrawn")] }))).toBe(
      "begin1",
    );
  });

  test("begin where the first of two first runs began", () => {
    expect(sha(read({ comments: [begin(5), begin(4)] }))).toBe("begin4");
  });
});

describe("requests", () => {
  test("count from their comment on, unless they were withdrawn or rejected", () => {
    const comments = [
      comment(claim(1, [batch(["#1"], "done")])),
      comment(claim(2, [batch(["#2"], "uncertain")])),
      comment(claim(3, [batch(["#3"], "withdrawn")])),
      comment(claim(4, [batch(["#4"], "failed", { jobId: null })])),
    ];
    expect([...read({ comments }).starts.values()]).toEqual([
      { batch: "c1.0", at: NOON },
      { batch: "c2.0", at: NOON },
    ]);
  });

  test("count once, told by a checkpoint and by a comment", () => {
    const comments = [comment(claim(1, [batch(["#1"], "done")]))];
    const checkpoint = makeCheckpoint(read({ comments }));
    const state = read({ checkpoints: [checkpoint], comments });
    expect(state.starts.size).toBe(1);
    expect([...state.doneByDay.values()]).toEqual([1]);
  });
});

test("the next claim's number is one more than any that was seen", () => {
  const comments = [
    comment(claim(3, [batch(["#1"], "done")])),
    comment(claim(4, [batch(["#2"])], unnamed)),
  ];
  expect(read({ comments })).toMatchObject({ next: 5, highest: 3 });
  expect(read({ comments, ...later })).toMatchObject({ next: 5, highest: 4 });
});
