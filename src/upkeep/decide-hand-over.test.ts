import { describe, expect, test } from "vitest";
import { changeOf, stateOf } from "../../test/support/ledger-state.ts";
import { decideHandOver, type HandOverFacts } from "./decide-hand-over.ts";

const PR = "https://github.com/acme/docs/pull/9";
const HANDED = [{ change: changeOf(50), attempt: 1, after: null }];
const NEW = { type: "hand-over", target: { type: "new" } };

function decideOn(over: Partial<HandOverFacts>) {
  return decideHandOver({
    state: stateOf(),
    selection: { handed: HANDED },
    openPullRequest: "continue",
    maxJobsPerDay: 24,
    pull: "open",
    ...over,
  });
}

function nothing(reason: string) {
  return { type: "nothing", reason };
}

test("the first batch starts a job", () => {
  expect(decideOn({})).toEqual(NEW);
});

test("while a batch is with the agent nothing is handed over, whether or not something is new", () => {
  const state = stateOf({ state: "running" });
  expect(decideOn({ state })).toEqual(nothing("busy"));
  expect(decideOn({ state, selection: { handed: [] } })).toEqual(nothing("busy"));
});

test("without a change there is nothing to do", () => {
  expect(decideOn({ selection: { handed: [] } })).toEqual(nothing("idle"));
});

describe("after a batch with a docs pull request", () => {
  const state = stateOf({ prLink: PR });
  const toJob = { type: "hand-over", target: { type: "job", jobId: "job1" } };

  test.each([
    ["continue", "open", toJob],
    ["continue", null, toJob],
    ["continue", "merged", NEW],
    ["continue", "closed", NEW],
    ["hold", "open", nothing("held")],
    ["hold", null, NEW],
    ["hold", "merged", NEW],
    ["hold", "closed", NEW],
    ["new", "open", NEW],
  ] as const)("`%s`, and it is %s", (openPullRequest, pull, expected) => {
    expect(decideOn({ state, openPullRequest, pull })).toEqual(expected);
  });

  test.each(["failed", "done"] as const)(
    "a later one that is %s without one leaves it open",
    (end) => {
      const later = stateOf({ prLink: PR }, { state: end });
      expect(decideOn({ state: later })).toEqual(toJob);
      expect(decideOn({ state: later, openPullRequest: "hold" })).toEqual(nothing("held"));
    },
  );
});

test("a batch that needed no pull request is followed by a new job", () => {
  expect(decideOn({ state: stateOf({ prLink: null }) })).toEqual(NEW);
});

describe("the limit of a day", () => {
  const day = 24 * 3_600_000;

  test("counts what was sent, or may have been", () => {
    const state = stateOf({ state: "done" }, { state: "uncertain" });
    expect(decideOn({ state, maxJobsPerDay: 2 })).toEqual(nothing("limited"));
    expect(decideOn({ state, maxJobsPerDay: 3 })).toEqual(NEW);
  });

  test("does not count what was withdrawn, nor what is older", () => {
    const state = stateOf({ state: "withdrawn" }, { age: day + 1 });
    expect(decideOn({ state, maxJobsPerDay: 1 })).toEqual(NEW);
  });
});
