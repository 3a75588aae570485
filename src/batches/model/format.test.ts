import { describe, expect, test } from "vitest";
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
