import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import {
  CHANGE,
  entryOf,
  landLedger,
  NOW,
  pullOf,
  timeBefore,
} from "../../test/support/land-facts.ts";
import type { Ended } from "./ledger.ts";
import { digestOf, type Item, type LandReport, reportLand, reportOf } from "./report.ts";
import type { ReportedPull } from "./results.ts";
import { person, wait } from "./step.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

/** @param hours that it was open */
function ended(state: Ended["state"], hours: number, over: Partial<Ended> = {}): Ended {
  return {
    url: "",
    state,
    openedAt: timeBefore(DAY + hours * HOUR),
    endedAt: timeBefore(DAY),
    isEditedByOthers: false,
    changes: 2,
    followUps: [],
    ...over,
  };
}

test.each<[string, Ended[], Partial<LandReport>]>([
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
  expect(reportOf({ open: [], ended: list, requests: {} }, NOW)).toMatchObject(expected);
});

const day = (days: number) => timeBefore(days * DAY).slice(0, 10);

test("the report counts what the ledgers' actions and land sent in 30 days, and what it costs", () => {
  const list = [ended("merged", 1), ended("merged", 2, { followUps: [timeBefore(DAY)] })];
  const requests = { upkeep: { [day(0)]: 2, [day(29)]: 1, [day(30)]: 7 }, queue: { [day(3)]: 4 } };
  const report = reportOf({ open: [], ended: list, requests }, NOW);
  expect(report).toMatchObject({
    requests: 7,
    followUps: 1,
    credits: [920, 1440],
    creditsPerMerged: [460, 720],
  });
  expect(digestOf(report, [])).toContain(
    "- 7 requests by upkeep and queue; with the follow-ups, about 920 to 1,440 credits at the service's averages, 460 to 720 for each merged docs pull request",
  );
});

test("without a merged docs pull request, the digest gives no credits for one", () => {
  const report = reportOf({ open: [], ended: [], requests: { queue: { [day(0)]: 1 } } }, NOW);
  expect(report.creditsPerMerged).toBeNull();
  expect(digestOf(report, [])).toMatch(
    /1 request by .* 115 to 180 credits at the service's averages$/,
  );
});

function reportedPull(over: Partial<ReportedPull> = {}, title = "Add retries"): ReportedPull {
  return {
    entry: entryOf({ changes: [{ ...CHANGE, title }] }),
    state: "open",
    step: wait("A person reviews and merges it."),
    needed: null,
    reading: { type: "read", seen: ["acme/docs", "acme/api"] },
    achieved: null,
    ...over,
  };
}

function reported(pulls: ReportedPull[]) {
  const dependencies = dependenciesOf({ title: "Docs land" });
  const ledger = landLedger(pulls.map(({ entry }) => entry));
  reportLand({ ledger, now: NOW, sha: "abc", pulls, repository: "acme/docs" }, false, dependencies);
  const { lines } = dependencies;
  const summary = lines.find((line) => line.startsWith("summary: "))?.slice(9) ?? "";
  return { lines, summary, last: lines.findLast((line) => line.startsWith("info: ")) };
}

const URL = pullOf({}).url;
/** The only one that is shown, in the words of a heading. */
const PULL = `[docs pull request #7](${URL})`;
const MERGED = reportedPull({ step: { type: "merge" }, state: "merged", achieved: "merged" });
const CLOSED = reportedPull({ step: { type: "ended" }, state: "closed" });
const TOLD = reportedPull({
  step: { type: "follow-up", about: "1 failed check", problems: [] },
  achieved: "accepted",
});

test("what came of docs pull requests comes first, then what needs a person, then those that wait", () => {
  const { summary, last } = reported([
    reportedPull(),
    reportedPull({ step: person("It changes `src/a.ts`.") }),
    TOLD,
    CLOSED,
    MERGED,
  ]);
  const words = (pull: string) =>
    `${pull} merged, ${pull} closed without merging, 1 follow-up sent, ${pull} needs a person`;
  expect(last).toBe(`info: Docs land: ${words(`docs pull request ${URL}`)}.`);
  const item = `- ${PULL} ← [\`Add retries\`](https://github.com/acme/api/pull/12) \`acme/api#12\``;
  expect(summary.split("\n").filter((line) => line !== "")).toEqual([
    `### Docs land: ${words(PULL)}`,
    "**Merged**",
    `${item}: Merged by this run.`,
    "**Closed**",
    item,
    "**Sent back to the agent**",
    `${item}: A follow-up about 1 failed check was sent.`,
    "**Needs a person**",
    `${item}: It changes \`src/a.ts\`.`,
    "**Open**",
    `${item}: A person reviews and merges it.`,
  ]);
});

test("of a run that only waits, the summary says that nothing is new", () => {
  expect(reported([reportedPull()]).summary).toMatch(/^### Docs land: nothing new\n\n\*\*Open\*\*/);
});

test("the digest is that of the page, and titles stand in code", () => {
  const report = { opened: 14, merged: 11, mergedWithoutEdits: 9, closed: 2 };
  const more: Omit<LandReport, keyof typeof report> = {
    medianHoursToMerge: 6.5,
    followUps: 7,
    changesDocumented: 23,
    requests: 19,
    credits: [2990, 4680],
    creditsPerMerged: [272, 425],
  };
  const pull = reportedPull({}, "@everyone `x` [y](https://evil.example)");
  const needs = "It needs you.";
  const open: Item[] = [{ pull, needs, title: "Open", line: needs, isNamed: true }];
  expect(digestOf({ ...report, ...more }, open).split("\n")).toEqual([
    "**Docs pull requests, last 30 days:** 14 opened",
    "",
    "- 11 merged, after 6.5 hours (median), 9 of them without edits by people",
    "- 2 closed without merging",
    "- 7 follow-ups to the agent",
    "- 23 changes documented",
    "- 19 requests by upkeep and queue; with the follow-ups, about 2,990 to 4,680 credits at the service's averages, 272 to 425 for each merged docs pull request",
    "",
    "**Open**",
    "",
    "- [docs pull request #7](https://github.com/acme/docs/pull/7) ← [``@everyone `x` [y](https://evil.example)``](https://github.com/acme/api/pull/12) `acme/api#12`: It needs you.",
  ]);
});

test("a docs pull request that not everyone can see is counted and not named, and its changes neither", () => {
  const secret = { ...CHANGE, title: "Secret plan", repository: "acme/secret" };
  const entry = entryOf({
    url: "https://github.com/acme/hidden/pull/9",
    changes: [secret, CHANGE],
  });
  const step = person("It changes `src/plan.ts`.");
  const hidden = reportedPull({ entry, step });
  const shown = reportedPull({ entry: entryOf({ changes: [secret, CHANGE] }) });
  const unread = reportedPull({
    entry,
    step: person("GitHub says `acme/hidden`."),
    reading: { type: "unread", plainReason: "It cannot be read." },
  });
  const { lines, summary } = reported([hidden, shown, unread]);
  const where = "docs pull request in a repository that not everyone here can see";
  expect(lines).toContain(`warning: A ${where}: The comment on it says why.`);
  expect(lines).toContain(`warning: A ${where}: It cannot be read.`);
  expect(summary).toContain(`- ${where}: The comment on it says why.`);
  expect(summary).toContain("Add retries");
  const all = lines.filter((line) => !line.startsWith("output: pullRequests")).join("\n");
  expect(all).not.toMatch(/acme\/hidden.*info|Secret plan|acme\/secret|src\/plan/);
});
