import { expect, test } from "vitest";
import { checkHistories, LIMIT } from "./check-histories.ts";
import { type LandSetting, landEvent, landSetting } from "./land-events.ts";
import { LandHistory } from "./land-history.ts";

test(
  "histories of land: nothing is sent twice, merged against the inputs, or touched that is not the agent's",
  LIMIT,
  async () => {
    await checkHistories(landSetting, landEvent, (it) => new LandHistory(it), 300);
  },
);

/** @param takes how long each job takes, in milliseconds */
function settingOf(
  takes: number,
  delayHours: number,
  merge: LandSetting["merge"] = "checks",
): LandSetting {
  return {
    plans: [{ outcome: "completed", takes, steering: { checks: "green" } }],
    seed: 0,
    merge,
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
  const setting = settingOf(0, 0, "approved");
  const accepted = async () => {
    const history = new LandHistory(setting);
    for (const at of [0, 1]) await history.happen({ kind: "accept", at });
    return history;
  };
  const merge = (requests: string[] = []) => requests.findIndex((it) => it.endsWith("/merge"));
  const known = await accepted();
  await known.happen({ kind: "run", run: {} });
  const first = known.last?.requests.slice(0, merge(known.last.requests));
  const before = first?.findLastIndex((it) => it.endsWith("/labels")) ?? -1;
  expect(before).toBeGreaterThan(0);
  const history = await accepted();
  await history.happen({ kind: "run", run: { meanwhile: [pass(12, before)] } });
  expect(merge(history.last?.requests)).toBe(-1);
  await history.happen({ kind: "run", run: {} });
  expect(history.last?.outputs.mergedCount).toBe("2");
  expect(history.wrong).toEqual([]);
});

test("a head that a run found after it was held up counts from then on, and not from the beginning of the run", async () => {
  const history = new LandHistory(settingOf(3 * 60 * 60_000, 2));
  await history.happen({ kind: "run", run: { meanwhile: [pass(25 * 60, 1)] } });
  await history.happen({ kind: "run", run: {} });
  expect(history.last?.outputs).toMatchObject({ openCount: "2", mergedCount: "0" });
  expect(history.wrong).toEqual([]);
});

test("a docs pull request that could be merged is not, while its job is at work on a follow-up", async () => {
  const [well = { outcome: "completed", takes: 0 }] = settingOf(0, 0).plans;
  const slow = { ...well, takes: 3 * 60 * 60_000 };
  const plans = [well, well, slow];
  using history = new LandHistory({ ...settingOf(0, 0), plans, maxFollowUps: 1 });
  await history.happen({ kind: "run", run: {} });
  await history.happen({ kind: "pass", minutes: 5 });
  await history.happen({ kind: "review", is: "REQUEST_CHANGES", by: "writer", at: 0 });
  await history.happen({ kind: "run", run: {} });
  expect(history.last?.outputs).toMatchObject({ followUpCount: "1", mergedCount: "1" });
  await history.happen({ kind: "pass", minutes: 60 });
  await history.happen({ kind: "accept", at: 0 });
  await history.happen({ kind: "run", run: {} });
  expect(history.last?.outputs).toMatchObject({ openCount: "1", mergedCount: "0" });
  await history.settle();
  expect(history.wrong).toEqual([]);
});
