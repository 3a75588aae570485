import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import {
  CHANGE,
  checkOf,
  EVERYTHING_NAMED,
  entryOf,
  landInputs,
  landLedger,
  NOW,
  pullOf,
  timeBefore,
  waitingFor,
} from "../../test/support/land-facts.ts";
import { contextOf } from "../../test/support/run-context.ts";
import { setUpLandRun } from "./land-run.ts";
import type { MonthReport } from "./month-report.ts";
import type { ReportedPull } from "./outcome.ts";
import { digestOf, type ReportItem, reportLand } from "./summary.ts";

function reportedPull(over: Partial<ReportedPull> = {}, title = "Add retries"): ReportedPull {
  return {
    entry: entryOf({ changes: [{ ...CHANGE, title }] }),
    state: "open",
    decision: waitingFor({ code: "merge-never" }),
    needed: null,
    visibility: EVERYTHING_NAMED,
    achieved: null,
    ...over,
  };
}

function reported(pulls: ReportedPull[]) {
  const dependencies = dependenciesOf({ title: "Docs land" });
  const ledger = landLedger(pulls.map(({ entry }) => entry));
  const run = setUpLandRun(landInputs(), contextOf("schedule"), dependencies);
  run.store.namedAt = NOW;
  reportLand({ ledger, sha: "abc" }, pulls, false, { ...run, repository: "acme/docs" });
  const { lines } = dependencies;
  const summary = lines.find((line) => line.startsWith("summary: "))?.slice(9) ?? "";
  const output: { reason: unknown }[] = JSON.parse(dependencies.outputs.values.pullRequests ?? "");
  const reasons = output.map((pull) => pull.reason);
  return { lines, summary, reasons, last: lines.findLast((line) => line.startsWith("info: ")) };
}

const URL = pullOf({}).url;
/** The only one that is shown, in the words of a heading. */
const PULL = `[docs pull request #7](${URL})`;
const MERGED = reportedPull({ decision: { type: "merge" }, state: "merged", achieved: "merged" });
const CLOSED = reportedPull({ decision: { type: "ended" }, state: "closed" });
const TOLD = reportedPull({
  decision: {
    type: "follow-up",
    problems: [{ type: "check", id: "check 1", check: checkOf({ state: "red" }) }],
  },
  achieved: "sent",
});

test("what came of docs pull requests comes first, then what needs a person, then those that wait", () => {
  const { summary, last } = reported([
    reportedPull(),
    reportedPull({ decision: waitingFor({ code: "path-not-allowed", path: "src/a.ts" }) }),
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
    `${item}: It changes \`src/a.ts\`, which \`allowed-paths\` does not allow.`,
    "**Open**",
    `${item}: A person reviews and merges it.`,
  ]);
});

test("of a run that only waits, the summary says that nothing is new", () => {
  expect(reported([reportedPull()]).summary).toMatch(/^### Docs land: nothing new\n\n\*\*Open\*\*/);
});

test("the digest is that of the page, and titles stand in code", () => {
  const report = { opened: 14, merged: 11, mergedWithoutEdits: 9, closed: 2 };
  const more: Omit<MonthReport, keyof typeof report> = {
    medianHoursToMerge: 6.5,
    followUps: 7,
    changesDocumented: 23,
    requests: 19,
    credits: [2990, 4680],
    creditsPerMerged: [272, 425],
  };
  const pull = reportedPull({}, "@everyone `x` [y](https://evil.example)");
  const line = "It needs you.";
  const needs = { code: "blocked" } as const;
  const open: ReportItem[] = [{ pull, needs, title: "Open", line, isNamed: true }];
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
  const decision = waitingFor({ code: "path-not-allowed", path: "src/plan.ts" });
  const hidden = reportedPull({ entry, decision });
  const shown = reportedPull({ entry: entryOf({ changes: [secret, CHANGE] }) });
  const unread = reportedPull({
    entry,
    decision: waitingFor({ code: "unread", words: "GitHub says `acme/hidden`" }),
    visibility: null,
  });
  const { lines, summary } = reported([hidden, shown, unread]);
  const where = "docs pull request in a repository that not everyone here can see";
  expect(lines).toContain(`warning: A ${where}: The comment on it says why.`);
  expect(lines).toContain(
    `warning: A ${where}: It cannot be read: check that the token can read its repository.`,
  );
  expect(summary).toContain(`- ${where}: The comment on it says why.`);
  expect(summary).toContain("Add retries");
  const all = lines.filter((line) => !line.startsWith("output: pullRequests")).join("\n");
  expect(all).not.toMatch(/acme\/hidden.*info|Secret plan|acme\/secret|src\/plan/);
});

test("the output has why it is not merged as a code, with whom that waits for, and only what is new is a warning", () => {
  const decision = waitingFor({ code: "path-not-allowed", path: "src/a.ts" });
  const needed = { code: "path-not-allowed", path: "src/a.ts" } as const;
  const told = reported([reportedPull(), reportedPull({ decision, needed })]);
  expect(told.lines.filter((line) => line.startsWith("warning"))).toEqual([]);
  const since = timeBefore(0);
  expect(told.reasons).toEqual([
    { code: "merge-never", text: "A person reviews and merges it.", waitsFor: "reviewer", since },
    {
      code: "path-not-allowed",
      text: "It changes `src/a.ts`, which `allowed-paths` does not allow.",
      waitsFor: "person",
      since,
    },
  ]);
  const other = reported([reportedPull({ decision, needed: { code: "blocked" } })]);
  expect(other.lines.filter((line) => line.startsWith("warning"))).toHaveLength(1);
});
