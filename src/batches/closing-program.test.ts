import { describe, expect, test } from "vitest";
import {
  AT,
  EMPTY,
  group,
  LINK,
  NOW,
  pendingComment,
  polled,
  RULES,
  revision,
  running,
} from "../../test/support/ledger-examples.ts";
import { timeText, unchanged } from "../ledger/file.ts";
import type { BasicResult } from "../ledger/program.ts";
import { ClosingProgram, type ClosingResult } from "./closing-program.ts";
import { claimDashboard, recordOpened } from "./dashboard-issue.ts";
import type { DashboardState, Ledger, PendingComment } from "./model/ledger.ts";

const RUN = "1-1-a";
const MOMENT = { now: NOW, name: `${RUN}.1` };
const PROGRAM = new ClosingProgram({
  rules: RULES,
  runName: RUN,
  comment: async () => ({ type: "settled" }),
  openDashboard: async () => ({ type: "opened", number: 7 }),
});
const CLAIMED: DashboardState = { type: "claimed", by: RUN, until: timeText(NOW + 600_000) };

function decide(over: Partial<Ledger>, moment = MOMENT) {
  return PROGRAM.decide(unchanged({ ...EMPTY, ...over }), null, moment);
}

describe("the end of a run", () => {
  const [one, two] = [pendingComment(1), pendingComment(2)];
  const pendingComments = [one, two];
  const claimed = decide({ pendingComments }).ledger;
  const first = { type: "comment", id: `${RUN}.1.comment.0` };
  const second = { type: "comment", id: `${RUN}.1.comment.1` };

  test("claims a comment for each merged pull request, then opens the claimed dashboard", () => {
    const { acts, ledger, events } = decide({ pendingComments, dashboard: CLAIMED });
    expect(acts.map(({ type, id }) => `${type} ${id}`)).toEqual([
      `comment ${first.id}`,
      `comment ${second.id}`,
      `open dashboard ${RUN}`,
    ]);
    expect(acts[1]).toMatchObject({ pendingComment: two });
    expect(ledger.pendingComments).toEqual([
      { ...one, claim: { id: first.id, at: AT } },
      { ...two, claim: { id: second.id, at: AT } },
    ]);
    expect(events).toEqual(["Claim the comments on #1 and #2"]);
  });

  test("claims nothing that another run has claimed", () => {
    const other = { now: NOW, name: "2-1-b.1" };
    const { acts, ledger, events } = decide({ ...claimed }, other);
    expect({ acts, ledger, events }).toEqual({ acts: [], ledger: claimed, events: [] });
    const added = decide(
      { pendingComments: [...claimed.pendingComments, pendingComment(3)] },
      other,
    ).ledger.pendingComments;
    expect(added.map(({ claim }) => claim?.id)).toEqual([first.id, second.id, "2-1-b.1.comment.0"]);
    expect(PROGRAM.holds(claimed, first)).toBe(true);
    expect(PROGRAM.holds(claimed, { ...first, id: "2-1-b.1.comment.0" })).toBe(false);
  });

  test("takes over what a dead run has claimed, which may have been written", () => {
    const { ledger } = PROGRAM.expire(unchanged(claimed), () => true);
    expect(ledger.pendingComments).toEqual(
      pendingComments.map((entry) => ({ ...entry, tries: 1 })),
    );
    expect(PROGRAM.expire(unchanged(claimed), () => false).ledger).toEqual(claimed);
    const claim = { id: "2-1-b.1.comment.0", at: "2026-11-22T12:05:00Z" };
    const alive = [{ ...two, claim }, pendingComment(3)];
    const mixed = { ...EMPTY, pendingComments: [...claimed.pendingComments.slice(0, 1), ...alive] };
    const after = PROGRAM.expire(unchanged(mixed), (at) => at === AT).ledger.pendingComments;
    expect(after).toEqual([{ ...one, tries: 1 }, ...alive]);
  });

  type Result = ClosingResult | BasicResult;
  test("gives up what was left without an answer in 24 runs, and what was refused in three", () => {
    const inRuns = (begin: PendingComment, result: Result) => {
      let entry = begin;
      for (let run = 1; ; run++) {
        const id = `${run}`;
        const held = { ...EMPTY, pendingComments: [{ ...entry, claim: { id, at: AT } }] };
        const { ledger } = PROGRAM.record(unchanged(held), { type: "comment", id }, result, NOW);
        const [after] = ledger.pendingComments;
        if (after === undefined) return run;
        entry = after;
      }
    };
    expect(inRuns(one, { type: "not settled" })).toBe(24);
    expect(inRuns(one, { type: "uncertain", reason: "lost" })).toBe(24);
    expect(inRuns(one, { type: "not allowed" })).toBe(3);
    const last = { ...EMPTY, pendingComments: [{ ...one, tries: 23, claim: { id: "1", at: AT } }] };
    expect(PROGRAM.expire(unchanged(last), () => true).ledger.pendingComments).toEqual([]);
  });

  test("comments on at most 20 pull requests, and opens no dashboard of another run", () => {
    const many = Array.from({ length: 30 }, (_, nth) => pendingComment(nth));
    const { acts, ledger } = decide({
      pendingComments: many,
      dashboard: { ...CLAIMED, by: "2-1-b" },
    });
    expect(acts.map(({ type }) => type)).toEqual(Array(20).fill("comment"));
    expect(ledger.pendingComments.filter(({ claim }) => claim === null)).toHaveLength(10);
  });

  test.each<[Result, PendingComment[]]>([
    [{ type: "settled" }, [two]],
    [{ type: "not allowed" }, [two, { ...one, refusals: 1 }]],
    [{ type: "not settled" }, [two, { ...one, tries: 1 }]],
    [{ type: "uncertain", reason: "lost" }, [two, { ...one, tries: 1 }]],
    [{ type: "limited" }, pendingComments],
    [{ type: "withdrawn" }, pendingComments],
  ])("a comment that is %j is recorded twice like once", (result, left) => {
    const once = PROGRAM.record(unchanged(claimed), first, result, NOW);
    const free = once.ledger.pendingComments.map((entry) => ({ ...entry, claim: null }));
    expect(free).toEqual(left);
    const claims = once.ledger.pendingComments.filter(({ claim }) => claim !== null);
    expect(claims.map(({ change: { key } }) => key)).toEqual(["1#2"]);
    const twice = PROGRAM.record(unchanged(once.ledger), first, result, NOW);
    expect(twice).toEqual(unchanged(once.ledger));
  });

  test("a comment that the token may not write is tried in three runs", () => {
    let ledger: Ledger = { ...EMPTY, pendingComments: pendingComments.slice(0, 1) };
    for (let run = 1; run <= 3; run++) {
      expect(ledger.pendingComments).toHaveLength(1);
      ledger = PROGRAM.decide(unchanged(ledger), null, MOMENT).ledger;
      ledger = PROGRAM.record(unchanged(ledger), first, { type: "not allowed" }, NOW).ledger;
    }
    expect(ledger.pendingComments).toEqual([]);
  });

  test("no more comments are written after a limit, and the dashboard is opened", () => {
    const { acts } = decide({ pendingComments, dashboard: CLAIMED });
    const goOn = (result: ClosingResult) =>
      acts.map((act) => PROGRAM.goesOn(act, [{ act, result }]));
    expect(goOn({ type: "limited" })).toEqual([false, false, true]);
    expect(goOn({ type: "settled" })).toEqual([true, true, true]);
  });

  test.each<[BasicResult, DashboardState]>([
    [{ type: "withdrawn" }, { type: "none" }],
    [{ type: "uncertain", reason: "lost" }, CLAIMED],
  ])("of a dashboard whose opening is %j, the ledger says so", (result, dashboard) => {
    const ledger = { ...EMPTY, pendingComments, dashboard: CLAIMED };
    const act = { type: "open dashboard", id: RUN };
    const recorded = PROGRAM.record(unchanged(ledger), act, result, NOW);
    expect(recorded.ledger).toEqual({ ...ledger, dashboard });
  });

  test("several comments are one event", () => {
    const settled = { type: "settled" } as const;
    const once = PROGRAM.record(unchanged(claimed), first, settled, NOW);
    const both = PROGRAM.record(once, second, settled, NOW);
    expect(both.events).toEqual(["Comment on pull requests"]);
    expect(both.ledger.pendingComments).toEqual([]);
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
    closedBy: null,
    closedAt: null,
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
