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

/** @param takes how long each job takes, in milliseconds */
function settingOf(takes: number, delayHours: number): LandSetting {
  return {
    plans: [{ outcome: "completed", takes, steering: { checks: "green" } }],
    seed: 0,
    merge: "checks",
    maxFollowUps: 0,
    delayHours,
    required: false,
    rule: {},
    inputs: { labels: "docs" },
    isMergeabilityLate: false,
  };
}

const pass = (minutes: number, at: number) => ({ at, event: { kind: "pass" as const, minutes } });

test("a run that was held up while it set a label leaves the merge to the next one", async () => {
  const setting = settingOf(0, 0);
  const merge = (requests: string[] = []) => requests.findIndex((it) => it.endsWith("/merge"));
  const known = new LandHistory(setting);
  await known.happen({ kind: "run", run: {} });
  const before = merge(known.last?.requests) - 1;
  expect(known.last?.requests[before]).toMatch(/labels$/);
  const history = new LandHistory(setting);
  await history.happen({ kind: "run", run: { meanwhile: [pass(12, before)] } });
  expect(merge(history.last?.requests)).toBe(-1);
  await history.happen({ kind: "run", run: {} });
  expect(history.last?.outputs.mergedCount).toBe("2");
  expect(history.wrong).toEqual([]);
});

test("a head that a run found after it was held up has stood since then, and not since the run began", async () => {
  const history = new LandHistory(settingOf(3 * 60 * 60_000, 2));
  await history.happen({ kind: "run", run: { meanwhile: [pass(25 * 60, 1)] } });
  await history.happen({ kind: "run", run: {} });
  expect(history.last?.outputs).toMatchObject({ openCount: "2", mergedCount: "0" });
  expect(history.wrong).toEqual([]);
});
