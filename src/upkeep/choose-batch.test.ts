import { expect, test } from "vitest";
import {
  change,
  group,
  HOUR,
  NOW,
  review,
  revision,
  running,
} from "../../test/support/ledger-examples.ts";
import { decideHandOver } from "./choose-batch.ts";

const INPUTS = { openPullRequest: "continue", maxJobsPerDay: 24 } as const;

test.each([
  ["at work", 1, { later: "busy", jobId: null, warning: null }],
  ["at work for too long", 25, { later: null, jobId: null, warning: null }],
])("a job that is %s gets no follow-up", (_, hours, expected) => {
  const ledger = { ...running(1), reviews: [review()], waiting: [group(2)] };
  expect(decideHandOver(revision(ledger, { now: NOW + hours * HOUR }), INPUTS)).toEqual(expected);
});

test("the job of an open docs pull request gets the next batch", () => {
  const reviews = [{ ...review(), changes: [change(1)] }];
  const ledger = { ...running(1), batches: [], reviews, waiting: [group(2)] };
  expect(decideHandOver(revision(ledger), INPUTS)).toMatchObject({ later: null, jobId: "job" });
});
