import { describe, expect, test } from "vitest";
import {
  AT,
  change,
  EMPTY,
  group,
  LINK,
  NOW,
  polled,
  RULES,
  revision,
  running,
} from "../../../test/support/ledger-examples.ts";
import { timeText, unchanged } from "../model/file.ts";
import type { DashboardState, Ledger } from "../model/ledger.ts";
import { ClosingProgram, type ClosingResult } from "./closing-program.ts";
import { claimDashboard, recordOpened } from "./dashboard-issue.ts";

const RUN = "1-1-a";
const PROGRAM = new ClosingProgram({
  rules: RULES,
  runName: RUN,
  comment: async () => true,
  openDashboard: async () => ({ type: "opened", number: 7 }),
});
const untold = [1, 2].map((nth) => ({ change: change(nth), prLink: LINK, job: "job" }));
const CLAIMED: DashboardState = { type: "claimed", by: RUN, until: timeText(NOW + 600_000) };

describe("the end of a run", () => {
  test("has a comment for each merged pull request, then opens the claimed dashboard", () => {
    const { acts, ledger } = PROGRAM.decide(unchanged({ ...EMPTY, untold, dashboard: CLAIMED }));
    expect(acts.map(({ type, id }) => `${type} ${id}`)).toEqual([
      "comment 1#1",
      "comment 1#2",
      `open dashboard ${RUN}`,
    ]);
    expect(ledger).toEqual({ ...EMPTY, untold, dashboard: CLAIMED });
  });

  test("comments on at most 20 pull requests, and opens no dashboard of another run", () => {
    const many = Array.from({ length: 30 }, (_, nth) => ({
      change: change(nth),
      prLink: null,
      job: "job",
    }));
    const dashboard: DashboardState = { ...CLAIMED, by: "2-1-b" };
    const { acts } = PROGRAM.decide(unchanged({ ...EMPTY, untold: many, dashboard }));
    expect(acts.map(({ type }) => type)).toEqual(Array(20).fill("comment"));
  });

  test.each<[string, ClosingResult, number]>([
    ["written", { type: "settled" }, 1],
    ["not written", { type: "not settled" }, 2],
  ])("a comment that was %s, recorded twice", (_, result, left) => {
    const act = { type: "comment", id: "1#1" };
    const once = PROGRAM.record(unchanged({ ...EMPTY, untold }), act, result, NOW);
    expect(once.ledger.untold).toHaveLength(left);
    const twice = PROGRAM.record(unchanged(once.ledger), act, result, NOW);
    expect(twice).toEqual(unchanged(once.ledger));
  });

  test("several comments are one event", () => {
    const settled = { type: "settled" } as const;
    const begun = unchanged<Ledger>({ ...EMPTY, untold });
    const once = PROGRAM.record(begun, { type: "comment", id: "1#1" }, settled, NOW);
    const both = PROGRAM.record(once, { type: "comment", id: "1#2" }, settled, NOW);
    expect(both.events).toEqual(["Comment on pull requests"]);
    expect(both.ledger.untold).toEqual([]);
  });

  test("the end of a job that a run waited for is recorded once", () => {
    const act = { type: "wait", id: "b" };
    const result = { type: "polled", polled: polled("done", LINK) } as const;
    const once = PROGRAM.record(unchanged(running(1)), act, result, NOW);
    expect(once.ledger).toMatchObject({ batches: [], reviews: [{ prLink: LINK }] });
    expect(once.history).toHaveLength(1);
    const twice = PROGRAM.record(unchanged(once.ledger), act, result, NOW);
    expect(twice).toEqual(unchanged(once.ledger));
  });
});

describe("a dashboard", () => {
  const facts = { issue: null, mayOpen: true, warning: null };
  const issue = {
    number: 9,
    body: "",
    isLabelled: true,
    isClosed: false,
    closedBy: "",
    closedAt: "",
  };
  const shown = { ...EMPTY, waiting: [group(1)] };

  test.each<[string, Ledger, Partial<typeof facts>, DashboardState]>([
    ["is claimed if there is something to show", shown, {}, CLAIMED],
    ["is not claimed if there is nothing to show", EMPTY, {}, { type: "none" }],
    ["is not claimed if none may be opened", shown, { mayOpen: false }, { type: "none" }],
  ])("%s", (_, ledger, over, expected) => {
    const after = claimDashboard(revision(ledger), { ...facts, ...over }, RUN);
    expect(after.ledger.dashboard).toEqual(expected);
  });

  test.each<[string, DashboardState, boolean]>([
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

  test.each<[string, Parameters<typeof recordOpened>[2], DashboardState]>([
    ["opened", { type: "opened", number: 7 }, { type: "open", number: 7 }],
    [
      "refused",
      { type: "denied", reason: "no" },
      { type: "refused", until: "2026-11-23T12:00:00Z" },
    ],
    ["not opened", { type: "withdrawn" }, { type: "none" }],
    ["perhaps opened", { type: "uncertain", reason: "lost" }, CLAIMED],
  ])(
    "that was %s is recorded for the run that claimed it, and for no other",
    (_, opened, state) => {
      const claimed = revision({ ...EMPTY, dashboard: CLAIMED });
      expect(recordOpened(claimed, RUN, opened).ledger.dashboard).toEqual(state);
      expect(recordOpened(claimed, "2-1-b", opened)).toEqual(claimed);
    },
  );
});
