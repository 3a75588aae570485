import { describe, expect, test } from "vitest";
import { batch, claim, dated, MINUTE, NOON } from "../../../test/support/example-records.ts";
import { furtherClaim, joinClaims } from "./join-claims.ts";
import type { BatchState } from "./record.ts";

/** In the order in which a batch may go on. */
const ORDER: BatchState[] = [
  ...(["intended", "withdrawn", "unreported", "uncertain", "running", "failed", "done"] as const),
];

const PAIRS = ORDER.flatMap((less, index) =>
  ORDER.slice(index + 1).map((more): [BatchState, BatchState] => [less, more]),
);

test.each(PAIRS)("of two records of a batch, %s and %s, the second counts", (less, more) => {
  const [one, other] = [less, more].map((state) => claim(1, [batch(["#1"], state)]));
  if (one === undefined || other === undefined) throw new Error("there are two");
  expect(furtherClaim(one, other).batches).toEqual(other.batches);
  expect(furtherClaim(other, one).batches).toEqual(other.batches);
});

describe("of two records of one claim", () => {
  const first = batch(["#1"], "done", { prLink: "https://github.com/acme/docs/pull/1" });
  const second = batch(["#2"], "running");

  test("each batch is taken from the one that tells more of it", () => {
    const one = claim(1, [first, batch(["#2"])]);
    const other = claim(1, [batch(["#1"], "running"), second]);
    expect(furtherClaim(one, other).batches).toEqual([first, second]);
    expect(furtherClaim(other, one).batches).toEqual([first, second]);
  });

  test("a batch that only one of them has is kept", () => {
    expect(furtherClaim(claim(1, [first, second]), claim(1, [first])).batches).toEqual([
      first,
      second,
    ]);
  });

  test("the earliest beginning and the latest write count", () => {
    const early = { ...dated(claim(1, [first])), createdAt: NOON, updatedAt: NOON + MINUTE };
    const late = { ...dated(claim(1, [first])), createdAt: NOON + MINUTE, updatedAt: NOON };
    const times = { createdAt: NOON, updatedAt: NOON + MINUTE };
    expect(joinClaims(early, late)).toMatchObject(times);
    expect(joinClaims(late, early)).toMatchObject(times);
  });
});
