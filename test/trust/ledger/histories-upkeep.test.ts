import { expect, test } from "vitest";
import { checkHistories, LIMIT } from "./check-histories.ts";
import { UpkeepHistory, upkeepEvent, upkeepSetting } from "./upkeep-history.ts";

test(
  "histories of upkeep: no change is accepted twice, none is lost, and what is in none is visible",
  LIMIT,
  async () => {
    await checkHistories(upkeepSetting, upkeepEvent, (it) => new UpkeepHistory(it), 300);
  },
);

test("a docs pull request that no run knows of names what it documents, and does not hand it over again", async () => {
  for (let at = 0; at <= 24; at++) {
    using history = new UpkeepHistory({
      mode: "continue",
      after: "merge",
      perDay: 24,
      comment: false,
      sources: 1,
      seed: 0,
      plans: [{ outcome: "completed", takes: 0 }],
    });
    await history.happen({ kind: "run", run: { kill: { at, when: "after" } } });
    await history.happen({ kind: "docs", is: "merged", method: "merge" });
    await history.settle();
    expect(history.wrong).toEqual([]);
  }
});
