import { describe, expect, test } from "vitest";
import { jobOf as recordOf } from "../../test/support/job.ts";
import {
  change,
  doneDraft,
  EMPTY,
  group,
  intendedBatch,
  NOW,
  RULES,
  review,
  runningBatch,
} from "../../test/support/ledger-examples.ts";
import type { Draft, Ledger } from "../batches/model/ledger.ts";
import type { Delivery } from "../job/send.ts";
import { unchanged } from "../ledger/file.ts";
import type { BasicResult } from "../ledger/program.ts";
import { DraftProgram } from "./draft-program.ts";

const DRAFTED = { ...change(1), sha: "head", landedAt: "" };
const MOMENT = { now: NOW, name: "1-1-a.1" };
const ACT = { type: "hand over", id: "1-1-a.1.0" };
const ACCEPTED: Delivery = {
  type: "accepted",
  job: { ...recordOf("active"), id: "job" },
  isFollowUp: false,
};

function programOf(isClosed = false): DraftProgram {
  const issue = {
    number: 7,
    body: "",
    isLabelled: true,
    isClosed,
    closedBy: null,
    closedAt: null,
  };
  const dashboard = { issue, mayOpen: true, warning: null };
  const run = {
    dashboard: { read: async () => ({ type: "dashboard", dashboard }) as const },
    address: { rules: RULES, runName: "1-1-a" },
  };
  return new DraftProgram(run, DRAFTED, "Prepare it.", async () => ACCEPTED);
}

describe("a draft", () => {
  const program = programOf();
  const decide = (ledger: Ledger) => program.decide(unchanged(ledger), null, MOMENT);

  test("is requested with an intent", () => {
    const { ledger, acts, events, notes } = decide(EMPTY);
    expect(notes).toEqual({ type: "requested" });
    expect(acts).toEqual([{ ...ACT, changes: [DRAFTED], jobId: null, prompt: "Prepare it." }]);
    expect(ledger.drafts).toMatchObject([{ id: ACT.id, state: "intended", changes: [DRAFTED] }]);
    expect(ledger.starts).toHaveLength(1);
    expect(events).toEqual(["Draft the documentation of #1"]);
    expect(program.holds(ledger, ACT)).toBe(true);
  });

  test.each<[string, Draft]>([
    ["about to be requested", intendedBatch("d", [DRAFTED])],
    ["at work", runningBatch("d", [DRAFTED])],
    ["done", doneDraft("d", [DRAFTED])],
  ])("that is %s is not requested again", (_, draft) => {
    const begun = { ...EMPTY, drafts: [draft] };
    expect(decide(begun)).toEqual({
      ...unchanged(begun),
      acts: [],
      notes: { type: "existing", draft },
    });
  });

  test.each<[string, Partial<Ledger>]>([
    ["waits", { waiting: [group(1)] }],
    ["is at work", { batches: [runningBatch("b", [change(1)])] }],
    ["is in review", { reviews: [review({ changes: [change(1)] })] }],
  ])("of a merged pull request that %s is not requested", (_, fields) => {
    const begun = { ...EMPTY, ...fields };
    expect(decide(begun)).toEqual({ ...unchanged(begun), acts: [], notes: { type: "merged" } });
  });

  test.each<[string, Delivery | BasicResult, object]>([
    ["accepted", ACCEPTED, { drafts: [{ state: "running", job: { id: "job" } }] }],
    ["limited", { type: "limited" }, { drafts: [], starts: [], waiting: [] }],
    ["withdrawn", { type: "withdrawn" }, { drafts: [], starts: [], waiting: [] }],
    ["uncertain", { type: "uncertain", reason: "lost" }, { drafts: [{ state: "uncertain" }] }],
  ])("that was %s is recorded, twice like once", (_, result, expected) => {
    const { ledger } = decide(EMPTY);
    const once = program.record(unchanged(ledger), ACT, result, NOW);
    expect(once.ledger).toMatchObject(expected);
    const twice = program.record(unchanged(once.ledger), ACT, result, NOW);
    expect(twice).toEqual(unchanged(once.ledger));
  });

  test("whose run died may have been requested", () => {
    const { ledger } = decide(EMPTY);
    const expired = program.expire(unchanged(ledger), () => true).ledger;
    expect(expired.drafts).toMatchObject([{ state: "uncertain" }]);
    expect(program.holds(expired, ACT)).toBe(false);
  });

  test("is not requested after too many failures, until somebody goes on", async () => {
    const halt = { type: "failed", id: "halt b", count: 3, jobId: "job" } as const;
    const ledger = { ...EMPTY, failures: { jobs: 3, refusals: 0, halt } };
    expect(await program.read({ sha: null, ledger })).toEqual({
      type: "stopped",
      stop: "too many jobs in a row failed",
    });
  });

  test("is not requested while the dashboard is closed", async () => {
    const head = { sha: null, ledger: EMPTY };
    expect(await programOf(true).read(head)).toEqual({
      type: "stopped",
      stop: "the dashboard is closed",
    });
    expect(await program.read(head)).toEqual({ type: "facts", facts: null });
  });
});
