import { expect, test } from "vitest";
import { landLedger, NOW, timeBefore } from "../../test/support/land-facts.ts";
import type { Ended } from "./ledger.ts";
import { type MonthReport, monthReport, monthReportText } from "./month-report.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

/** @param hours that it was open */
function ended(state: Ended["state"], hours: number, over: Partial<Ended> = {}): Ended {
  return {
    url: "",
    state,
    isByLand: true,
    openedAt: timeBefore(DAY + hours * HOUR),
    endedAt: timeBefore(DAY),
    isEditedByOthers: false,
    changes: 2,
    followUps: [],
    ...over,
  };
}

test.each<[string, Ended[], Partial<MonthReport>]>([
  ["nothing", [], { opened: 0, merged: 0, closed: 0, medianHoursToMerge: null, followUps: 0 }],
  ["two", [ended("merged", 3), ended("merged", 4)], { medianHoursToMerge: 3.5 }],
  ["three", [9, 1, 4].map((hours) => ended("merged", hours)), { medianHoursToMerge: 4 }],
  ["a fraction", [ended("merged", 1 / 3)], { medianHoursToMerge: 0.3 }],
  [
    "edited and closed ones",
    [ended("merged", 1, { isEditedByOthers: true }), ended("merged", 1), ended("closed", 9)],
    { merged: 2, mergedWithoutEdits: 1, closed: 1, changesDocumented: 4, medianHoursToMerge: 1 },
  ],
  [
    "longer ago",
    [
      ended("merged", 1, { endedAt: timeBefore(30 * DAY), openedAt: timeBefore(40 * DAY) }),
      ended("closed", 1, { followUps: [timeBefore(DAY), timeBefore(31 * DAY)] }),
    ],
    { opened: 1, merged: 0, changesDocumented: 0, followUps: 1 },
  ],
])("the report of %s", (_, list, expected) => {
  expect(monthReport(landLedger([], { ended: list }), NOW)).toMatchObject(expected);
});

const day = (days: number) => timeBefore(days * DAY).slice(0, 10);

test("the report counts what the ledgers' actions and land sent in 30 days, and what it costs", () => {
  const list = [ended("merged", 1), ended("merged", 2, { followUps: [timeBefore(DAY)] })];
  const requests = { upkeep: { [day(0)]: 2, [day(29)]: 1, [day(30)]: 7 }, queue: { [day(3)]: 4 } };
  const report = monthReport(landLedger([], { ended: list, requests }), NOW);
  expect(report).toMatchObject({
    requests: 7,
    followUps: 1,
    credits: [920, 1440],
    creditsPerMerged: [460, 720],
  });
  expect(monthReportText(report)).toContain(
    "- 7 requests by upkeep and queue; with the follow-ups, about 920 to 1,440 credits at the service's averages, 460 to 720 for each merged docs pull request",
  );
});

test("without a merged docs pull request, the report gives no credits for one", () => {
  const report = monthReport(landLedger([], { requests: { queue: { [day(0)]: 1 } } }), NOW);
  expect(report.creditsPerMerged).toBeNull();
  expect(monthReportText(report)).toMatch(
    /1 request by .* 115 to 180 credits at the service's averages$/,
  );
});
