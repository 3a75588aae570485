import { expect, test } from "vitest";
import { EMPTY } from "../../test/support/ledger-examples.ts";
import type { Issue } from "../github/conversation/labelled-issue.ts";
import { markText } from "./dashboard/render.ts";
import { DashboardIssue, type Issues } from "./dashboard-issue.ts";

const REF = "refs/docs-agent/upkeep/x";
const SHA = "a".repeat(40);
const LAST = "b".repeat(40);

function issueWith(writes: number): Issue {
  const body = markText({ ref: REF, sha: LAST, writes });
  return { number: 1, body, isLabelled: true, isClosed: false, closedBy: null, closedAt: null };
}

/** @param written the bodies that are written */
function dashboardOf(issue: Issue, written: string[] = []): DashboardIssue {
  const issues: Issues = {
    find: async () => issue.number,
    open: () => Promise.reject(new Error("none is opened")),
    read: async () => ({ type: "issue", issue }),
    write: async (_, body) => void written.push(body),
  };
  return new DashboardIssue(issues, REF, null);
}

test.each([
  ["a ledger with fewer writes than its dashboard knows of was set back", SHA, 9, "set back"],
  ["a ledger without a ref was lost", null, 9, "lost"],
  ["a ledger with as many writes is current", SHA, 5, "dashboard"],
])("%s", async (_, sha, writes, type) => {
  const dashboard = dashboardOf(issueWith(writes));
  const read = await dashboard.read({ sha, ledger: { ...EMPTY, writes: 5 } });
  expect(read.type).toBe(type);
  if (read.type === "set back") expect(read.error.message).toContain("was set back");
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
