import { describe, expect, test } from "vitest";
import { unread } from "../../test/support/facts.ts";
import { jobOf as recordOf } from "../../test/support/job.ts";
import {
  change,
  doneDraft,
  EMPTY,
  group,
  HALTED,
  intendedBatch,
  NOW,
  RULES,
  review,
  runningBatch,
} from "../../test/support/ledger-examples.ts";
import type { StartedJob } from "../batches/model/batches.ts";
import type { Draft, Ledger } from "../batches/model/ledger.ts";
import type { Issue } from "../github/conversation/labelled-issue.ts";
import { unchanged } from "../ledger/file.ts";
import { Unavailable } from "../ledger/unavailable.ts";
import { type Delivery, notSent } from "../runtime/delivery.ts";
import { ABSENT, type Fact, known } from "../runtime/fact.ts";
import { DraftProgram, type DraftReads } from "./draft-program.ts";
import type { Approval } from "./gate-reader.ts";

const HEAD = "head";
const DRAFTED = { ...change(1), sha: HEAD, landedAt: "" };
const MOMENT = { now: NOW, name: "1-1-a.1" };
const ACT = { type: "start", id: "1-1-a.1.0", prompt: "Prepare it." } as const;
const ACCEPTED: Delivery<StartedJob> = {
  type: "accepted",
  value: { job: { ...recordOf("active"), id: "job" }, isFollowUp: false },
};
const APPROVED: Approval = {
  isReady: true,
  head: HEAD,
  labels: [],
  wasGiven: true,
  approving: ["writer"],
  objecting: [],
};
const OPEN: Issue = {
  number: 7,
  body: "",
  isLabelled: true,
  isClosed: false,
  closedBy: null,
  closedAt: null,
  isClosedByBot: false,
};

/** What a run reads beside the ledger. */
interface Answers {
  approval?: Fact<Approval>;
  dashboard?: Fact<Issue> | Error;
  defaultBranch?: Fact<string>;
}

/** @param asked gets the names of what is read */
function readsOf(answers: Answers, asked: string[] = []): DraftReads {
  const { approval = known(APPROVED), dashboard = known(OPEN) } = answers;
  return {
    approval: async () => {
      asked.push("approval");
      return approval;
    },
    commit: () => null,
    defaultBranch: async () => {
      asked.push("defaultBranch");
      return answers.defaultBranch ?? known("main");
    },
    dashboard: async () => {
      asked.push("dashboard");
      if (dashboard instanceof Error) throw dashboard;
      return dashboard;
    },
  };
}

function programOf(prompt: string | null = ACT.prompt): DraftProgram {
  const address = {
    identity: { action: "upkeep", project: "p" },
    rules: RULES,
    ref: "refs/docs-agent/upkeep/a",
    runName: "1-1-a",
    repository: "acme/code",
    githubApiUrl: "https://api.github.test",
  };
  const place = { ref: address.ref, named: null };
  const reads = () => readsOf({});
  const isPassedOver = (labels: readonly string[]) => labels.includes("skip-docs");
  const port = { address, place, reads, isPassedOver, start: async () => ACCEPTED };
  return new DraftProgram(port, DRAFTED, "main", prompt);
}

const CHANGED = { code: "changed" } as const;
const IN_HALT: Ledger = { ...EMPTY, failures: HALTED };

const SOURCE = {
  id: 1,
  repository: "acme/code",
  branch: "main",
  sha: null,
  date: "2026-11-22T12:00:00Z",
  target: null,
  readAt: null,
  wasRewritten: false,
  release: null,
};

/** What keeps a draft from being requested, in the order of the questions, and what was asked. */
const OBSTACLES: [string, Ledger, Answers, object, string[]][] = [
  ["a merge that waits", { ...EMPTY, waiting: [group(1)] }, {}, { code: "merged" }, []],
  [
    "a merge at work",
    { ...EMPTY, batches: [runningBatch("b", [change(1)])] },
    {},
    { code: "merged" },
    [],
  ],
  [
    "a merge in review",
    { ...EMPTY, reviews: [review({ changes: [change(1)] })] },
    {},
    { code: "merged" },
    [],
  ],
  ["too many failures", IN_HALT, {}, { code: "halted" }, []],
  [
    "reviews that could not be read",
    EMPTY,
    { approval: unread("unanswered") },
    { code: "no-draft", message: "The reviews could not be read: GitHub returned 500." },
    ["approval"],
  ],
  ["a closed one, or a draft", EMPTY, approvedWith({ isReady: false }), CHANGED, ["approval"]],
  ["a label", EMPTY, approvedWith({ labels: ["skip-docs"] }), CHANGED, ["approval"]],
  ["a push", EMPTY, approvedWith({ head: "other" }), CHANGED, ["approval"]],
  ["no approval", EMPTY, approvedWith({ approving: [] }), { code: "unapproved" }, ["approval"]],
  [
    "an objection",
    EMPTY,
    approvedWith({ objecting: ["octocat"] }),
    { code: "objection", login: "octocat" },
    ["approval"],
  ],
  [
    "another base than the default branch, before upkeep has run",
    EMPTY,
    { defaultBranch: known("trunk") },
    { code: "other-base", base: "main" },
    ["approval", "defaultBranch"],
  ],
  [
    "another base than the branch that upkeep reads",
    { ...EMPTY, sources: [{ ...SOURCE, branch: "trunk" }] },
    {},
    { code: "other-base", base: "main" },
    ["approval"],
  ],
  [
    "a default branch that could not be read",
    EMPTY,
    { defaultBranch: unread("unanswered") },
    { code: "no-draft", message: "The default branch could not be read: GitHub returned 500." },
    ["approval", "defaultBranch"],
  ],
  [
    "a closed dashboard",
    EMPTY,
    { dashboard: known({ ...OPEN, isClosed: true }) },
    { code: "dashboard-closed" },
    ["approval", "defaultBranch", "dashboard"],
  ],
];

function approvedWith(over: Partial<Approval>): Answers {
  return { approval: known({ ...APPROVED, ...over }) };
}

describe("a draft", () => {
  const program = programOf();
  const plan = (ledger: Ledger, answers: Answers = {}, asked: string[] = []) =>
    program.plan(unchanged(ledger), readsOf(answers, asked), MOMENT);

  /** The ledger with the draft's intent. */
  async function intended(): Promise<Ledger> {
    const planned = await plan(EMPTY);
    if (planned.type !== "plan") throw new Error(`It is ${planned.type}.`);
    return planned.plan.ledger;
  }

  test.each<[string, Answers]>([
    ["with an open dashboard", {}],
    ["without a dashboard", { dashboard: ABSENT }],
    ["with a dashboard that the token may not read", { dashboard: unread("refused") }],
  ])("is requested with an intent, %s", async (_, answers) => {
    const asked: string[] = [];
    const planned = await plan(EMPTY, answers, asked);
    expect(asked).toEqual(["approval", "defaultBranch", "dashboard"]);
    expect(planned).toMatchObject({ type: "plan", plan: { acts: [ACT], notes: null } });
    const ledger = await intended();
    expect(ledger.drafts).toMatchObject([{ id: ACT.id, state: "intended", changes: [DRAFTED] }]);
    expect(ledger.starts).toHaveLength(1);
    expect(planned).toMatchObject({ plan: { events: ["Draft the documentation of #1"] } });
    expect(program.hasIntent(ledger, ACT)).toBe(true);
    expect(await program.confirm(ACT, { sha: null, ledger }, readsOf(answers))).toBeNull();
  });

  test.each<[string, Draft]>([
    ["about to be requested", intendedBatch("d", [DRAFTED])],
    ["at work", runningBatch("d", [DRAFTED])],
    ["done", doneDraft("d", [DRAFTED])],
  ])("that is %s is taken, and nothing else is asked", async (_, draft) => {
    const asked: string[] = [];
    const planned = await plan({ ...EMPTY, drafts: [draft] }, {}, asked);
    expect(planned).toEqual({ type: "stopped", notes: { type: "draft", draft } });
    expect(asked).toEqual([]);
  });

  test("is not requested by a run that may not", async () => {
    const asked: string[] = [];
    const planning = programOf(null).plan(unchanged(EMPTY), readsOf({}, asked), MOMENT);
    expect(await planning).toEqual({ type: "stopped", notes: { type: "none", why: null } });
    expect(asked).toEqual([]);
  });

  test.each(OBSTACLES)("is not requested after %s", async (_, ledger, answers, why, reads) => {
    const asked: string[] = [];
    const planned = await plan(ledger, answers, asked);
    expect(planned).toEqual({ type: "stopped", notes: { type: "none", why } });
    expect(asked).toEqual(reads);
  });

  test.each(OBSTACLES)("is not sent if %s came in between", async (_, ledger, answers) => {
    const confirmed = await program.confirm(ACT, { sha: null, ledger }, readsOf(answers));
    expect(confirmed).toMatchObject({ type: "not-sent", code: "changed" });
  });

  test("is not sent if the dashboard cannot be read again", async () => {
    const reads = readsOf({ dashboard: new Unavailable("GitHub returned 500") });
    expect(await program.confirm(ACT, { sha: null, ledger: EMPTY }, reads)).toMatchObject({
      code: "changed",
      error: { kind: "github-unavailable" },
    });
  });

  test.each<[string, Delivery<StartedJob>, object]>([
    ["accepted", ACCEPTED, { drafts: [{ state: "running", job: { id: "job" } }] }],
    ["limited", { type: "limited" }, { drafts: [], starts: [], waiting: [] }],
    ["not sent", notSent("changed"), { drafts: [], starts: [], waiting: [] }],
    [
      "uncertain",
      { type: "uncertain", reason: "lost", error: null },
      { drafts: [{ state: "uncertain" }] },
    ],
  ])("that was %s is recorded, twice like once", async (_, delivery, expected) => {
    const ledger = await intended();
    const once = program.record(unchanged(ledger), ACT, delivery, NOW);
    expect(once.ledger).toMatchObject(expected);
    const twice = program.record(unchanged(once.ledger), ACT, delivery, NOW);
    expect(twice).toEqual(unchanged(once.ledger));
  });

  test("whose run died may have been requested", async () => {
    const expired = program.expire(unchanged(await intended()), () => true).ledger;
    expect(expired.drafts).toMatchObject([{ state: "uncertain" }]);
    expect(program.hasIntent(expired, ACT)).toBe(false);
  });
});
