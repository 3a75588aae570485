import { expect, test } from "vitest";
import { checkHistories, LIMIT } from "./check-histories.ts";
import { type LandSetting, landEvent, landSetting } from "./land-events.ts";
import { LandHistory } from "./land-history.ts";

test(
  "histories of land: nothing is told twice, merged against a rule, or touched that is not the agent's",
  LIMIT,
  async () => {
    await checkHistories(landSetting, landEvent, (it) => new LandHistory(it), 300);
  },
);

test("a run that was held up while it set a label leaves the merge to the next one", async () => {
  const setting: LandSetting = {
    plans: [{ outcome: "completed", takes: 0, steering: { checks: "green" } }],
    ...{ seed: 0, merge: "checks", maxFollowUps: 0, delayHours: 0, required: false, rule: {} },
    ...{ inputs: { labels: "docs" }, isMergeabilityLate: false },
  };
  const merge = (requests: string[] = []) => requests.findIndex((it) => it.endsWith("/merge"));
  const known = new LandHistory(setting);
  await known.happen({ kind: "run", run: {} });
  const before = merge(known.last?.requests) - 1;
  expect(known.last?.requests[before]).toMatch(/labels$/);
  const history = new LandHistory(setting);
  const meanwhile = [{ at: before, event: { kind: "pass" as const, minutes: 12 } }];
  await history.happen({ kind: "run", run: { meanwhile } });
  expect(merge(history.last?.requests)).toBe(-1);
  await history.happen({ kind: "run", run: {} });
  expect(history.last?.outputs.mergedCount).toBe("2");
  expect(history.wrong).toEqual([]);
});
