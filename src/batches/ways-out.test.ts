/** Each reason for a decision has the ways out that its table names: the boxes, and the answers of a run by hand. */

import { describe, expect, test } from "vitest";
import { ISSUE, NO_DASHBOARD, SETTINGS } from "../../test/support/batch-reads.ts";
import {
  AT,
  change,
  EMPTY,
  failedBatch,
  HOUR,
  LINK,
  NOW,
  revision,
  runningBatch,
  uncertainBatch,
} from "../../test/support/ledger-examples.ts";
import { boxesOf } from "./dashboard/boxes.ts";
import { shortId } from "./model/answers.ts";
import { undecidedEntries } from "./model/decisions.ts";
import type { Batch } from "./model/ledger.ts";
import type { BatchRevision } from "./model/revision.ts";
import { applyDecisions } from "./people.ts";
import { type UNDECIDED_REASONS, undecidedReason } from "./reasons.ts";

type Code = keyof typeof UNDECIDED_REASONS;

const ONE = [change(1)];

type FailedReason = Extract<Batch, { readonly state: "failed" }>["reason"];

function failed(reason: FailedReason): Batch {
  return { ...failedBatch("b", ONE), reason };
}

const BATCHES: Record<Code, Batch> = {
  "job-failed": failed({ code: "job-failed", jobId: "job_3" }),
  "job-unknown": failed({ code: "job-unknown", jobId: "job_3" }),
  archived: failed({ code: "archived", jobId: "job_3" }),
  "hidden-pull": failed({ code: "hidden-pull", jobId: "job_3" }),
  "ended-early": failed({ code: "ended-early", jobId: "job_3" }),
  "docs-pull-closed": failed({ code: "docs-pull-closed", prLink: LINK, by: "stale[bot]" }),
  "docs-pull-unread": failed({ code: "docs-pull-unread", prLink: LINK, since: AT }),
  "too-long": runningBatch("b", ONE),
  refused: failed({ code: "refused", words: "Too long" }),
  unreadable: failed({ code: "unreadable", words: "GitHub returned 502" }),
  unanswered: uncertainBatch("b", ONE),
  "run-ended": { ...uncertainBatch("b", ONE), reason: { code: "run-ended" } },
};

describe.each(Object.entries(BATCHES))("%s", (code, batch) => {
  const before = revision({ ...EMPTY, batches: [batch] }, { now: NOW + 25 * HOUR });
  const [entry] = undecidedEntries(before);
  const id = entry?.id ?? "";

  const byBox = (choice: "again" | "leave") => {
    const body = boxesOf(id, [{ id, choice }]).join("\n");
    const dashboard = { ...NO_DASHBOARD, issue: { ...ISSUE, body } };
    return applyDecisions(before, dashboard, SETTINGS).revision;
  };
  const byHand = (choice: "again" | "leave") => {
    const answers = [{ type: "entry", id: shortId(id), choice }] as const;
    const settings = { ...SETTINGS, answered: { answers, run: "1" } };
    return applyDecisions(before, NO_DASHBOARD, settings).revision;
  };

  test("is told, and each way out ends the wait", () => {
    expect(undecidedReason(batch)?.code).toBe(code);
    const ended = (after: BatchRevision) => undecidedEntries(after).length === 0;
    for (const decide of [byBox, byHand]) {
      expect(ended(decide("again"))).toBe(true);
      expect(decide("again").ledger.waiting).toMatchObject([{ changes: ONE }]);
      expect(ended(decide("leave"))).toBe(true);
      expect(decide("leave").ledger.waiting).toEqual([]);
    }
  });
});
