import { describe, expect, test } from "vitest";
import { batch, claim, comment, dated } from "../../../test/support/example-records.ts";
import { collectClaims } from "./collect-claims.ts";
import { type Change, type Checkpoint, EMPTY_CHECKPOINT } from "./record.ts";

type Sources = Parameters<typeof collectClaims<Change>>[0];

function collect(sources: Partial<Sources>) {
  return collectClaims<Change>({ checkpoints: [], comments: [], own: [], ...sources });
}

function idsIn(sources: Partial<Sources>): string[] {
  return collect(sources).claims.map(({ claim: { id }, commentId }) => `${id} in ${commentId}`);
}

function checkpoint(over: Partial<Checkpoint<Change>>): Checkpoint<Change> {
  return { ...EMPTY_CHECKPOINT, ...over };
}

const intended = [batch(["#1"])];
const running = [batch(["#1"], "running")];

describe("a claim that names its comment", () => {
  test("counts there", () => {
    expect(idsIn({ comments: [comment(claim(1, running))] })).toEqual(["c1 in 1"]);
  });

  test("counts nowhere else: a copy in another comment is none", () => {
    expect(idsIn({ comments: [comment(claim(1, running), { id: 2 })] })).toEqual([]);
  });

  test("counts once, with what tells most of it, whichever source says so", () => {
    const sources: Partial<Sources>[] = [
      { checkpoints: [checkpoint({ claims: [dated(claim(1, running))] })] },
      { own: [dated(claim(1, running))] },
    ];
    for (const source of sources) {
      const { claims } = collect({ comments: [comment(claim(1, intended))], ...source });
      expect(claims).toHaveLength(1);
      expect(claims[0]?.claim.batches).toEqual(running);
    }
  });

  test("is known from a claim that went on from it, when its own comment is gone", () => {
    const taken = dated(claim(1, [batch(["#1"], "unreported")]));
    const comments = [comment(claim(2, running, { takenAsUncertain: [taken] }))];
    expect(idsIn({ comments })).toEqual(["c1 in 1", "c2 in 2"]);
  });

  test("is left out where that is asked for", () => {
    const comments = [1, 2].map((number) => comment(claim(number, running)));
    expect(idsIn({ comments, without: "c2" })).toEqual(["c1 in 1"]);
  });
});

describe("a claim that names no comment yet", () => {
  const unnamed = { comment: null };

  test("counts in the oldest comment with it", () => {
    const record = claim(1, intended, unnamed);
    const comments = [comment(record, { id: 9 }), comment(record, { id: 7 })];
    expect(idsIn({ comments })).toEqual(["c1 in 7"]);
  });

  test("does not count once it names its comment elsewhere", () => {
    const comments = [
      comment(claim(1, intended, unnamed), { id: 7 }),
      comment(claim(1, running, { comment: 3 })),
    ];
    expect(idsIn({ comments })).toEqual(["c1 in 3"]);
  });

  test("does not count when its number was given to a later claim, or is in a checkpoint", () => {
    const old = comment(claim(2, intended, { ...unnamed, id: "old" }), { id: 7 });
    expect(idsIn({ comments: [old, comment(claim(2, running))] })).toEqual(["c2 in 2"]);
    expect(idsIn({ comments: [old], checkpoints: [checkpoint({ highest: 2 })] })).toEqual([]);
    expect(idsIn({ comments: [old], checkpoints: [checkpoint({ highest: 1 })] })).toEqual([
      "old in 7",
    ]);
  });

  test("is left out where that is asked for", () => {
    const comments = [comment(claim(1, intended, unnamed))];
    expect(idsIn({ comments, without: "c1" })).toEqual([]);
  });
});

test("claims come in the order of their numbers, and of two with one number in that of their comments", () => {
  const unnamed = { comment: null };
  const comments = [
    comment(claim(3, intended, { ...unnamed, id: "second" }), { id: 12 }),
    comment(claim(3, intended, { ...unnamed, id: "first" }), { id: 11 }),
    comment(claim(2, running)),
    comment(claim(1, running)),
  ];
  expect(idsIn({ comments })).toEqual(["c1 in 1", "c2 in 2", "first in 11", "second in 12"]);
});

test("the highest number is that of the checkpoints", () => {
  const checkpoints = [checkpoint({ highest: 4 }), checkpoint({ highest: 2 })];
  expect(collect({ checkpoints, comments: [comment(claim(9, running))] }).highest).toBe(4);
});
