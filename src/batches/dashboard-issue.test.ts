import { describe, expect, test } from "vitest";
import {
  AT,
  EMPTY,
  group,
  NOW,
  refusedBy,
  revision,
  UNCERTAIN,
  unread,
} from "../../test/support/ledger-examples.ts";
import type { Issue } from "../github/conversation/labelled-issue.ts";
import { timeText } from "../ledger/file.ts";
import { notSent } from "../runtime/delivery.ts";
import { known } from "../runtime/fact.ts";
import { markText } from "./dashboard/render.ts";
import {
  checkDashboard,
  claimDashboard,
  DashboardIssue,
  type Issues,
  recordOpened,
} from "./dashboard-issue.ts";
import type { Ledger } from "./model/ledger.ts";

const REF = "refs/docs-agent/upkeep/x";
const PLACE = { ref: REF, named: null };
const RUN = "1-1-a";
const CLAIMED: Ledger["dashboard"] = { type: "claimed", by: RUN, until: timeText(NOW + 600_000) };
const SHA = "a".repeat(40);
const LAST = "b".repeat(40);

function issueWith(writes: number): Issue {
  const body = markText({ ref: REF, sha: LAST, writes });
  return {
    number: 1,
    body,
    isLabelled: true,
    isClosed: false,
    closedBy: null,
    closedAt: null,
    isClosedByBot: false,
  };
}

/** @param written the bodies that are written */
function dashboardOf(issue: Issue, written: string[] = []): DashboardIssue {
  const issues: Issues = {
    find: async () => known(issue.number),
    open: () => Promise.reject(new Error("none is opened")),
    read: async () => known(issue),
    write: async (_, body) => {
      written.push(body);
      return { type: "accepted", value: null };
    },
  };
  return new DashboardIssue(issues, PLACE);
}

test.each([
  ["a ledger with fewer writes than its dashboard knows of was set back", SHA, 9, "set-back"],
  ["a ledger without a ref was lost", null, 9, "lost"],
  ["a ledger with as many writes is current", SHA, 5, "dashboard"],
])("%s", (_, sha, writes, type) => {
  const issue = { type: "known", value: issueWith(writes) } as const;
  const read = checkDashboard(issue, { ...EMPTY, writes: 5 }, sha, PLACE);
  expect(read.type).toBe(type);
  if (read.type === "set-back") expect(read.error.message).toContain("was set back");
  if (read.type === "lost") expect(read).toEqual({ type: "lost", sha: LAST, writes });
});

test.each([
  ["a newer ledger", 9, []],
  ["the same ledger", 5, ["new"]],
  ["an older ledger", 4, ["new"]],
])("a dashboard that shows %s is overwritten or not", async (_, writes, expected) => {
  const written: string[] = [];
  const dashboard = dashboardOf(issueWith(writes), written);
  const mark = markText({ ref: REF, sha: SHA, writes: 5 });
  const problem = await dashboard.update(1, "", () => `${mark}\nnew`);
  expect(problem).toBe(null);
  expect(written).toEqual(expected.map((text) => `${mark}\n${text}`));
});

test.each([
  ["that cannot be read", unread("refused", "no"), { issue: null, mayOpen: false, unread: "no" }],
  ["that is not there", { type: "absent" } as const, { issue: null, mayOpen: true, unread: null }],
])("a dashboard %s shows nothing", (_, read, dashboard) => {
  const checked = checkDashboard(read, EMPTY, SHA, PLACE);
  expect(checked).toEqual({ type: "dashboard", dashboard });
});

test("an issue without a mark and label is not the dashboard, unless the workflow names it", () => {
  const issue = { ...issueWith(0), body: "", isLabelled: false };
  const issueFor = (named: number | null) => {
    const read = { type: "known", value: issue } as const;
    const checked = checkDashboard(read, EMPTY, SHA, { ref: REF, named });
    return checked.type === "dashboard" ? checked.dashboard.issue : null;
  };
  expect(issueFor(null)).toBeNull();
  expect(issueFor(1)).toBe(issue);
});

test("an issue that shows another ledger is an error, and so is a named one that is gone", () => {
  const read = { type: "known", value: issueWith(1) } as const;
  const place = { ref: "refs/docs-agent/upkeep/y", named: null };
  expect(() => checkDashboard(read, EMPTY, SHA, place)).toThrow(/shows another ledger/);
  const gone = { type: "absent" } as const;
  expect(() => checkDashboard(gone, EMPTY, SHA, { ref: REF, named: 3 })).toThrow(/no issue #3/);
});

describe("a dashboard", () => {
  const facts = { issue: null, mayOpen: true, unread: null };
  const issue = {
    number: 9,
    body: "",
    isLabelled: true,
    isClosed: false,
    closedBy: null,
    closedAt: null,
    isClosedByBot: false,
  };
  const shown = { ...EMPTY, waiting: [group(1)] };

  test.each<[string, Ledger, Partial<typeof facts>, Ledger["dashboard"]]>([
    ["is claimed if there is something to show", shown, {}, CLAIMED],
    ["is not claimed if there is nothing to show", EMPTY, {}, { type: "none" }],
    ["is not claimed if none may be opened", shown, { mayOpen: false }, { type: "none" }],
  ])("%s", (_, ledger, over, expected) => {
    const after = claimDashboard(revision(ledger), { ...facts, ...over }, RUN);
    expect(after.ledger.dashboard).toEqual(expected);
  });

  test.each<[string, Ledger["dashboard"], boolean]>([
    ["another run claimed it", { ...CLAIMED, by: "2-1-b" }, false],
    ["another run's claim is over", { ...CLAIMED, by: "2-1-b", until: AT }, true],
    ["GitHub refused it", { type: "refused", until: timeText(NOW + 1000) }, false],
    ["it was deleted", { type: "open", number: 3 }, true],
  ])("is claimed or not when %s", (_, dashboard, isClaimed) => {
    const after = claimDashboard(revision({ ...shown, dashboard }), facts, RUN);
    expect(after.ledger.dashboard).toEqual(isClaimed ? CLAIMED : dashboard);
  });

  test("that exists is taken up", () => {
    const after = claimDashboard(revision(shown), { ...facts, issue }, RUN);
    expect(after.ledger.dashboard).toEqual({ type: "open", number: 9 });
  });

  test.each<[string, Parameters<typeof recordOpened>[2], Ledger["dashboard"]]>([
    ["opened", { type: "accepted", value: { number: 7 } }, { type: "open", number: 7 }],
    ["refused", refusedBy("right"), { type: "refused", until: "2026-11-23T12:00:00Z" }],
    ["not opened", notSent("cancelled"), { type: "none" }],
    ["perhaps opened", UNCERTAIN, CLAIMED],
  ])(
    "that was %s is recorded for the run that claimed it, and for no other",
    (_, opened, state) => {
      const claimed = revision({ ...EMPTY, dashboard: CLAIMED });
      expect(recordOpened(claimed, RUN, opened).ledger.dashboard).toEqual(state);
      expect(recordOpened(claimed, "2-1-b", opened)).toEqual(claimed);
    },
  );
});
