import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText } from "../../../test/support/arbitrary.ts";
import {
  AT,
  change,
  doneDraft,
  group,
  HALTED,
  intendedBatch,
  LINK,
  NOW,
  pendingComment,
  review,
  runningBatch,
  source,
  task,
} from "../../../test/support/ledger-examples.ts";
import { ledgerText, parseLedger } from "../../ledger/file.ts";
import { parseExcerpt } from "./excerpts.ts";
import { batchFormat } from "./format.ts";
import type { Ledger } from "./ledger.ts";

const FORMAT = batchFormat({ action: "upkeep", project: "p" });
const ONE = [change(1)];

/** A ledger with something in each of its fields. */
const LEDGER: Ledger = {
  ...FORMAT.begin,
  ownerWorkflow: { workflow: "a.yml", job: "b", commit: "c", digest: "d", filters: { paths: "e" } },
  dashboard: { type: "open", number: 7 },
  sources: [source()],
  waiting: [group(2)],
  batches: [runningBatch("b", ONE)],
  reviews: [review()],
  drafts: [doneDraft("d", ONE)],
  done: [{ result: "merged", prLink: LINK, changes: ONE, more: 2 }],
  passedOver: [{ change: change(5), reason: { code: "label", label: "skip-docs" } }],
  days: { "2026-11-20": { documented: 1, not: 2, unseen: 0 } },
  starts: [{ batch: "b", at: AT }],
  requests: { "2026-11-22": 1 },
  failures: HALTED,
  limitedSince: AT,
  busyJobs: [{ jobId: "job", since: AT }],
  pendingComments: [pendingComment(6, { claim: { id: "1", at: AT } })],
  agent: { links: [LINK], branches: ["docs-agent/1"] },
  ended: ["hash"],
};

function problemAt(place: string) {
  return { problem: `holds a ledger.json that cannot be read (at ${place})` };
}

describe("the place of a mistake is named:", () => {
  const running = runningBatch("b", ONE);
  const { job, ...jobless } = running;
  const { followUp, ...group1 } = group(1);
  const end = { changes: ONE, more: 0 };
  const draft = doneDraft("d", ONE);
  test.each<[string, string, object]>([
    ["a running batch without a job", "batches.0.job", { batches: [jobless] }],
    ["a batch that is done", "batches.0.state", { batches: [draft] }],
    ["an unknown state", "drafts.0.state", { drafts: [{ ...draft, state: "lost" }] }],
    [
      "an intent without its time",
      "batches.0.at",
      { batches: [{ ...intendedBatch("b", ONE), at: 1 }] },
    ],
    ["what is not known, left out", "waiting.0.followUp", { waiting: [group1] }],
    [
      "an unknown kind of change",
      "batches.0.changes.0.kind",
      { batches: [{ ...running, changes: [{ ...change(1), kind: "x" }] }] },
    ],
    [
      "the end of a docs pull request without a link",
      "done.0.prLink",
      { done: [{ result: "merged", prLink: null, ...end }] },
    ],
    [
      "another end with a link",
      "done.0.prLink",
      { done: [{ result: "left", prLink: LINK, ...end }] },
    ],
    ["an unknown end", "done.0.result", { done: [{ result: "lost", prLink: LINK, ...end }] }],
    ["a claim without an end", "dashboard.until", { dashboard: { type: "claimed", by: "run" } }],
    [
      "half of a claim",
      "pendingComments.0.claim.at",
      { pendingComments: [{ ...pendingComment(1), claim: { id: "1" } }] },
    ],
    [
      "a failure of an unknown kind",
      "failures.inRow.0.how",
      { failures: { inRow: [{ cause: "b", how: "lost", jobId: null }], halt: null } },
    ],
    ["counts that are texts", "requests.2026-11-22", { requests: { "2026-11-22": "1" } }],
  ])("%s", (_, place, fields) => {
    const text = JSON.stringify({ ...LEDGER, ...fields });
    expect(parseLedger(text, FORMAT, NOW)).toEqual(problemAt(place));
  });
});

const NO_URL = "acme/docs#7";

test.each<[string, Partial<Ledger>]>([
  ["reviews.0.prLink", { reviews: [review({ prLink: NO_URL })] }],
  ["done.0.prLink", { done: [{ result: "merged", prLink: NO_URL, changes: ONE, more: 0 }] }],
  ["batches.0.job.prLink", { batches: [runningBatch("b", ONE, { prLink: NO_URL })] }],
  ["waiting.0.followUp.prLink", { waiting: [group(1, { followUp: { jobId: "j", prLink: "" } })] }],
  ["pendingComments.0.prLink", { pendingComments: [pendingComment(6, { prLink: NO_URL })] }],
])("a link that is no URL is a mistake at its place: %s", (place, fields) => {
  const text = ledgerText({ ...LEDGER, ...fields });
  expect(parseLedger(text, FORMAT, NOW)).toEqual(problemAt(place));
  expect(parseExcerpt(text, LEDGER.project)).toEqual(problemAt(place));
});

test("the excerpt of another project's ledger is empty, even if its file is broken", () => {
  const text = JSON.stringify({ ...LEDGER, reviews: [{ prLink: NO_URL }] });
  expect(parseExcerpt(text, "another")).toEqual({ pulls: [], requests: {} });
});

test.each(Object.keys(LEDGER).filter((name) => !["version", "action", "project"].includes(name)))(
  "a ledger without its field %s is not read",
  (name) => {
    const text = JSON.stringify({ ...LEDGER, [name]: undefined });
    expect(parseLedger(text, FORMAT, NOW)).toEqual(problemAt(name));
  },
);

test("a field that no ledger has is left out", () => {
  const text = JSON.stringify({ ...LEDGER, reviews: [{ ...review(), log: "A secret" }], more: 1 });
  expect(parseLedger(text, FORMAT, NOW)).toEqual({ ledger: LEDGER });
});

const text = anyText();
const maybe = fc.option(text);
const count = fc.nat(3);
const flag = fc.boolean();
const at = fc.constant(AT);
const link = fc.constantFrom(LINK, "https://ghe.test:8443/a/b/pull/1?x=%20#y", "http://[::1]/%7F");
const maybeLink = fc.option(link);
const is = <const T extends string>(...names: T[]) => fc.constantFrom(...names);
const listOf = <T>(entry: fc.Arbitrary<T>) => fc.array(entry, { maxLength: 3 });

const changes = listOf(fc.constantFrom(change(1), task("a.md\nb.md")));
const followUp = fc.option(fc.record({ jobId: text, prLink: maybeLink }));
const job = fc.record({
  id: text,
  acceptedAt: at,
  isFollowUp: flag,
  prLink: maybeLink,
  missingSince: fc.option(at),
  withoutPullSince: fc.option(at),
  isTooLate: flag,
});
const origin = fc.record({ id: text, hasSucceeded: flag });
const common = { id: text, changes, origin, followUp, isOutdated: flag, attempt: count, at };
const uncertainReason = fc.oneof(
  fc.record({ code: is("unanswered"), words: text }),
  fc.record({ code: is("run-ended") }),
);
const failedReason = fc.oneof(
  fc.record({
    code: is("job-failed", "job-unknown", "archived", "hidden-pull", "ended-early"),
    jobId: text,
  }),
  fc.record({ code: is("refused"), words: text }),
);
const passedReason = fc.oneof(
  fc.record({ code: is("label"), label: text }),
  fc.record({ code: is("author"), author: text }),
  fc.record({ code: is("no-files", "no-path", "by-agent") }),
  fc.record({ code: is("same-commit"), sha: text }),
  fc.record({ code: is("rewritten"), branch: text }),
);
const batch = fc.oneof(
  fc.record({ ...common, state: is("intended"), sentTo: maybe }),
  fc.record({ ...common, state: is("running"), job }),
  fc.record({ ...common, state: is("uncertain"), reason: uncertainReason }),
  fc.record({ ...common, state: is("failed"), job: fc.option(job), reason: failedReason }),
);
const decision = is("again", "left");
const inRow = listOf(
  fc.record({ cause: text, how: is("failed", "refused", "unknown"), jobId: maybe }),
);
const halt = fc.record({ id: text, inRow });
const days = <T>(counts: fc.Arbitrary<T>) => fc.dictionary(is("2026-11-20", "2026-11-22"), counts);

const anyJob = { workflow: maybe, job: maybe, commit: maybe, digest: maybe };
/** Any value of each field but the first ones, which say whose ledger it is. */
const anyFields = fc.record({
  ownerWorkflow: fc.option(fc.record({ ...anyJob, filters: fc.dictionary(text, text) })),
  closedByBot: fc.option(fc.record({ by: text, at: maybe })),
  dashboard: fc.oneof(
    fc.record({ type: is("none") }),
    fc.record({ type: is("claimed"), by: text, until: text }),
    fc.record({ type: is("refused"), until: text }),
    fc.record({ type: is("open"), number: count }),
  ),
  sources: listOf(
    fc.record({
      id: count,
      repository: text,
      branch: text,
      sha: maybe,
      date: text,
      target: maybe,
      readAt: maybe,
      wasRewritten: flag,
      release: maybe,
    }),
  ),
  waiting: listOf(
    fc.record({
      changes,
      origin: fc.option(origin),
      followUp,
      attempts: count,
      source: maybe,
      isReleased: flag,
    }),
  ),
  batches: listOf(batch),
  reviews: listOf(
    fc.record({
      prLink: link,
      jobId: text,
      changes,
      others: changes,
      endedAt: at,
      unread: fc.option(fc.record({ since: at, isPassing: flag })),
      isClosedToBatches: flag,
    }),
  ),
  followed: listOf(fc.record({ id: text, changes, attempt: count, job, decision, since: at })),
  drafts: listOf(fc.oneof(batch, fc.record({ ...common, state: is("done"), job }))),
  done: listOf(
    fc.oneof(
      fc.record({ result: is("merged", "closed", "unread"), prLink: link, changes, more: count }),
      fc.record({ result: is("none", "left"), prLink: fc.constant(null), changes, more: count }),
    ),
  ),
  passedOver: listOf(fc.record({ change: fc.constant(change(1)), reason: passedReason })),
  days: days(fc.record({ documented: count, not: count, unseen: count })),
  starts: listOf(fc.record({ batch: text, at })),
  requests: days(count),
  failures: fc.record({ inRow, halt: fc.option(halt) }),
  limitedSince: maybe,
  busyJobs: listOf(fc.record({ jobId: text, since: at })),
  pendingComments: listOf(
    fc.record({
      change: fc.constant(change(1)),
      prLink: maybeLink,
      job: text,
      claim: fc.option(fc.record({ id: text, at })),
      tries: count,
      refusals: count,
    }),
  ),
  agent: fc.record({ links: listOf(text), branches: listOf(text) }),
  ended: listOf(text),
});

test("any ledger is read as it was written, and would be written byte for byte as it was read", () => {
  fc.assert(
    fc.property(anyFields, (fields) => {
      const ledger = { ...FORMAT.begin, ...fields };
      const written = ledgerText(ledger);
      const parsed = parseLedger(written, FORMAT, NOW);
      expect(parsed).toEqual({ ledger });
      expect("ledger" in parsed && ledgerText(parsed.ledger)).toBe(written);
    }),
  );
});
