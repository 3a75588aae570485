import { describe, expect, test } from "vitest";
import { batch, claim, comment, MINUTE, NOON } from "../../../test/support/example-records.ts";
import { type ClaimDecision, decideClaim } from "./decide-claim.ts";
import { type LedgerState, readLedger } from "./read-ledger.ts";
import type { Change, Claim, LedgerComment } from "./record.ts";

const OWN = 5;

function read(
  comments: LedgerComment<Change>[],
  now = NOON,
  without: string | null = null,
): LedgerState<Change> {
  return readLedger({ checkpoints: [], comments, own: [], now, without });
}

interface Case {
  own?: Claim<Change>;
  /** Comments that the run knew when it chose. */
  before?: LedgerComment<Change>[];
  /** Other comments that it reads now. */
  others?: LedgerComment<Change>[];
  /** Its own comment, as it is read now. */
  shown?: LedgerComment<Change>[];
  now?: number;
}

const intent = claim(OWN, [batch(["#1"])], { comment: null });
const named = claim(OWN, [batch(["#1"])]);

function decide({ own = named, before = [], others = [], shown, now = NOON }: Case): ClaimDecision {
  const comments = [...others, ...(shown ?? [comment(own, { id: OWN })])];
  return decideClaim(
    { claim: own, commentId: OWN },
    read(before),
    comments,
    read(comments, now, own.id),
  );
}

test("a claim stands if nothing has happened since", () => {
  const before = [comment(claim(1, [batch(["#0"], "done")]))];
  expect(decide({ own: intent, before, others: before })).toBe("valid");
  expect(decide({ before, others: before })).toBe("valid");
});

describe("before it names its comment", () => {
  test("it yields to an older claim that names none either", () => {
    const others = [comment(claim(4, [batch(["#2"])], { comment: null }))];
    expect(decide({ own: { ...intent, number: 3 }, others })).toBe("taken");
  });

  test("it goes before a younger one with the same changes", () => {
    const others = [comment(claim(6, [batch(["#1"])], { comment: null }))];
    expect(decide({ own: intent, others })).toBe("valid");
  });
});

describe("another claim that names its comment, which the run did not know when it chose", () => {
  test.each(["intended", "uncertain", "running", "failed", "done"] as const)(
    "keeps it from being sent, younger or older, when it is %s",
    (state) => {
      for (const number of [4, 6]) {
        const others = [comment(claim(number, [batch(["#2"], state)]))];
        expect(decide({ others })).toBe("taken");
        expect(decide({ own: intent, others })).toBe("taken");
      }
    },
  );

  test("does not matter when it is withdrawn", () => {
    expect(decide({ others: [comment(claim(4, [batch(["#1"], "withdrawn")]))] })).toBe("valid");
  });

  test("keeps it from being sent however old it is", () => {
    const old = comment(claim(4, [batch(["#2"])]), { updatedAt: NOON - 60 * MINUTE });
    expect(decide({ others: [old] })).toBe("taken");
  });
});

describe("a change that is handed over again", () => {
  const failed = [comment(claim(1, [batch(["#1"], "failed")]))];
  const again = batch([], "intended", {
    handed: [{ change: { key: "#1", landedAt: NOON }, attempt: 2, after: "c1.0" }],
  });
  const own = claim(OWN, [again]);

  test("stands after the batch that it names", () => {
    expect(decide({ own, before: failed, others: failed })).toBe("valid");
  });

  test("does not after another, or when it is done after all", () => {
    expect(decide({ own: named, before: failed, others: failed })).toBe("taken");
    const done = [comment(claim(1, [batch(["#1"], "done")]))];
    expect(decide({ own, before: failed, others: done })).toBe("taken");
  });
});

test("a claim whose cursors go on from others than they did is taken", () => {
  const source = { cursors: { "o/a@main": "sha" } };
  const own = claim(OWN, [batch(["#1"], "intended", source)]);
  const before = [comment(claim(1, [batch(["#0"], "running", source)]))];
  expect(decide({ own, before, others: before })).toBe("valid");
  expect(decide({ own, before, others: [] })).toBe("taken");
});

describe("a claim that the answer does not show as it was last written", () => {
  test.each<[string, LedgerComment<Change>[]]>([
    ["deleted", []],
    ["overwritten", [comment(named, { record: null })]],
    ["before it named its comment", [comment(intent, { id: OWN })]],
    ["withdrawn by its post step", [comment(claim(OWN, [batch(["#1"], "withdrawn")]))]],
    ["in another comment", [comment(named, { id: 9 })]],
  ])("is unseen: %s", (_, shown) => {
    expect(decide({ shown })).toBe("unseen");
  });
});

test("a claim is stale five minutes after its last write, by GitHub's clock", () => {
  expect(decide({ now: NOON + 5 * MINUTE })).toBe("valid");
  expect(decide({ now: NOON + 5 * MINUTE + 1000 })).toBe("stale");
});
