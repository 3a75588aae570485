import { expect, test } from "vitest";
import { change } from "../../test/support/ledger-examples.ts";
import { landed } from "../../test/support/upkeep-examples.ts";
import { inLandingOrder } from "./landing-order.ts";

const NOW = { now: Date.parse("2026-11-22T12:00:00Z") };
const FROM = "2026-11-20T00:00:00Z";

/** @param at when it landed by its pull request, or, with `commit `, by the date of its commit */
function at(time: string, nth: number) {
  const isCommit = time.startsWith("commit ");
  const one = { ...change(nth + 1), landedAt: time.replace("commit ", "") };
  return landed(one, isCommit ? { pull: undefined } : {});
}

test.each([
  [
    "those of pull requests",
    ["2026-11-21T08:00:00Z", "2026-11-21T09:00:00Z"],
    ["2026-11-21T08:00:00Z", "2026-11-21T09:00:00Z"],
  ],
  [
    "an old commit that was pushed late",
    ["2026-11-21T08:00:00Z", "commit 1999-01-01T00:00:00Z", "2026-11-21T09:00:00Z"],
    ["2026-11-21T08:00:00Z", "2026-11-21T08:00:00Z", "2026-11-21T09:00:00Z"],
  ],
  [
    "an old commit before all others",
    ["commit 1999-01-01T00:00:00Z", "2026-11-21T09:00:00Z"],
    ["2026-11-20T00:00:00Z", "2026-11-21T09:00:00Z"],
  ],
  [
    "a commit from the future",
    ["commit 2050-01-01T00:00:00Z", "2026-11-21T09:00:00Z", "commit 2050-01-01T00:00:00Z"],
    ["2026-11-21T09:00:00Z", "2026-11-21T09:00:00Z", "2026-11-22T12:00:00Z"],
  ],
  [
    "a pull request that was merged into another branch first",
    ["2026-11-21T09:00:00Z", "2026-11-21T08:00:00Z"],
    ["2026-11-21T09:00:00Z", "2026-11-21T09:00:00Z"],
  ],
])("times never go back: %s", (_, given, expected) => {
  const inOrder = inLandingOrder(given.map(at), FROM, NOW);
  expect(inOrder.map(({ details }) => details.change.landedAt)).toEqual(expected);
});
