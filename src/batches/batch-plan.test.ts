import { describe, expect, test } from "vitest";
import {
  ISSUE,
  MOMENT,
  NO_DASHBOARD,
  RUN,
  readsOf,
  SETTINGS,
} from "../../test/support/batch-reads.ts";
import {
  AT,
  change,
  EMPTY,
  group,
  HALTED,
  intendedBatch,
  LINK,
  NOW,
  pendingComment,
  polled,
  review,
  revision,
  running,
  runningBatch,
  unread,
} from "../../test/support/ledger-examples.ts";
import { timeText, unchanged } from "../ledger/file.ts";
import { known } from "../runtime/fact.ts";
import { obstacleIn, planClosing, planOf, readDashboard } from "./batch-plan.ts";
import type { BatchReads } from "./batch-reads.ts";
import type { Ledger } from "./model/ledger.ts";
import type { BatchRevision } from "./model/revision.ts";
import type { PlanSettings } from "./settings.ts";

const IDLE = { reason: { code: "nothing-new" }, warnings: [] } as const;

describe("the dashboard", () => {
  const closed = { ...ISSUE, isClosed: true, closedBy: "writer", closedAt: "2026-11-21" };
  const edit = { type: "edited", issue: 8, body: "" } as const;
  const open: Partial<Ledger> = { dashboard: { type: "open", number: 8 } };
  const known = (issue: typeof ISSUE) => ({ type: "known", value: issue }) as const;

  test.each<[string, Awaited<ReturnType<BatchReads["dashboard"]>>, Partial<PlanSettings>, object]>([
    [
      "that is closed pauses everything",
      known(closed),
      {},
      {
        type: "stopped",
        notes: { reason: { code: "paused", by: "writer", at: "2026-11-21" } },
      },
    ],
    [
      "that is not the edited issue ends the run",
      known(ISSUE),
      { edit },
      { type: "stopped", notes: { reason: { code: "other-issue" } } },
    ],
    [
      "that is the edited issue goes on",
      known({ ...ISSUE, number: 8 }),
      { edit },
      { type: "dashboard", dashboard: { issue: { number: 8 } } },
    ],
    [
      "that cannot be read goes on without it",
      unread("refused", "no"),
      {},
      { type: "dashboard", dashboard: { issue: null, mayOpen: false, unread: "no" } },
    ],
  ])("%s", async (_, read, over, expected) => {
    const reads = readsOf({ dashboard: async () => read });
    expect(await readDashboard(unchanged(EMPTY), reads, { ...SETTINGS, ...over })).toMatchObject(
      expected,
    );
  });

  test("goes on if only the ledger knows that the edited issue is its dashboard", async () => {
    const checked = readDashboard(unchanged({ ...EMPTY, ...open }), readsOf(), {
      ...SETTINGS,
      edit,
    });
    expect(await checked).toMatchObject({ type: "dashboard" });
  });
});

test.each<[string, Partial<Ledger>, string | null]>([
  ["nothing", {}, null],
  ["a batch at work", { batches: [runningBatch("b", [change(1)])] }, null],
  ["an intent", { batches: [intendedBatch("b", [change(1)])] }, "other-run"],
  ["a halt", { failures: HALTED }, "halted"],
])("%s is an obstacle to every hand-over, or not", (_, ledger, code) => {
  expect(obstacleIn(revision({ ...EMPTY, ...ledger }), NO_DASHBOARD)?.code ?? null).toBe(code);
});

describe("a plan", () => {
  /** The plan to hand over each waiting group by itself. */
  function planned(begun: BatchRevision, jobId: string | null = null) {
    const wishes = begun.ledger.waiting.map(({ changes, origin, attempts, followUp }) => {
      return { changes, origin, attempt: attempts + 1, followUp, jobId, prompt: "Document it." };
    });
    const decision = { revision: begun, wishes, own: IDLE };
    const facts = { revision: begun, polls: new Map(), isNoneFound: false };
    const found = { dashboard: NO_DASHBOARD, facts, warnings: [] };
    const result = planOf(unchanged(EMPTY), decision, found, MOMENT, SETTINGS);
    if (result.type !== "plan") throw new Error(result.type);
    return result.plan;
  }

  test("has an intent and an act for each batch, named after the plan", () => {
    const begun = revision({ ...EMPTY, waiting: [group(1), group(2)] });
    const { ledger, acts, events, notes } = planned(begun);
    const ids = [`${RUN}.1.0`, `${RUN}.1.1`];
    expect(acts).toEqual(
      ids.map((id, nth) => ({
        type: "start",
        id,
        changes: [change(nth + 1)],
        prompt: "Document it.",
      })),
    );
    expect(ledger.batches).toMatchObject(ids.map((id) => ({ id, state: "intended", at: AT })));
    expect(ledger).toMatchObject({ waiting: [], starts: [{ batch: ids[0] }, { batch: ids[1] }] });
    expect(events).toEqual(["Hand over 2 changes: #1 and #2"]);
    expect(notes.before.waiting).toHaveLength(2);
  });

  test("tells a follow-up from a start, also in its intent", () => {
    const begun = revision({ ...EMPTY, waiting: [group(1)] });
    const { acts, ledger } = planned(begun, "job");
    expect(acts).toMatchObject([{ type: "follow-up", jobId: "job" }]);
    expect(ledger.batches).toMatchObject([{ state: "intended", sentTo: "job" }]);
  });

  test("claims the dashboard once there is something to show", () => {
    const claimed = { type: "claimed", by: RUN, until: "2026-11-22T12:10:00Z" };
    const begun = revision({ ...EMPTY, waiting: [group(1)] });
    expect(planned(begun).ledger.dashboard).toEqual(claimed);
    expect(planned(revision(EMPTY)).ledger.dashboard).toEqual({ type: "none" });
  });

  test("depends on its parameters alone", () => {
    const begun = revision({ ...EMPTY, waiting: [group(1)] });
    const before = structuredClone(begun);
    expect(planned(begun)).toEqual(planned(begun));
    expect(begun).toEqual(before);
  });
});

describe("the end of a run", () => {
  const [one, two] = [pendingComment(1), pendingComment(2)];
  const pendingComments = [one, two];
  const claimedBy = (by: string): Ledger["dashboard"] => {
    return { type: "claimed", by, until: timeText(NOW + 600_000) };
  };

  async function closing(
    ledger: Partial<Ledger>,
    waited: Parameters<typeof planClosing>[1] = null,
    moment = MOMENT,
    reads = readsOf(),
  ) {
    const from = unchanged({ ...EMPTY, ...ledger });
    const result = await planClosing(from, waited, reads, moment, SETTINGS);
    if (result.type !== "plan") throw new Error(result.type);
    return result.plan;
  }

  test("claims a comment for each merged pull request, then opens the claimed dashboard", async () => {
    const { acts, ledger, events } = await closing({ pendingComments, dashboard: claimedBy(RUN) });
    const [first, second] = [`${RUN}.1.comment.0`, `${RUN}.1.comment.1`];
    expect(acts).toEqual([
      { type: "comment", id: first, pending: one },
      { type: "comment", id: second, pending: two },
      { type: "open-dashboard", id: RUN },
    ]);
    expect(ledger.pendingComments).toEqual([
      { ...one, claim: { id: first, at: AT } },
      { ...two, claim: { id: second, at: AT } },
    ]);
    expect(events).toEqual(["Claim the comments on #1 and #2"]);
  });

  test("claims nothing that another run has claimed", async () => {
    const claimed = (await closing({ pendingComments })).ledger;
    const other = { now: NOW, name: "2-1-b.1" };
    const { acts, ledger, events } = await closing(claimed, null, other);
    expect({ acts, ledger, events }).toEqual({ acts: [], ledger: claimed, events: [] });
    const more = { pendingComments: [...claimed.pendingComments, pendingComment(3)] };
    const ids = (await closing(more, null, other)).ledger.pendingComments.map(
      ({ claim }) => claim?.id,
    );
    expect(ids.at(-1)).toBe("2-1-b.1.comment.0");
  });

  test("comments on at most 20 pull requests, and opens no dashboard of another run", async () => {
    const many = Array.from({ length: 30 }, (_, nth) => pendingComment(nth));
    const { acts, ledger } = await closing({
      pendingComments: many,
      dashboard: claimedBy("2-1-b"),
    });
    expect(acts.map(({ type }) => type)).toEqual(Array(20).fill("comment"));
    expect(ledger.pendingComments.filter(({ claim }) => claim === null)).toHaveLength(10);
  });

  const waited = { batch: "b", poll: polled("completed", LINK) };
  const followUp: Partial<Ledger> = {
    ...running(1, { isFollowUp: true }),
    reviews: [review()],
  };
  const late = { state: "merged", lastCommitAt: "2026-11-22T11:59:59Z" } as const;
  test.each([
    ["came too late", known({ ...late, hasLaterCommits: true }), [], 1],
    ["cannot be read in passing", unread("unanswered"), [{ state: "running" }], 0],
  ])("of a follow-up whose docs pull request %s", async (_, end, batches, waits) => {
    const reads = readsOf({ pullEnd: async () => end });
    const { ledger } = await closing(followUp, waited, MOMENT, reads);
    expect(ledger.batches).toMatchObject(batches);
    expect(ledger.waiting).toHaveLength(waits);
  });

  test("records the end of the job that the run waited for, once", async () => {
    const { ledger, notes, history } = await closing(running(1), waited);
    expect(ledger).toMatchObject({ batches: [], reviews: [{ prLink: LINK }] });
    expect(notes.finished).toMatchObject([{ batch: "b", state: "done" }]);
    expect(history).toEqual(notes.finished);
    const again = await closing(ledger, waited);
    expect({ ledger: again.ledger, ...again.notes }).toEqual({ ledger, finished: [] });
  });
});
