import { expect, test } from "vitest";
import { sampleOf } from "../../support/sample.ts";
import { checkHistories, LIMIT } from "./check-histories.ts";
import { UpkeepHistory, type UpkeepSetting, upkeepEvent, upkeepSetting } from "./upkeep-history.ts";

test(
  "histories of upkeep: no change is accepted twice, none is lost, and what is in none is visible",
  LIMIT,
  async () => {
    await checkHistories(upkeepSetting, upkeepEvent, (it) => new UpkeepHistory(it), 300);
  },
);

/** Requests that a run is killed at. */
const requestsUpTo = (last: number, name: string) => sampleOf([...Array(last + 1).keys()], 3, name);

const PLAIN: UpkeepSetting = {
  mode: "continue",
  after: "merge",
  perDay: 24,
  comment: false,
  sources: 1,
  seed: 0,
  plans: [{ outcome: "completed", takes: 0 }],
};

test("a docs pull request that no run knows of names what it documents, and does not hand it over again", async () => {
  for (const at of requestsUpTo(24, "kills before a docs pull request")) {
    using history = new UpkeepHistory(PLAIN);
    await history.happen({ kind: "run", run: { kill: { at, when: "after" } } });
    await history.happen({ kind: "docs", is: "merged", method: "merge" });
    await history.settle();
    expect(history.wrong).toEqual([]);
  }
});

test("a docs pull request that is reopened is in review again, once, whenever the run that finds it is killed", async () => {
  for (const at of requestsUpTo(16, "kills after one is reopened")) {
    using history = new UpkeepHistory(PLAIN);
    const run = { kind: "run", run: {} } as const;
    for (const event of [run, { kind: "pass", minutes: 60 }, run] as const) {
      await history.happen(event);
    }
    await history.happen({ kind: "docs", is: "closed", method: "merge" });
    await history.happen(run);
    await history.happen({ kind: "docs", is: "reopened", method: "merge" });
    await history.happen({ kind: "run", run: { kill: { at, when: "after" } } });
    await history.happen(run);
    expect(history.linksInReview()).toHaveLength(1);
    await history.settle();
    expect(history.wrong).toEqual([]);
  }
});

test("a rewritten copy of a squash is no change, nor is it once a merge has it beside the branch's line", async () => {
  using history = new UpkeepHistory(PLAIN);
  const run = { kind: "run", run: {} } as const;
  await history.happen({ kind: "land", method: "squash", by: "writer", commits: 1 });
  await history.happen(run);
  await history.happen({ kind: "rewrite", commits: 1 });
  await history.happen(run);
  await history.happen({ kind: "pull", back: 2 });
  await history.settle();
  expect(history.wrong).toEqual([]);
});
