import { describe, expect, test } from "vitest";
import {
  ACTION,
  FACTS,
  type Facts,
  ISSUE,
  MOMENT,
  PORT,
  RUN,
} from "../../test/support/batch-port.ts";
import { jobOf as recordOf } from "../../test/support/job.ts";
import {
  AT,
  change,
  EMPTY,
  group,
  HOUR,
  intendedBatch,
  LINK,
  MINUTE,
  NOW,
  polled,
  RULES,
  review,
  running,
  runningBatch,
  waiting,
} from "../../test/support/ledger-examples.ts";
import type { Delivery } from "../job/send.ts";
import { unchanged } from "../ledger/file.ts";
import { ActionError } from "../runtime/errors.ts";
import { type BatchPort, BatchProgram } from "./batch-program.ts";
import type { Ledger } from "./model/ledger.ts";
import { revisionOf } from "./model/revision.ts";

const PROGRAM = new BatchProgram(PORT, ACTION);
const ACCEPTED: Delivery = {
  type: "accepted",
  job: { ...recordOf("active"), id: "job" },
  isFollowUp: false,
};
const NOT_STARTED: Delivery = {
  type: "not-started",
  error: new ActionError("service-unavailable", "The service was not reached."),
};
const REFUSED_KEY: Delivery = {
  type: "refused",
  by: "key",
  error: new ActionError("unauthorized", "The key was not accepted."),
};

function decide(ledger: Ledger, facts: Partial<Facts> = {}, moment = MOMENT) {
  return PROGRAM.decide(unchanged(ledger), { ...FACTS, ...facts }, moment);
}

describe("a plan", () => {
  test("has an intent and an act for each batch, named after the decision", () => {
    const { ledger, acts, events, notes } = decide({ ...EMPTY, waiting: [group(1), group(2)] });
    const ids = [`${RUN}.1.0`, `${RUN}.1.1`];
    expect(acts).toEqual(
      ids.map((id, nth) => ({
        type: "hand over",
        id,
        changes: [change(nth + 1)],
        jobId: null,
        prompt: "Document it.",
        refusedBefore: 0,
      })),
    );
    expect(ledger.batches).toMatchObject(ids.map((id) => ({ id, state: "intended", at: AT })));
    expect(ledger).toMatchObject({ waiting: [], starts: [{ batch: ids[0] }, { batch: ids[1] }] });
    expect(events).toEqual(["Hand over 2 changes: #1 and #2"]);
    expect(notes).toMatchObject({ reason: "idle", before: { waiting: [{}, {}] } });
  });

  test("has acts that say how many requests were refused before", () => {
    const failures = { ...EMPTY.failures, refusals: 2 };
    const { acts } = decide({ ...EMPTY, failures, waiting: [group(1)] });
    expect(acts).toMatchObject([{ refusedBefore: 2 }]);
  });

  test("hands nothing over while another run is about to send", () => {
    const batches = [intendedBatch("other", [change(9)])];
    const { ledger, acts, notes } = decide({ ...EMPTY, batches, waiting: [group(1)] });
    expect(acts).toEqual([]);
    expect(ledger.waiting).toHaveLength(1);
    expect(notes.reason).toBe("busy");
  });

  test("records first what has ended, and hands over what came back", () => {
    const polls = new Map([["b", polled("failed")]]);
    const plan = decide(running(2), { batches: { ...FACTS.batches, polls } });
    expect(plan.acts.map(({ changes }) => changes.map(({ key }) => key))).toEqual([
      ["1#1"],
      ["1#2"],
    ]);
    expect(plan.notes.finished).toMatchObject([{ batch: "b", state: "failed" }]);
    expect(plan.history).toEqual(plan.notes.finished);
  });

  test("claims the dashboard once there is something to show", () => {
    const claimed = { type: "claimed", by: RUN, until: "2026-11-22T12:10:00Z" };
    expect(decide({ ...EMPTY, waiting: [group(1)] }).ledger.dashboard).toEqual(claimed);
    expect(decide(EMPTY).ledger.dashboard).toEqual({ type: "none" });
  });

  test("depends on its ledger, facts and moment alone", () => {
    const ledger = { ...EMPTY, waiting: [group(1)] };
    const before = structuredClone(ledger);
    expect(decide(ledger)).toEqual(decide(ledger));
    expect(ledger).toEqual(before);
    const later = decide(ledger, {}, { now: NOW + HOUR, name: `${RUN}.2` });
    expect(later.ledger.batches).toMatchObject([{ id: `${RUN}.2.0`, at: "2026-11-22T13:00:00Z" }]);
  });
});

describe("a record", () => {
  const act = { type: "hand over", id: "b" };
  const intended: Ledger = {
    ...EMPTY,
    batches: [intendedBatch("b", [change(1)])],
    starts: [{ batch: "b", at: AT }],
  };
  const uncertain = { type: "uncertain", reason: "lost" } as const;

  test.each<[string, Delivery | typeof uncertain, Partial<Ledger> | object]>([
    ["an accepted request", ACCEPTED, { batches: [{ state: "running", job: { id: "job" } }] }],
    ["an uncertain request", uncertain, { batches: [{ state: "uncertain", reason: "lost" }] }],
    ["a limit", { type: "limited" }, { batches: [], starts: [], waiting: [{ attempts: 0 }] }],
    ["a busy job", { type: "busy" }, { batches: [], starts: [], waiting: [{ attempts: 0 }] }],
    ["a request that started nothing", NOT_STARTED, { batches: [], starts: [], waiting: [{}] }],
    ["a refused key", REFUSED_KEY, { batches: [], starts: [], waiting: [{ attempts: 0 }] }],
  ])("of %s, applied twice, is the same as once", (_, result, expected) => {
    const once = PROGRAM.record(unchanged(intended), act, result, NOW);
    expect(once.ledger).toMatchObject(expected);
    const twice = PROGRAM.record(unchanged(once.ledger), act, result, NOW + MINUTE);
    expect(twice).toEqual(unchanged(once.ledger));
  });

  test("merges onto what another run wrote meanwhile", () => {
    const others = { batches: [runningBatch("c", [change(2)]), ...intended.batches] };
    const { ledger } = PROGRAM.record(unchanged({ ...intended, ...others }), act, ACCEPTED, NOW);
    expect(ledger.batches).toMatchObject([
      { id: "c", state: "running", job: { id: "job-c" } },
      { id: "b", state: "running", job: { id: "job" } },
    ]);
  });

  test("of a batch that the ledger no longer has changes nothing", () => {
    expect(PROGRAM.record(unchanged(EMPTY), act, ACCEPTED, NOW)).toEqual(unchanged(EMPTY));
  });

  test("of a job replaces a doubt, and a doubt replaces no job", () => {
    const doubted = PROGRAM.record(unchanged(intended), act, uncertain, NOW).ledger;
    const known = PROGRAM.record(unchanged(doubted), act, ACCEPTED, NOW).ledger;
    expect(known.batches).toMatchObject([{ state: "running", job: { id: "job" } }]);
    expect(PROGRAM.record(unchanged(known), act, uncertain, NOW)).toEqual(unchanged(known));
  });

  test("of a refused key gives the claim of the dashboard back", () => {
    const dashboard = { type: "claimed", by: RUN, until: AT } as const;
    const { ledger } = PROGRAM.record(unchanged({ ...intended, dashboard }), act, REFUSED_KEY, NOW);
    expect(ledger.dashboard).toEqual({ type: "none" });
  });
});

test("intents of dead runs become uncertain, and a held intent is found by its ID", () => {
  const ledger: Ledger = { ...EMPTY, batches: [intendedBatch("b", [change(1)])] };
  expect(PROGRAM.holds(ledger, { type: "hand over", id: "b" })).toBe(true);
  expect(PROGRAM.holds(ledger, { type: "hand over", id: "c" })).toBe(false);
  const expired = PROGRAM.expire(unchanged(ledger), () => true).ledger;
  expect(expired.batches).toMatchObject([{ state: "uncertain" }]);
  expect(PROGRAM.holds(expired, { type: "hand over", id: "b" })).toBe(false);
});

test("an act follows as long as its action goes on", () => {
  const [act] = decide({ ...EMPTY, waiting: [group(1)] }).acts;
  if (act === undefined) throw new Error("nothing is handed over");
  expect(PROGRAM.goesOn(act, [])).toBe(true);
  expect(PROGRAM.goesOn(act, [{ act, result: ACCEPTED }])).toBe(false);
});

describe("a reading", () => {
  const issue = { ...ISSUE, isClosed: true, closedBy: "writer", closedAt: "2026-11-21" };
  const readWith = (port: Partial<BatchPort>) =>
    new BatchProgram({ ...PORT, ...port }, ACTION).read({ sha: null, ledger: EMPTY });
  const closed: BatchPort["dashboard"] = {
    read: async () => ({ type: "dashboard", dashboard: { ...FACTS.dashboard, issue } }),
  };

  test("stops at a closed dashboard, and says since when and by whom", async () => {
    expect(await readWith({ dashboard: closed })).toMatchObject({
      type: "stopped",
      stop: {
        type: "paused",
        reason:
          "The dashboard was closed by `writer` on 2026-11-21, so nothing is handed over. Reopen it to continue.",
      },
    });
  });

  test("stops if the edited issue is not the dashboard", async () => {
    const settings = { isDryRun: false, edit: { type: "edited", issue: 8, body: "" } } as const;
    const read = await readWith({ settings });
    expect(read).toMatchObject({ type: "stopped", stop: { type: "idle" } });
  });

  test.each<[string, typeof ISSUE | null]>([
    ["was read", { ...ISSUE, number: 8 }],
    ["only the ledger knows", null],
  ])("goes on if the edited issue is the dashboard, which %s", async (_, known) => {
    const settings = { isDryRun: false, edit: { type: "edited", issue: 8, body: "" } } as const;
    const dashboard: BatchPort["dashboard"] = {
      read: async () => ({ type: "dashboard", dashboard: { ...FACTS.dashboard, issue: known } }),
    };
    const program = new BatchProgram({ ...PORT, settings, dashboard }, ACTION);
    const ledger: Ledger = { ...EMPTY, dashboard: { type: "open", number: 8 } };
    expect(await program.read({ sha: null, ledger })).toMatchObject({ type: "facts" });
  });

  test("polls each running batch once, even if it decides several times", async () => {
    const polls: string[] = [];
    const poll: BatchPort["poll"] = async ({ id }) => {
      polls.push(id);
      return polled("running");
    };
    const program = new BatchProgram({ ...PORT, poll }, ACTION);
    const ledger = running(1);
    for (let attempt = 1; attempt <= 3; attempt++) await program.read({ sha: null, ledger });
    expect(polls).toEqual(["b"]);
    expect(waiting(revisionOf(ledger, NOW, RULES))).toEqual([]);
  });

  test("after other runs wrote first polls their batches, too, and no other batch again", async () => {
    const [polls, links]: [string[], string[]] = [[], []];
    const program = new BatchProgram(
      {
        ...PORT,
        poll: async ({ id }) => {
          polls.push(id);
          return id === "c" ? polled("failed") : polled("done", LINK);
        },
        readPullState: async (link) => {
          links.push(link);
          return "open";
        },
        readPullEnd: async (link) => {
          links.push(link);
          return { state: "open", lastCommitAt: null, hasLaterCommits: null };
        },
      },
      ACTION,
    );
    const own = runningBatch("b", [change(1)]);
    const first: Ledger = { ...EMPTY, batches: [own], reviews: [review({ prLink: `${LINK}7` })] };
    const newer: Ledger = { ...first, batches: [own, runningBatch("c", [change(2)])] };
    await program.read({ sha: "first", ledger: first });
    const read = await program.read({ sha: "newer", ledger: newer });
    expect(polls).toEqual(["b", "c"]);
    expect(links).toEqual([LINK, `${LINK}7`]);
    if (read.type !== "facts") throw new Error(read.type);
    expect([...read.facts.batches.polls.keys()]).toEqual(["b", "c"]);
    const { notes } = PROGRAM.decide(unchanged(newer), read.facts, MOMENT);
    expect(notes.finished).toMatchObject([{ batch: "b" }, { batch: "c", state: "failed" }]);
  });

  test("of a ledger in which a batch has ended meanwhile says nothing of it", async () => {
    const program = new BatchProgram({ ...PORT, poll: async () => polled("failed") }, ACTION);
    await program.read({ sha: "first", ledger: running(1) });
    const read = program.read({ sha: "newer", ledger: EMPTY });
    await expect(read).resolves.toMatchObject({ facts: { batches: { polls: new Map() } } });
  });
});
