import fc from "fast-check";
import { expect, test } from "vitest";
import { change, NOW, task } from "../../../test/support/ledger-examples.ts";
import { ledgerText, parseLedger } from "../../ledger/file.ts";
import { parseExcerpt } from "./excerpts.ts";
import { batchFormat } from "./format.ts";
import type { BatchFile, BatchLedgerFile, DraftFile } from "./schema.ts";

const AT = "2026-11-22T11:00:00Z";
const LINK = "https://github.com/acme/docs/pull/7";
const FORMAT = batchFormat({ action: "upkeep", project: "p" });

type State = DraftFile["state"];

/** A batch as ledger.json has it, its fields in the order of the file. */
type Fields = Partial<Omit<DraftFile, "state">>;

function entry<S extends State>(state: S, over: Fields = {}): DraftFile & { state: S } {
  const hasJob = state === "running" || state === "done";
  return {
    id: state,
    state,
    changes: [change(1)],
    followUp: { jobId: "first", prLink: null },
    isOutdated: true,
    attempt: 1,
    at: AT,
    acceptedAt: hasJob ? AT : null,
    jobId: hasJob ? "job" : null,
    isFollowUp: hasJob,
    prLink: null,
    reason: reasonOf(state),
    unknown: 0,
    ...over,
  };
}

function reasonOf(state: State): BatchFile["reason"] {
  if (state === "failed") return { code: "job-failed", jobId: "job" };
  return state === "uncertain" ? { code: "unanswered", words: "lost" } : null;
}

function plain<S extends State>(state: S, over: Fields = {}) {
  const { followUp, isOutdated, ...fields } = entry(state, over);
  return fields;
}

function ledgerWith(dashboard: BatchLedgerFile["dashboard"]): BatchLedgerFile {
  const failed = plain("failed", { jobId: "job", acceptedAt: AT });
  return {
    version: 1,
    action: "upkeep",
    project: "p",
    writes: 3,
    historyFiles: ["history/2026-11.jsonl"],
    keeper: { workflow: "docs.yml", run: "12", filters: "abc" },
    dashboard,
    sources: [
      {
        id: 1,
        repository: "acme/code",
        branch: "main",
        sha: "a",
        date: AT,
        readAt: "",
        wasRewritten: false,
        release: "v1",
      },
      {
        id: 2,
        repository: "acme/import",
        branch: "main",
        sha: null,
        date: AT,
        target: "b",
        readAt: AT,
        wasRewritten: true,
        release: "",
      },
    ],
    waiting: [
      { changes: [task("a.md")], attempts: 0, source: "", isReleased: true },
      {
        changes: [change(2)],
        followUp: { jobId: "first", prLink: LINK },
        attempts: 1,
        source: "1@main",
        isReleased: false,
      },
    ],
    batches: [
      entry("intended"),
      plain("running", { unknown: 1, isTooLate: true }),
      entry("uncertain"),
      plain("failed"),
      failed,
    ],
    reviews: [
      { prLink: LINK, jobId: "j", changes: [change(3)], unread: 1, isClosedToBatches: true },
    ],
    drafts: [plain("running", { prLink: LINK }), plain("done", { prLink: LINK }), plain("failed")],
    done: [{ result: "merged", prLink: LINK, changes: [change(4)], more: 2 }],
    passedOver: [{ change: change(5), reason: { code: "label", label: "skip-docs" } }],
    days: { "2026-11-20": { documented: 1, not: 2 } },
    starts: [{ batch: "running", at: AT }],
    requests: { [AT.slice(0, 10)]: 1 },
    untold: [
      { change: change(6), prLink: null, job: "job" },
      { change: change(7), prLink: LINK, job: "job", claim: { id: "run.1", at: AT } },
      { change: change(8), prLink: LINK, job: "job", isTried: true, refusals: 2 },
      { change: change(9), prLink: LINK, job: "job", isTried: true, tries: 5 },
    ],
    agent: { links: [LINK], branches: ["docs-agent/1"] },
    ended: ["hash"],
    failures: { jobs: 3, refusals: 1, halt: { id: "halt b", count: 3, jobId: "job" } },
  };
}

test.each([
  ["none", { number: null, claim: "", until: "" }],
  ["claimed", { number: null, claim: "run", until: AT }],
  ["refused", { number: null, claim: "", until: AT }],
  ["open", { number: 7, claim: "", until: "" }],
])(
  "a ledger.json whose dashboard is %s is written back byte for byte as it was read",
  (type, dashboard) => {
    const text = ledgerText(ledgerWith(dashboard));
    const parsed = parseLedger(text, FORMAT, NOW);
    if ("problem" in parsed) throw new Error(parsed.problem);
    expect(parsed.ledger.dashboard.type).toBe(type);
    expect(ledgerText(FORMAT.fileOf(parsed.ledger))).toBe(text);
  },
);

test("a batch is never done: only drafts are kept after their end", () => {
  const file = ledgerWith({ number: null, claim: "", until: "" });
  const drafts: BatchLedgerFile = { ...file, batches: [], drafts: [plain("done")] };
  const text = ledgerText(drafts);
  expect(parseLedger(text, FORMAT, NOW)).toHaveProperty("ledger");
  const wrong = text.replace(/"(batches|drafts)"/g, (_, name) => {
    return name === "batches" ? '"drafts"' : '"batches"';
  });
  expect(parseLedger(wrong, FORMAT, NOW)).toEqual({
    problem: expect.stringContaining("at batches.0.state"),
  });
});

test("an end of a docs pull request has its link, and no other end has one", () => {
  const file = ledgerWith({ number: null, claim: "", until: "" });
  const entry = { changes: [change(1)], more: 0 };
  const done: BatchLedgerFile["done"] = [
    { result: "closed", prLink: LINK, ...entry },
    { result: "merged", prLink: null, ...entry },
    { result: "left", prLink: LINK, ...entry },
  ];
  const stored: BatchLedgerFile = { ...file, done };
  const parsed = parseLedger(ledgerText(stored), FORMAT, NOW);
  if ("problem" in parsed) throw new Error(parsed.problem);
  expect(parsed.ledger.done).toEqual([
    { result: "closed", prLink: LINK, ...entry },
    { result: "left", prLink: null, ...entry },
  ]);
});

test("a ledger of a version that counted no failures has none, and is written back as it was", () => {
  const { failures, ...file } = ledgerWith({ number: 7, claim: "", until: "" });
  const parsed = parseLedger(ledgerText(file), FORMAT, NOW);
  if ("problem" in parsed) throw new Error(parsed.problem);
  expect(parsed.ledger.failures).toEqual({ jobs: 0, refusals: 0, halt: null });
  expect(ledgerText(FORMAT.fileOf(parsed.ledger))).toBe(ledgerText(file));
});

const NO_URL = "acme/docs#7";
const WAITING = { changes: [change(1)], attempts: 1, source: "", isReleased: true };
const REVIEW = { jobId: "job", changes: [change(1)], unread: 0, isClosedToBatches: false };

test.each<[string, Partial<BatchLedgerFile>]>([
  ["reviews.0.prLink", { reviews: [{ prLink: NO_URL, ...REVIEW }] }],
  [
    "done.0.prLink",
    { done: [{ result: "merged", prLink: NO_URL, changes: [change(1)], more: 0 }] },
  ],
  ["batches.0.prLink", { batches: [entry("running", { prLink: NO_URL })] }],
  [
    "waiting.0.followUp.prLink",
    { waiting: [{ ...WAITING, followUp: { jobId: "job", prLink: "" } }] },
  ],
  ["untold.0.prLink", { untold: [{ change: change(6), prLink: NO_URL, job: "job" }] }],
])("a link that is no URL is a mistake at its place: %s", (place, fields) => {
  const file = { ...ledgerWith({ number: null, claim: "", until: "" }), ...fields };
  const problem = `holds a ledger.json that cannot be read (at ${place})`;
  expect(parseLedger(ledgerText(file), FORMAT, NOW)).toEqual({ problem });
  expect(parseExcerpt(ledgerText(file), file.project)).toEqual({ problem });
});

test("the excerpt of another project's ledger is empty, even if its file is broken", () => {
  const file = {
    ...ledgerWith({ number: null, claim: "", until: "" }),
    reviews: [{ prLink: NO_URL }],
  };
  expect(parseExcerpt(JSON.stringify(file), "another")).toEqual({ pulls: [], requests: {} });
});

test("any ledger is read as it was written", () => {
  const text = fc.string({ minLength: 1 });
  const maybe = fc.option(text);
  const link = fc.constantFrom(
    LINK,
    "https://ghe.test:8443/a/b/pull/1?x=%20#y",
    "http://[::1]/%7F",
  );
  const maybeLink = fc.option(link);
  const group = fc.record({
    changes: fc.constant([change(1), task("a.md")]),
    followUp: fc.option(fc.record({ jobId: text, prLink: maybeLink })),
    attempts: fc.nat(3),
    source: maybe,
    isReleased: fc.boolean(),
  });
  const job = fc.record({
    id: text,
    acceptedAt: fc.constant(AT),
    isFollowUp: fc.boolean(),
    prLink: maybeLink,
    unknownRuns: fc.nat(3),
    isTooLate: fc.boolean(),
  });
  const common = {
    id: text,
    changes: fc.constant([change(2)]),
    followUp: fc.option(fc.record({ jobId: text, prLink: maybeLink })),
    isOutdated: fc.boolean(),
    attempt: fc.nat(3),
    at: fc.constant(AT),
  };
  const uncertainReason = fc.oneof(
    fc.record({ code: fc.constant("unanswered" as const), words: text }),
    fc.constant({ code: "run-ended" as const }),
  );
  const failedReason = fc.oneof(
    fc.record({
      code: fc.constantFrom("job-failed" as const, "job-unknown" as const, "ended-early" as const),
      jobId: text,
    }),
    fc.record({ code: fc.constant("refused" as const), words: text }),
  );
  const batch = fc.oneof(
    fc.record({ ...common, state: fc.constant("intended" as const) }),
    fc.record({ ...common, state: fc.constant("running" as const), job }),
    fc.record({ ...common, state: fc.constant("uncertain" as const), reason: uncertainReason }),
    fc.record({
      ...common,
      state: fc.constant("failed" as const),
      reason: failedReason,
      job: fc.option(job),
    }),
  );
  const dashboard = fc.oneof(
    fc.constant({ type: "none" as const }),
    fc.record({ type: fc.constant("claimed" as const), by: text, until: text }),
    fc.record({ type: fc.constant("refused" as const), until: text }),
    fc.record({ type: fc.constant("open" as const), number: fc.nat() }),
  );
  const halt = fc.oneof(
    fc.record({ type: fc.constant("failed" as const), id: text, count: fc.nat(), jobId: text }),
    fc.record({ type: fc.constant("refused" as const), id: text, count: fc.nat() }),
  );
  const ledger = fc.record({
    failures: fc.record({ jobs: fc.nat(3), refusals: fc.nat(3), halt: fc.option(halt) }),
    waiting: fc.array(group, { maxLength: 3 }),
    batches: fc.array(batch, { maxLength: 3 }),
    dashboard,
  });
  fc.assert(
    fc.property(ledger, (fields) => {
      const any = { ...FORMAT.begin, ...fields };
      expect(parseLedger(ledgerText(FORMAT.fileOf(any)), FORMAT, NOW)).toEqual({ ledger: any });
    }),
  );
});
